// Views of numbers, rows, and rows of rows for the kernel, on memory that they do not own.
#pragma once
#include <cstddef>
#include <tuple>

// A length along one axis. A length that is known at compile time, as of a state object, needs no
// memory, and offsets become constants.
constexpr long ANY = -1;
template <long known> struct Length {
    Length() = default;
    explicit Length(long) {}
    static constexpr long length() { return known; }
};
template <> struct Length<ANY> {
    long value = 0;
    Length() = default;
    explicit Length(long given) : value(given) {}
    long length() const { return value; }
};

// Replacement of Pythran's arrays without reference counts, which cost two writes per row, and
// without negative indices, which the kernel does not use.
template <class Value, long... lengths> struct View;
template <class Value, long known> struct View<Value, known> : Length<known> {
    using value_type = Value;
    Value *place = nullptr;
    View() = default; // a name that the kernel assigns later
    template <class Size>
    View(Value *begin, const Size *sizes)
        : Length<known>(static_cast<long>(*sizes)), place(begin) {}
    long size() const { return this->length(); }
    long count() const { return this->length(); }
    void move(long by) { place += by; }
    Value &operator[](long index) const { return place[index]; }
    Value &fast(long index) const { return place[index]; }
};
template <class Value, long known, long... inner>
struct View<Value, known, inner...> : Length<known> {
    using value_type = View<Value, inner...>;
    value_type first;
    View() = default;
    template <class Size>
    View(Value *begin, const Size *sizes)
        : Length<known>(static_cast<long>(*sizes)), first(begin, sizes + 1) {}
    long size() const { return this->length(); }
    long count() const { return this->length() * first.count(); }
    void move(long by) { first.move(by); }
    value_type operator[](long index) const {
        value_type row = first;
        row.move(index * first.count());
        return row;
    }
    value_type fast(long index) const { return (*this)[index]; }
};

namespace std {
template <std::size_t index, class Value, long... lengths>
decltype(auto) get(const View<Value, lengths...> &view) {
    return view[index];
}
template <std::size_t index, class Value, long... lengths>
struct tuple_element<index, View<Value, lengths...>> {
    using type = typename View<Value, lengths...>::value_type;
};
} // namespace std

// For Pythran's type inference: assignments to a view do not change its type.
template <class Value, long... lengths, class Other>
struct __combined<View<Value, lengths...>, Other> {
    using type = View<Value, lengths...>;
};
template <class Value, long... lengths, class Other>
struct __combined<container<Other>, View<Value, lengths...>> {
    using type = View<Value, lengths...>;
};
template <class Value, long... lengths, class Other>
struct __combined<indexable<Other>, View<Value, lengths...>> {
    using type = View<Value, lengths...>;
};
template <class Value, long... lengths, class Key, class Other>
struct __combined<indexable_container<Key, Other>, View<Value, lengths...>> {
    using type = View<Value, lengths...>;
};

// Numbers and views are passed by value: a reference to a number could refer to an element of a
// row, and would be read again after each write.
PYTHONIC_NS_BEGIN
namespace types {
template <class Value, long... lengths> struct by_val<View<Value, lengths...> &, false> {
    using type = View<Value, lengths...>;
};
template <> struct by_val<double &, false> {
    using type = double;
};
} // namespace types
PYTHONIC_NS_END
