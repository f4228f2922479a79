// What Python's str and float do, for texts in UTF-8: blanks, words, numbers, repr.
//
// No part of it looks at the host's locale, but for the decimal point that strtod wants to see.
#pragma once
#include "text.hpp"
#include <clocale>
#include <cstdint>
#include <vector>

// Part of a text that lives elsewhere.
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
    bool operator!=(const Span &other) const { return !(*this == other); }
    bool starts_with(const Span &other) const {
        return size() >= other.size() && Span(begin, begin + other.size()) == other;
    }
    const char *find(const Span &other) const {
        for (const char *at = begin; at + other.size() <= end; ++at)
            if (Span(at, end).starts_with(other)) return at;
        return nullptr;
    }
};

using Spans = std::vector<Span>;
using Bytes = std::vector<char>;

inline Span span_of(const Bytes &bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }
inline void add(Bytes &bytes, const Span &text) { bytes.insert(bytes.end(), text.begin, text.end); }

// The code point at a place and how many bytes it takes; -1 and 1 where there is none.
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

inline bool ends_line(std::int32_t code) {
    return (code >= 10 && code <= 13) || (code >= 0x1C && code <= 0x1E) || code == 0x85 || code == 0x2028 ||
           code == 0x2029;
}

inline bool is_digit(std::int32_t code) { return code >= '0' && code <= '9'; }

// A letter or an underscore; of what is not ASCII the letters of Europe's and Asia's alphabets.
inline bool is_letter(std::int32_t code) {
    if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
    return code == 0xAA || code == 0xB5 || code == 0xBA ||
           (code >= 0xC0 && code < 0x2000 && code != 0xD7 && code != 0xF7) || (code >= 0x3040 && code < 0xE000);
}

inline bool is_word(std::int32_t code) {
    // Powers of typography count too.
    return is_letter(code) || is_digit(code) || code == 0xB2 || code == 0xB3 || code == 0xB9 ||
           (code >= 0x2070 && code <= 0x2079);
}

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

inline bool same_but_case(const Span &a, const Span &b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a.begin[i]) != lower(b.begin[i])) return false;
    return true;
}

// The place before that of a character, which must not be the first.
inline const char *before(const char *at) {
    do --at;
    while ((*at & 0xC0) == 0x80);
    return at;
}

inline Span without_blanks(Span text) {
    int size;
    while (!text.empty() && is_blank(code_at(text.begin, text.end, size))) text.begin += size;
    while (!text.empty() && is_blank(code_at(before(text.end), text.end, size))) text.end = before(text.end);
    return text;
}

// Without characters of ASCII at both ends.
inline Span stripped(Span text, const char *marks) {
    const auto is_mark = [&](char c) { return c && std::strchr(marks, c); };
    while (!text.empty() && is_mark(*text.begin)) ++text.begin;
    while (!text.empty() && is_mark(text.end[-1])) --text.end;
    return text;
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

inline Spans split(const Span &text, const Span &mark) {
    Spans parts;
    Span rest = text;
    while (const char *at = rest.find(mark)) {
        parts.push_back({rest.begin, at});
        rest.begin = at + mark.size();
    }
    parts.push_back(rest);
    return parts;
}

inline Spans lines_of(const Span &text) {
    Spans lines;
    int size;
    for (const char *at = text.begin; at < text.end;) {
        const char *const begin = at;
        while (at < text.end && !ends_line(code_at(at, text.end, size))) at += size;
        lines.push_back({begin, at});
        if (at == text.end) break;
        code_at(at, text.end, size);
        if (*at == '\r' && at + 1 < text.end && at[1] == '\n') size = 2;
        at += size;
    }
    return lines;
}

// Words with one blank between them.
inline Bytes joined(const Spans &words) {
    Bytes text;
    for (const Span &word : words) {
        if (!text.empty()) text.push_back(' ');
        add(text, word);
    }
    return text;
}

inline Bytes with_replaced(const Span &text, const Span &what, const Span &by) {
    Bytes result;
    Span rest = text;
    while (const char *at = rest.find(what)) {
        add(result, {rest.begin, at});
        add(result, by);
        rest.begin = at + what.size();
    }
    add(result, rest);
    return result;
}

// Python's float of a text; false where that is none. Digits of other alphabets are not read.
inline bool number_of(const Span &given, double &number) {
    const Span text = without_blanks(given);
    const char *at = text.begin;
    const bool is_signed = at < text.end && (*at == '+' || *at == '-');
    const bool is_negative = is_signed && *at == '-';
    at += is_signed;
    for (const char *word : {"inf", "infinity", "nan"})
        if (same_but_case({at, text.end}, word)) {
            number = *word == 'n' ? NAN : INFINITY;
            if (is_negative) number = -number;
            return true;
        }
    Bytes plain(text.begin, at);
    const auto digits = [&] {
        int count = 0;
        for (; at < text.end; ++at) {
            const bool joins = *at == '_' && count && at + 1 < text.end && is_digit(at[1]) && is_digit(at[-1]);
            if (!joins && !is_digit(*at)) break;
            if (!joins) plain.push_back(*at), ++count;
        }
        return count;
    };
    int count = digits();
    if (at < text.end && *at == '.') {
        ++at;
        add(plain, std::localeconv()->decimal_point);
        // An underscore may not follow on the point.
        if (at < text.end && *at != '_') count += digits();
    }
    if (!count) return false;
    if (at < text.end && (*at == 'e' || *at == 'E')) {
        plain.push_back('e');
        ++at;
        if (at < text.end && (*at == '+' || *at == '-')) plain.push_back(*at++);
        if (!digits()) return false;
    }
    if (at != text.end) return false;
    plain.push_back(0);
    number = std::strtod(plain.data(), nullptr);
    return true;
}

// Python's repr of a text.
inline void add_repr(Text &to, const Span &text) {
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
    to.append(&quote, 1);
}

// A text and its repr, for messages: `text << repr(span)`.
struct repr {
    Span text;
    explicit repr(const Span &given) : text(given) {}
};
inline Text &operator<<(Text &to, const repr &one) {
    add_repr(to, one.text);
    return to;
}
inline Text &operator<<(Text &to, const Span &text) { return to.append(text.begin, text.size()); }
