// Numbers as text, as Python writes them, without the host's locale.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

// The shortest digits that give the same double again, in the form of Python's repr.
inline std::string shown(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[40];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string text(buffer, end.ptr), sign;
    if (text[0] == '-') {
        sign = "-";
        text.erase(0, 1);
    }
    const auto mark = text.find('e');
    int exponent = std::atoi(text.c_str() + mark + 1);
    std::string digits = text.substr(0, mark);
    if (digits.size() > 1) digits.erase(1, 1);
    const int count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        std::string result = sign + digits.substr(0, 1);
        if (count > 1) result += "." + digits.substr(1);
        std::string size = std::to_string(std::abs(exponent));
        return result + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
    }
    if (exponent < 0) return sign + "0." + std::string(-exponent - 1, '0') + digits;
    if (exponent + 1 >= count) return sign + digits + std::string(exponent + 1 - count, '0') + ".0";
    return sign + digits.substr(0, exponent + 1) + "." + digits.substr(exponent + 1);
}

inline std::string shown(int value) { return std::to_string(value); }

// A text of tables.hpp with its two values in their places.
inline std::string filled(const char *text, double first, double second) {
    std::string result;
    for (; *text; ++text) {
        if (*text == '\1') result += shown(first);
        else if (*text == '\2') result += shown(second);
        else result += *text;
    }
    return result;
}
