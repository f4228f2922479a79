// Numbers, rows of them, and rows of rows, as the kernel takes them: on memory that is not theirs.
#pragma once
#include <cstddef>
#include <tuple>

// A length along one axis: one that is known when the kernel is compiled, as that of a state
// object, takes no memory, and places behind it are constants.
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

// What Pythran's arrays are to its translations, without their counts of references, which would
// cost two writes a row, and without their wrapping of indices: the kernel has no negative ones.
template <class Value, long... lengths> struct View;
template <class Value, long known> struct View<Value, known> : Length<known> {
    using value_type = Value;
    Value *place = nullptr;
    View() = default; // a name that the kernel gives a row later
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

// Pythran's search for types: what is put into a view does not change what it is.
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

// Numbers and views go into functions by their values: a reference to a number could be one to what
// a row holds, and would be read again after each write.
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
