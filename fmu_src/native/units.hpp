// Units as people write them above columns: the grammar of wearmodel/units.py, with its symbols.
#pragma once
#include "python_text.hpp"

// Powers of metre, second and newton.
struct Dimension {
    int metre, second, newton;
    bool operator==(const Dimension &other) const {
        return metre == other.metre && second == other.second && newton == other.newton;
    }
};

struct Symbol {
    const char *name;
    double factor;
    Dimension dimension;
};
struct Spelling {
    const char *text, *folded;
    int symbol;
};
struct Quantity {
    const char *name, *usual;
    Dimension dimension;
};

#include "unit_tables.hpp"

struct Unit {
    Text name;
    double factor = 1;
    Dimension dimension{};

    bool operator==(const Unit &other) const {
        return Span(name.data()) == Span(other.name.data()) && factor == other.factor &&
               dimension == other.dimension;
    }
};
using Units = std::vector<Unit>;

// A unit, none, or what is wrong.
struct UnitFound {
    bool is_found = false;
    Unit unit;
    Text problem;
};

inline int symbol_of(const Span &given) {
    const Bytes text = with_replaced(given, " ", "");
    for (const Spelling &spelling : spellings)
        if (span_of(text) == Span(spelling.text)) return spelling.symbol;
    Bytes folded = with_replaced(span_of(text), "µ", "μ");
    for (char &c : folded) c = lower(c);
    int found = -1;
    for (const Spelling &spelling : spellings)
        if (span_of(folded) == Span(spelling.folded)) {
            if (found >= 0 && found != spelling.symbol) return -1;
            found = spelling.symbol;
        }
    return found;
}

