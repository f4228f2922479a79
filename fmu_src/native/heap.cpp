// The library's own operators: nothing in it can throw, and it must not need a C++ runtime for them.
// Before anything is made `has_room` is asked.
#include <cstdlib>
#include <new>

void *operator new(std::size_t size) {
    if (void *place = std::malloc(size ? size : 1)) return place;
    std::abort();
}
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }
