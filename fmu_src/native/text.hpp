// Messages without heap, exceptions or locale, and functions of Python's str for texts in UTF-8. Numbers
// have the format of Python.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Number of bytes, at most `most`, that are whole UTF-8 characters in a text of `size` bytes.
inline std::size_t whole_characters(const char *text, std::size_t size, std::size_t most) {
    if (size <= most) return size;
    while (most > 0 && (text[most] & 0xC0) == 0x80) --most;
    return most;
}

// A text of limited length. Characters that do not fit are omitted.
class Text {
  public:
    // Only the terminating zero is initialised, because each step creates several empty texts.
    Text() { data_[0] = 0; }
    Text(const char *text) : Text() { *this << text; }
    Text(const Text &other) : Text() { *this << other; }
    Text &operator=(const Text &other) {
        if (this != &other) size_ = 0, data_[0] = 0, *this << other;
        return *this;
    }

    bool empty() const { return size_ == 0; }
    const char *data() const { return data_; }
    std::size_t size() const { return size_; }

    Text &operator<<(const char *text) { return append(text, std::strlen(text)); }
    Text &operator<<(const Text &text) { return append(text.data_, text.size_); }
    Text &operator<<(int number) { return *this << static_cast<long long>(number); }
    Text &operator<<(unsigned number) { return *this << static_cast<long long>(number); }
    Text &operator<<(long long number) {
        char buffer[24];
        return append(buffer, std::snprintf(buffer, sizeof buffer, "%lld", number));
    }

    // The shortest digits that represent the same double, as Python's repr writes them.
    Text &operator<<(double value) {
        if (std::isnan(value)) return *this << "nan";
        if (std::signbit(value)) *this << "-";
        if (std::isinf(value)) return *this << "inf";
        const double size = std::fabs(value);
        char buffer[40], digits[20];
        int count = 0;
        do std::snprintf(buffer, sizeof buffer, "%.*e", count++, size);
        while (count < 17 && std::strtod(buffer, nullptr) != size);
        // Remove the decimal point of the locale.
        const char *place = buffer;
        for (count = 0; *place != 'e'; ++place)
            if (*place >= '0' && *place <= '9') digits[count++] = *place;
        const int exponent = std::atoi(place + 1);
        if (exponent < -4 || exponent >= 16) {
            append(digits, 1);
            if (count > 1) (*this << ".").append(digits + 1, count - 1);
            const int power = std::abs(exponent);
            return *this << (exponent < 0 ? "e-" : "e+") << (power < 10 ? "0" : "") << power;
        }
        if (exponent < 0) {
            *this << "0.";
            for (int i = -1; i > exponent; --i) *this << "0";
            return append(digits, count);
        }
        for (int i = 0; i <= exponent; ++i) append(i < count ? digits + i : "0", 1);
        *this << ".";
        return count > exponent + 1 ? append(digits + exponent + 1, count - exponent - 1) : *this << "0";
    }

    // A text of the instance's data with its values inserted, at most `most_shown` of them.
    static constexpr int most_shown = 3;
    static constexpr char source_mark = 7; // replaced by the source of recorded points
    Text &fill(const char *text, const double *values, const char *source = "") {
        for (; *text; ++text) {
            if (*text == source_mark) *this << source;
            else if (*text >= 1 && *text <= most_shown) *this << values[*text - 1];
            else append(text, 1);
        }
        return *this;
    }
    Text &fill_rule(const char *text, double first, double second) {
        const double values[most_shown] = {first, second};
        return fill(text, values);
    }

    // The text as a format for printf, where `%` starts a field, and for FMI, where `#` starts a
    // value reference.
    Text as_format() const {
        Text format;
        for (const char *c = data_; *c;) {
            const bool is_special = *c == '%' || *c == '#';
            std::size_t size = 1;
            while ((c[size] & 0xC0) == 0x80) ++size;
            if (size + is_special > format.room()) break; // do not split an escape or a character
            if (is_special) format.append(c, 1);
            format.append(c, size);
            c += size;
        }
        return format;
    }

