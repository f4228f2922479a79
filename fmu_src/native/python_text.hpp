// Functions of Python's str for texts in UTF-8: blanks, words, repr.
#pragma once
#include "text.hpp"
#include <cstdint>
#include <vector>

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
