// Messages without heap, exceptions or locale. Numbers have the format of Python.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

    // A text of tables.hpp with its values inserted, at most `most_shown` of them.
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