    Text &append(const char *text, std::size_t size) {
        size = whole_characters(text, size, room());
        std::memcpy(data_ + size_, text, size);
        data_[size_ += size] = 0;
        return *this;
    }

  private:
    std::size_t room() const { return sizeof data_ - 1 - size_; }

    std::size_t size_ = 0;
    char data_[1000];
};

// A part of a text that is stored elsewhere.
struct Span {
    const char *begin = "", *end = begin;

    Span() = default;
    Span(const char *text) : begin(text), end(text + std::strlen(text)) {}
    Span(const char *first, const char *last) : begin(first), end(last) {}

    std::size_t size() const { return std::size_t(end - begin); }
    bool empty() const { return begin == end; }
    bool operator==(const Span &other) const {
        return size() == other.size() && std::memcmp(begin, other.begin, size()) == 0;
    }
};

using Spans = std::vector<Span>;
using Bytes = std::vector<char>;

inline Span span_of(const Bytes &bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }

// The code point at a position and its number of bytes, or -1 and 1 if it is invalid.
inline std::int32_t code_at(const char *at, const char *end, int &size) {
    const auto byte = [&](int i) { return at + i < end ? std::uint8_t(at[i]) : 0u; };
    size = 1;
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return std::int32_t(lead);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4) return -1;
    std::uint32_t code = lead & (0x3F >> more);
    for (int i = 1; i <= more; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return -1;
        code = code << 6 | (byte(i) & 0x3F);
    }
    const std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return -1;
    size = more + 1;
    return std::int32_t(code);
}

inline bool is_utf8(const Span &text) {
    int size;
    for (const char *at = text.begin; at < text.end; at += size)
        if (code_at(at, text.end, size) < 0) return false;
    return true;
}

inline bool is_blank(std::int32_t code) {
    return (code >= 9 && code <= 13) || (code >= 0x1C && code <= 0x20) || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
           code == 0x202F || code == 0x205F || code == 0x3000;
}

inline Spans words_of(const Span &text) {
    Spans words;
    int size;
    for (const char *at = text.begin; at < text.end;) {
        while (at < text.end && is_blank(code_at(at, text.end, size))) at += size;
        const char *const begin = at;
        while (at < text.end && !is_blank(code_at(at, text.end, size))) at += size;
        if (at > begin) words.push_back({begin, at});
    }
    return words;
}

// Python's repr of a text, for messages: `text << repr(span)`.
struct repr {
    Span text;
    explicit repr(const Span &given) : text(given) {}
};
inline Text &operator<<(Text &to, const repr &shown) {
    const Span &text = shown.text;
    const auto has = [&](char c) { return std::memchr(text.begin, c, text.size()) != nullptr; };
    const char quote = has('\'') && !has('"') ? '"' : '\'';
    to.append(&quote, 1);
    int size;
    for (const char *at = text.begin; at < text.end; at += size) {
        const std::int32_t code = code_at(at, text.end, size);
        char escaped[12];
        if (code == '\\' || code == quote) to.append("\\", 1).append(at, 1);
        else if (code == '\n') to << "\\n";
        else if (code == '\r') to << "\\r";
        else if (code == '\t') to << "\\t";
        else if (code < 0x20 || (code >= 0x7F && code <= 0xA0) || code == 0xAD) {
            std::snprintf(escaped, sizeof escaped, "\\x%02x", unsigned(std::uint8_t(code < 0 ? *at : code)));
            to << escaped;
        } else if ((is_blank(code) && code != ' ') || (code >= 0x200B && code <= 0x200F) || code == 0xFEFF ||
                   (code >= 0x202A && code <= 0x202E)) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(code));
            to << escaped;
        } else to.append(at, std::size_t(size));
    }
    return to.append(&quote, 1);
}
inline Text &operator<<(Text &to, const Span &text) { return to.append(text.begin, text.size()); }