// Powers and marks of typography as ASCII has them.
inline Bytes with_plain_powers(const Span &text) {
    static const char *const plain[][2] = {
        {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"},
        {"⁸", "8"}, {"⁹", "9"}, {"⁻", "-"}, {"−", "-"}, {"·", "."}, {"⋅", "."}, {"∙", "."}};
    Bytes result(text.begin, text.end);
    for (const auto &pair : plain) result = with_replaced(span_of(result), pair[0], pair[1]);
    return result;
}

// Whether a word begins or ends at a place.
inline bool is_edge(const Span &text, const char *at) {
    int size;
    const bool after = at < text.end && is_word(code_at(at, text.end, size));
    const bool ahead = at > text.begin && is_word(code_at(before(at), text.end, size));
    return after != ahead;
}

inline Bytes without_possessive(const Span &text) {
    Bytes result;
    for (const char *at = text.begin; at < text.end;) {
        const char *next = nullptr;
        for (const char *mark : {"'", "’", "´", "`"})
            if (Span(at, text.end).starts_with(mark)) next = at + std::strlen(mark);
        if (next && next < text.end && *next == 's' && is_edge(text, next + 1)) at = next + 1;
        else result.push_back(*at++);
    }
    return result;
}

inline Bytes with_per_as_slash(const Span &text) {
    Bytes result;
    for (const char *at = text.begin; at < text.end;) {
        if (text.end - at >= 3 && same_but_case({at, at + 3}, "per") && is_edge(text, at) && is_edge(text, at + 3)) {
            result.push_back('/');
            at += 3;
        } else result.push_back(*at++);
    }
    return result;
}

// Brackets around a factor or a power go; around a product they stay.
inline Bytes without_brackets(const Span &text) {
    Bytes result;
    int size;
    for (const char *at = text.begin; at < text.end;) {
        if (*at == '(' || *at == '{') {
            const char *inner = at + 1;
            while (inner < text.end && is_blank(code_at(inner, text.end, size))) inner += size;
            const char *last = inner;
            while (last < text.end && !is_blank(code_at(last, text.end, size)) && !std::strchr("(){}./*", *last))
                last += size;
            const char *close = last;
            while (close < text.end && is_blank(code_at(close, text.end, size))) close += size;
            if (last > inner && close < text.end && (*close == ')' || *close == '}')) {
                add(result, {inner, last});
                at = close + 1;
                continue;
            }
        }
        result.push_back(*at++);
    }
    return result;
}

// "mps2", "m_s2", "ms-2" and "ms2" as they stand in names of columns.
inline bool unglue(Bytes &text) {
    for (const char *length : {"cm", "mm", "in", "ft", "m"})
        for (const char *end : {"ps2", "_s2", "s-2", "s2"}) {
            Bytes whole;
            add(whole, length);
            add(whole, end);
            if (!same_but_case(span_of(text), span_of(whole))) continue;
            text.resize(std::strlen(length));
            add(text, "/s2");
            return true;
        }
    return false;
}

inline bool unit_of_text(const Span &given, Unit &unit) {
    Span stripped_text = without_blanks(given);
    while (!stripped_text.empty() && stripped_text.end[-1] == '.') --stripped_text.end;
    Bytes text = with_plain_powers(stripped_text);
    text = with_replaced(span_of(text), "**", "^");
    text = without_possessive(span_of(text));
    unglue(text);
    text = with_per_as_slash(span_of(text));
    text = without_brackets(span_of(text));
    struct Power {
        int symbol, power;
    };
    std::vector<Power> powers;
    const Span all = span_of(text);
    int size;
    const auto skip = [&](const char *&at) {
        while (at < all.end && is_blank(code_at(at, all.end, size))) at += size;
    };
    const auto letters = [&](const char *at) {
        while (at < all.end && is_letter(code_at(at, all.end, size))) at += size;
        return at;
    };
    for (const char *at = all.begin; at < all.end;) {
        const bool is_first = at == all.begin;
        skip(at);
        char mark = 0;
        if (at < all.end && std::strchr("/.*", *at)) mark = *at++;
        skip(at);
        const char *const begin = at;
        at = letters(at);
        if (at > begin) {
            if (at < all.end && *at == '-' && letters(at + 1) > at + 1) at = letters(at + 1);
        } else if (at < all.end && *at == '%') {
            const char *next = at + 1;
            if (next < all.end && is_blank(code_at(next, all.end, size))) next += size;
            if (next == all.end || lower(*next) != 'g') return false;
            at = next + 1;
        } else return false;
        const int symbol = symbol_of({begin, at});
        if (symbol < 0 || (mark && is_first && mark != '/')) return false;
        skip(at);
        if (at < all.end && *at == '^') ++at;
        skip(at);
        int power = 1;
        const char *digit = at + (at < all.end && (*at == '+' || *at == '-'));
        if (digit < all.end && is_digit(*digit)) {
            power = 0;
            const bool is_negative = *at == '-';
            for (at = digit; at < all.end && is_digit(*at); ++at) power = power > 999 ? power : 10 * power + *at - '0';
            if (is_negative) power = -power;
        }
        if (mark == '/') power = -power;
        bool is_known = false;
        for (Power &one : powers)
            if (one.symbol == symbol) one.power += power, is_known = true;
        if (!is_known) powers.push_back({symbol, power});
    }
    Unit result;
    Text above, below;
    int count = 0;
    for (const Power &one : powers) {
        if (!one.power) continue;
        if (std::abs(one.power) > 9) return false;
        ++count;
        const Symbol &symbol = symbols[one.symbol];
        const int size_of_power = std::abs(one.power);
        const double power = std::pow(symbol.factor, size_of_power);
        result.factor = one.power > 0 ? result.factor * power : result.factor / power;
        result.dimension.metre += one.power * symbol.dimension.metre;
        result.dimension.second += one.power * symbol.dimension.second;
        result.dimension.newton += one.power * symbol.dimension.newton;
        Text &side = one.power > 0 ? above : below;
        if (one.power < 0) side << "/";
        else if (!side.empty()) side << ".";
        side << symbol.name;
        if (size_of_power != 1) side << size_of_power;
    }
    if (!count) return false;
    if (above.empty()) above << "1";
    result.name << above << below;
    unit = result;
    return true;
}

inline UnitFound require_unit(const Span &text, const Dimension &dimension) {
    UnitFound found;
    found.is_found = unit_of_text(text, found.unit) && found.unit.dimension == dimension;
    if (found.is_found) return found;
    found.problem << repr(text) << " is not a known unit of ";
    for (const Quantity &quantity : quantities)
        if (quantity.dimension == dimension) found.problem << quantity.name << ", such as " << quantity.usual;
    return found;
}

// What stands in brackets, in order, without them.
inline Spans bracketed_texts(const Span &text) {
    Spans found;
    for (const char *at = text.begin; at < text.end;) {
        const char *end = nullptr;
        if (*at == '[' || *at == '{') {
            end = static_cast<const char *>(std::memchr(at, *at == '[' ? ']' : '}', std::size_t(text.end - at)));
        } else if (*at == '(') {
            for (const char *c = at + 1; c < text.end; ++c) {
                if (*c == ')') {
                    end = c;
                    break;
                }
                if (*c != '(') continue;
                do ++c;
                while (c < text.end && *c != '(' && *c != ')');
                if (c == text.end || *c == '(') break;
            }
        }
        if (end) found.push_back(without_blanks({at + 1, end}));
        at = end ? end + 1 : at + 1;
    }
    return found;
}

inline void add_of_dimension(Units &units, const Span &text, const Dimension &dimension) {
    Unit unit;
    if (!unit_of_text(text, unit) || !(unit.dimension == dimension)) return;
    for (const Unit &one : units)
        if (one == unit) return;
    units.push_back(unit);
}

inline UnitFound only_unit(const Units &units, const Span &text) {
    UnitFound found;
    if (units.size() > 1) {
        found.problem << repr(text) << " names two units, ";
        for (std::size_t i = 0; i < units.size(); ++i) found.problem << (i ? " and " : "") << units[i].name;
    } else if (units.size() == 1) {
        found.is_found = true;
        found.unit = units[0];
    }
    return found;
}

// The unit that the name of a column carries.
inline UnitFound unit_in_name(const Span &name, const Dimension &dimension) {
    Spans bracketed;
    for (const Span &text : bracketed_texts(name))
        if (!text.empty()) bracketed.push_back(text);
    if (!bracketed.empty()) {
        Units known;
        for (const Span &text : bracketed) add_of_dimension(known, text, dimension);
        return known.empty() ? require_unit(bracketed.back(), dimension) : only_unit(known, name);
    }
    UnitFound found;
    int size;
    const auto parts = [&](const char *at) {
        return is_blank(code_at(at, name.end, size)) || (*at && std::strchr("_,;:/-", *at));
    };
    for (const char *at = name.begin;;) {
        found.is_found = unit_of_text({at, name.end}, found.unit) && found.unit.dimension == dimension;
        if (found.is_found) return found;
        while (at < name.end && !parts(at)) code_at(at, name.end, size), at += size;
        if (at == name.end) break;
        while (at < name.end && parts(at)) at += size;
        if (at == name.end) break;
    }
    const Spans words = words_of(name);
    if (words.empty()) return found;
    const Span last = words.back();
    const char *slash = last.end;
    while (slash > last.begin && slash[-1] != '/') --slash;
    if (slash == last.begin || slash - 1 == last.begin) return found;
    const Bytes plain = with_plain_powers({slash, last.end});
    Span below = span_of(plain);
    while (!below.empty() && !is_letter(code_at(before(below.end), below.end, size))) below.end = before(below.end);
    Unit under;
    if (unit_of_text(below, under) && under.dimension == time_dimension && !(dimension == time_dimension))
        return require_unit(last, dimension);
    return found;
}

// The unit of a quantity that free words name.
inline UnitFound unit_in_words(const Span &text, const Dimension &dimension) {
    Units known;
    for (const Span &one : bracketed_texts(text)) add_of_dimension(known, one, dimension);
    int size;
    for (const char *at = text.begin; at < text.end;) {
        const char *end = nullptr;
        if (is_edge(text, at))
            for (const char *word : {"in", "units of", "unit of", "units", "unit"}) {
                const Span rest(at, text.end);
                const std::size_t length = std::strlen(word);
                if (rest.size() < length || !same_but_case({at, at + length}, word)) continue;
                if (!is_edge(text, at + length)) continue;
                end = at + length;
                break;
            }
        if (!end) {
            code_at(at, text.end, size);
            at += size;
            continue;
        }
        while (end < text.end && (is_blank(code_at(end, text.end, size)) || *end == ':' || *end == '=')) end += size;
        const char *const begin = end;
        while (end < text.end && !is_blank(code_at(end, text.end, size)) && *end != ',' && *end != ';') end += size;
        if (end > begin) add_of_dimension(known, {begin, end}, dimension);
        at = end > begin ? end : begin;
    }
    for (const Span &word : words_of(text)) {
        const Span one = stripped(word, ",;:.");
        bool is_composed = false;
        for (const char *at = one.begin; at < one.end && !is_composed; at += size) {
            const bool is_part = is_word(code_at(at, one.end, size));
            const Span rest(at + size, one.end);
            if (!is_part || rest.empty()) continue;
            is_composed = *rest.begin == '/' || *rest.begin == '^' || is_digit(*rest.begin) ||
                          rest.starts_with("²") || rest.starts_with("⁻");
        }
        if (is_composed) add_of_dimension(known, one, dimension);
    }
    return only_unit(known, text);
}
