// Replacements of operator new and delete, so that the library needs no C++ runtime and nothing in
// it throws. Code calls `has_room` before it allocates. In a web page the default handler would print
// before it aborts, which needs files of the host.
#include <cstdlib>
#include <new>

void *operator new(std::size_t size) {
    if (void *place = std::malloc(size ? size : 1)) return place;
    std::abort();
}
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }
