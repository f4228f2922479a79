// Points of a record, out of a text or a file: wearmodel/models/accelerogram.py and table_header.py.
#pragma once
#include "units.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#ifdef _WIN32
extern "C" __declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned, unsigned long, const char *, int,
                                                                  wchar_t *, int);
extern "C" __declspec(dllimport) std::FILE *_wfopen(const wchar_t *, const wchar_t *);
#endif

struct Points {
    std::vector<double> times, values;
    Text source, unit;
    std::vector<int> lines; // empty where the source has none
};

// Whether so many bytes can be had. Containers cannot say that they got none: it is asked before.
inline bool has_room(std::size_t size) {
    void *volatile const place = std::malloc(size + 1); // a compiler may leave out what nobody looks at
    std::free(place);
    return place;
}
static constexpr const char *no_room = "there is not enough memory";

// What reading a text takes at most: of each byte, row and cell, while containers grow.
inline std::size_t room_for(const Span &text) {
    std::size_t rows = 1, cells = 1;
    for (const char *at = text.begin; at < text.end; ++at) {
        const bool ends_row = *at >= 10 && *at <= 13;
        rows += ends_row;
        cells += ends_row || *at == ';' || *at == ',' || *at == ' ' || *at == '\t';
    }
    return 4 * text.size() + 256 * rows + 192 * cells;
}

// All bytes of a file; false leaves the reason. A device or a pipe may have no end.
inline bool read_file(const char *path, Bytes &content, Text &problem) {
#ifdef _WIN32
    std::vector<wchar_t> wide(std::strlen(path) + 1);
    MultiByteToWideChar(65001, 0, path, -1, wide.data(), int(wide.size()));
    struct _stat64 status = {};
    const bool is_there = _wstat64(wide.data(), &status) == 0;
    const bool is_device = is_there && (status.st_mode & _S_IFMT) != _S_IFREG && !(status.st_mode & _S_IFDIR);
    std::FILE *const file = is_device ? nullptr : _wfopen(wide.data(), L"rb");
#else
    struct stat status = {};
    const bool is_there = stat(path, &status) == 0;
    const bool is_device = is_there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    std::FILE *const file = is_device ? nullptr : std::fopen(path, "rb");
#endif
    if (is_device) {
        problem << " cannot be read: it is no regular file";
        return false;
    }
    int failure = file ? 0 : errno;
    if (file && !has_room(4 * std::size_t(status.st_size))) failure = ENOMEM;
    char block[65536];
    while (file && !failure) {
        errno = 0;
        const std::size_t count = std::fread(block, 1, sizeof block, file);
        content.insert(content.end(), block, block + count);
        if (std::ferror(file)) failure = errno ? errno : EIO;
        if (count < sizeof block) break;
    }
    if (file) std::fclose(file);
    if (failure) problem << " cannot be read: " << std::strerror(failure);
    return !failure;
}

// What all readers of a table's text share: its marks and cells, the rows of names and units above
// its numbers, the head of PEER's AT2 files.
class TableText {
  public:
    Text problem; // of the last text or file that could not be read

    TableText() = default;
    TableText(const TableText &) = delete;
    ~TableText() {
        for (Bytes *one : made_) delete one;
    }

  protected:
    using Marks = Spans;
    struct At2Head {
        std::size_t line_count = 0; // 0: it is no AT2 file
        Span count, step;
        double interval = 0;
    };
    Text source_;
    std::vector<Spans> header_;
    std::size_t column_count_ = 0;
    Span remark_;
    Bytes words_; // that named the last unit found

    Span keep(Bytes text) {
        made_.push_back(new Bytes(std::move(text)));
        return span_of(*made_.back());
    }

    // The mark of Excel's first line `sep=X`.
    static bool declares_mark(const Span &line, Span &mark) {
        const Span text = stripped(line, "\r\n\"");
        if (text.size() < 5 || !same_but_case({text.begin, text.begin + 4}, "sep=")) return false;
        mark = {text.begin + 4, text.end};
        int size;
        code_at(mark.begin, mark.end, size);
        return std::size_t(size) == mark.size() && !(mark == Span(" "));
    }

    // The first of some marks that a line holds; an empty one for blanks.
    static Span mark_in(const Span &line, const Marks &marks) {
        for (const Span &mark : marks)
            if (line.find(mark)) return mark;
        return {};
    }

    static bool is_header(const Spans &cells) {
        double number;
        for (const Span &cell : cells) {
            const Bytes plain = with_replaced(cell, ",", ".");
            if (number_of(span_of(plain), number)) return false;
        }
        return true;
    }

    Spans cells_of(const Span &line, const Span &mark) {
        Spans cells;
        if (!mark.empty() && line.find("\"")) return quoted_cells(line, mark);
        for (const Span &part : mark.empty() ? words_of(line) : split(line, mark))
            cells.push_back(stripped(without_blanks(part), "\""));
        return cells;
    }

    enum Ending { whole_end, cut_end, unknown_end };

    // Whether the last line, which no end of line follows, is all of it: `ending` of
    // wearmodel/models/table_header.py. `before` are the rows of numbers before it.
    Ending ending(const Span &last, const Spans &before, const Span &mark) {
        const Spans cells = cells_of(without_blanks(last), mark);
        const Span own = cells.empty() ? Span() : cells.back();
        long decimals = -1, exponent = -1;
        bool are_alike = before.size() >= 8;
        for (const Span &row : before) {
            const Spans others = cells_of(without_blanks(row), mark);
            const Span cell = others.empty() ? Span() : others.back();
            if (&row == &before.back() &&
                (cells.size() < others.size() || (!cell.empty() && own.empty())))
                return cut_end;
            long of_row, power;
            are_alike = are_alike && form_of(cell, of_row, power);
            if (!are_alike) continue;
            if (&row == &before.front()) decimals = of_row, exponent = power;
            are_alike = of_row == decimals && power == exponent;
        }
        if (last.empty() || without_blanks(last).end != last.end) return whole_end;
        if (!mark.empty() && last.size() >= mark.size() && Span(last.end - mark.size(), last.end) == mark)
            return whole_end;
        if (!are_alike) return unknown_end;
        long own_decimals, own_exponent;
        if (!form_of(own, own_decimals, own_exponent) || own_decimals != decimals || own_exponent != exponent)
            return cut_end;
        return decimals || exponent ? whole_end : unknown_end;
    }

    // How long decimals (with their mark) and exponent (without its sign) of a number are.
    static bool form_of(const Span &cell, long &decimals, long &exponent) {
        const char *at = cell.begin;
        const auto digits = [&] {
            while (at < cell.end && *at >= '0' && *at <= '9') ++at;
        };
        decimals = exponent = 0;
        if (at < cell.end && (*at == '-' || *at == '+')) ++at;
        digits();
        const char *from = at;
        if (at < cell.end && (*at == '.' || *at == ',')) {
            ++at;
            digits();
            decimals = at - from;
        }
        if (at < cell.end && (*at == 'e' || *at == 'E')) {
            from = ++at;
            if (at < cell.end && (*at == '-' || *at == '+')) from = ++at;
            digits();
            exponent = at - from + 1;
        }
        return !cell.empty() && at == cell.end;
    }

    // What stands in quotation marks is one cell.
    Spans quoted_cells(const Span &line, const Span &mark) {
        Spans cells;
        enum { start, plain, quoted, after_quote } state = start;
        Bytes cell;
        const auto end = [&] {
            cells.push_back(without_blanks(keep(cell)));
            cell.clear();
            state = start;
        };
        for (const char *at = line.begin; at < line.end;) {
            const bool is_mark = Span(at, line.end).starts_with(mark);
            const std::size_t size = is_mark ? mark.size() : 1;
            if (state == quoted) {
                if (*at == '"') state = after_quote;
                else cell.push_back(*at);
                ++at;
                continue;
            }
            if (state == after_quote && *at == '"') {
                cell.push_back('"');
                state = quoted;
            } else if (state == start && *at == '"') state = quoted;
            else if (state == start && *at == ' ') {
            } else if (is_mark) end();
            else {
                cell.push_back(*at);
                state = plain;
            }
            at += size;
        }
        end();
        return cells;
    }

    // The cells of a row of names; blanks within a name are told by brackets and units.
    Spans header_cells(const Span &line, const Span &mark) {
        const Spans cells = cells_of(line, mark);
        if (!mark.empty() || cells.size() == column_count_) return cells;
        const Bytes all = joined(words_of(line));
        for (const Spans &whole : {joined_cells(line), bracketed_cells(line)}) {
            if (whole.size() != column_count_) continue;
            const Bytes once = joined(whole);
            const Bytes again = joined(words_of(span_of(once)));
            if (span_of(again) == span_of(all)) return whole;
        }
        return cells;
    }

    Spans joined_cells(const Span &line) {
        Spans cells;
        int size;
        Unit unit;
        for (const char *at = line.begin; at < line.end;) {
            while (at < line.end && is_blank(code_at(at, line.end, size))) at += size;
            const char *const begin = at;
            while (at < line.end && !is_blank(code_at(at, line.end, size))) {
                const char *end = nullptr;
                if (*at == '[' || *at == '(')
                    end = static_cast<const char *>(
                        std::memchr(at, *at == '[' ? ']' : ')', std::size_t(line.end - at)));
                at = end ? end + 1 : at + size;
            }
            if (at == begin) break;
            const Span cell(begin, at);
            if (!cells.empty() && (std::strchr("[({", *begin) || unit_of_text(cell, unit))) {
                Bytes longer(cells.back().begin, cells.back().end);
                longer.push_back(' ');
                add(longer, cell);
                cells.back() = keep(longer);
            } else cells.push_back(cell);
        }
        return cells;
    }

    static Spans bracketed_cells(const Span &line) {
        Spans cells;
        int size;
        const auto closes = [](char c) { return c == ']' || c == ')' || c == '}'; };
        const char *begin = line.begin;
        for (const char *at = begin; at < line.end;) {
            if (!closes(*at)) {
                ++at;
                continue;
            }
            while (at < line.end && closes(*at)) ++at;
            if (at < line.end && !is_blank(code_at(at, line.end, size))) continue;
            cells.push_back(without_blanks({begin, at}));
            begin = at;
        }
        return cells;
    }

    // -- PEER's AT2 files -----------------------------------------------------------------------

    // What the words above the values of an AT2 file say; false where it is one, but not of
    // accelerations in g.
    bool read_at2_head(const Spans &lines, At2Head &head) {
        for (std::size_t i = 0; i < lines.size() && i < 4; ++i) {
            if (!names_points(lines[i], head.count, head.step)) continue;
            Bytes said;
            for (std::size_t j = 0; j <= i; ++j) {
                if (j) said.push_back(' ');
                add(said, lines[j]);
            }
            for (char &c : said) c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
            if (!span_of(said).find("ACCELERATION TIME") || !says_units_of_g(span_of(said))) {
                const std::size_t at = i > 1 ? i : 1;
                problem << source_ << ", line " << int(at) << ": " << repr(without_blanks(lines[at - 1]))
                        << " must say 'ACCELERATION TIME SERIES IN UNITS OF G', as a PEER .AT2 file does";
                return false;
            }
            if (!number_of(head.step, head.interval)) {
                problem << "could not convert string to float: " << repr(head.step);
                return false;
            }
            static const Spans names{"time", "acceleration"}, units{"s", "g"};
            header_ = {names, units};
            column_count_ = 2;
            head.line_count = i + 1;
            return true;
        }
        return true;
    }

    bool has_count_of(const At2Head &head, std::size_t count) {
        const Span wanted = without_leading_zeros(head.count);
        Text number;
        number << int(count);
        if (Span(number.data()) == wanted) return true;
        problem << source_ << ": has " << int(count) << " values and must have NPTS=" << wanted;
        return false;
    }

    static Span without_leading_zeros(Span digits) {
        while (digits.size() > 1 && *digits.begin == '0') ++digits.begin;
        return digits;
    }

    static bool says_units_of_g(const Span &text) {
        Span rest = text;
        while (const char *at = rest.find("UNITS")) {
            rest.begin = at + 5;
            const char *c = rest.begin;
            if (!skip_blanks(c, text.end) || !take(c, text.end, "OF") || !skip_blanks(c, text.end)) continue;
            if (take(c, text.end, "G") && is_edge(text, c)) return true;
        }
        return false;
    }

    // "NPTS=  4000, DT=   .0050 SEC", and in older files "4000    .0050    NPTS, DT".
    static bool names_points(const Span &line, Span &count, Span &step) {
        for (const char *at = line.begin; at < line.end; ++at) {
            const char *c = at;
            if (!take(c, line.end, "NPTS")) continue;
            skip_blanks(c, line.end);
            if (!take(c, line.end, "=")) continue;
            skip_blanks(c, line.end);
            if (!take_digits(c, line.end, count)) continue;
            skip_blanks(c, line.end);
            take(c, line.end, ",");
            skip_blanks(c, line.end);
            if (!take(c, line.end, "DT")) continue;
            skip_blanks(c, line.end);
            if (!take(c, line.end, "=")) continue;
            skip_blanks(c, line.end);
            if (take_step(c, line.end, step)) return true;
        }
        const char *c = line.begin;
        skip_blanks(c, line.end);
        if (!take_digits(c, line.end, count) || !skip_blanks(c, line.end) || !take_step(c, line.end, step) ||
            !skip_blanks(c, line.end) || !take(c, line.end, "NPTS"))
            return false;
        skip_blanks(c, line.end);
        if (!take(c, line.end, ",")) return false;
        skip_blanks(c, line.end);
        return take(c, line.end, "DT");
    }

    static bool skip_blanks(const char *&at, const char *end) {
        const char *const begin = at;
        int size;
        while (at < end && is_blank(code_at(at, end, size))) at += size;
        return at > begin;
    }
    static bool take(const char *&at, const char *end, const char *word) {
        const std::size_t length = std::strlen(word);
        if (std::size_t(end - at) < length || !same_but_case({at, at + length}, word)) return false;
        at += length;
        return true;
    }
    static bool take_digits(const char *&at, const char *end, Span &digits) {
        const char *const begin = at;
        while (at < end && is_digit(*at)) ++at;
        digits = {begin, at};
        return at > begin;
    }
    static bool take_step(const char *&at, const char *end, Span &step) {
        const char *const begin = at;
        while (at < end && (is_digit(*at) || *at == '.')) ++at;
        if (at == begin) return false;
        const char *power = at;
        if (power < end && lower(*power) == 'e') {
            ++power;
            if (power < end && (*power == '+' || *power == '-')) ++power;
            Span digits;
            if (take_digits(power, end, digits)) at = power;
        }
        step = {begin, at};
        return true;
    }

    // -- units above the columns ------------------------------------------------------------------

    // What is there and cannot be understood is a problem, never passed over.
    UnitFound unit_above(int column, const Dimension &dimension) {
        std::vector<std::pair<Unit, Span>> found;
        int row_number = 0;
        for (const Spans &row : header_) {
            if (row.size() != column_count_) continue;
            const Span text = row[std::size_t(column - 1)];
            UnitFound one;
            if (row_number++ == 0) one = unit_in_name(text, dimension);
            else {
                Bytes bare;
                for (const Span &part : bracketed_texts(text)) add(bare, part);
                if (bare.empty()) add(bare, text);
                if (!bare.empty()) one = require_unit(span_of(bare), dimension);
            }
            if (!one.problem.empty()) {
                problem << source_ << ", column " << column << " " << repr(text) << ": " << one.problem;
                return one;
            }
            if (one.is_found) found.push_back({one.unit, text});
        }
        UnitFound result;
        if (found.size() > 1 && !(found[0].first == found[1].first)) {
            problem << source_ << ", column " << column << ": " << repr(found[0].second) << " and "
                    << repr(found[1].second) << " name two units";
            result.problem = problem;
            return result;
        }
        if (!found.empty()) {
            result.is_found = true;
            result.unit = found[0].first;
            words_ = Bytes(found[0].second.begin, found[0].second.end);
            return result;
        }
        for (const Spans &row : header_) {
            bool is_torn = row.size() != column_count_;
            for (const Span &cell : row) is_torn = is_torn || cell.empty();
            if (!is_torn) continue;
            // Cells with one blank between, empty ones too.
            Bytes text;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (i) text.push_back(' ');
                add(text, row[i]);
            }
            result = unit_in_words(span_of(text), dimension);
            words_ = std::move(text);
            if (result.is_found || !result.problem.empty()) break;
        }
        if (!result.is_found && result.problem.empty()) {
            result = unit_in_words(remark_, dimension);
            words_ = Bytes(remark_.begin, remark_.end);
        }
        if (!result.problem.empty()) problem = result.problem;
        return result;
    }

  private:
    std::vector<Bytes *> made_; // texts that no file holds; cells point into them
};

class PointReader : public TableText {
  public:
    // Points written as `time value; time value; …`.
    bool read_text(const char *given, Points &points) {
        points.source << "table";
        Span text(given);
        if (!has_room(room_for(text))) {
            problem << "table: " << no_room;
            return false;
        }
        while (!text.empty() && std::strchr("; \n", text.end[-1])) --text.end;
        int count = 0;
        for (const Span &point : split(text, ";")) {
            ++count;
            const Spans words = words_of(point);
            if (words.size() != 2) {
                problem << "table, point " << count << ": " << repr(point) << " must be a time and a value";
                return false;
            }
            for (int i = 0; i < 2; ++i) {
                double number = NAN;
                if (!number_of(words[i], number) || !std::isfinite(number)) {
                    problem << "table, point " << count << ": " << repr(words[i]) << " must be a finite number";
                    return false;
                }
                (i ? points.values : points.times).push_back(number);
            }
        }
        return holds(points);
    }

    // Points of a file, its time in column 1, in s and m/s2.
    bool read_path(const char *path, int column, Points &points) {
        if (!*path) {
            problem << "file='' must be the path of a file with a time and a value column";
            return false;
        }
        source_ << "file=" << repr(path);
        Bytes content;
        Text reason;
        if (!read_file(path, content, reason)) {
            problem << source_ << reason;
            return false;
        }
        Span text = span_of(content);
        if (!has_room(room_for(text))) {
            problem << source_ << " cannot be read: " << std::strerror(ENOMEM);
            return false;
        }
        if (!is_utf8(text)) {
            problem << source_ << " is not UTF-8 text: save it as such";
            return false;
        }
        if (text.starts_with("\xEF\xBB\xBF")) text.begin += 3;
        if (!read_table(text)) return false;
        points.source = source_;
        for (const Row &row : rows_) points.lines.push_back(row.line);
        if (!read_column(1, points.times) || !read_column(column, points.values)) return false;
        if (!holds(points)) return false;
        const UnitFound time = unit_above(1, time_dimension);
        if (!time.problem.empty()) return false;
        const UnitFound value = unit_above(column, acceleration_dimension);
        if (!value.problem.empty()) return false;
        for (double &one : points.times) one *= time.is_found ? time.unit.factor : 1.0;
        for (double &one : points.values) one *= value.is_found ? value.unit.factor : 1.0;
        if (value.is_found) points.unit = value.unit.name;
        return holds(points);
    }

  private:
    struct Row {
        int line;
        Spans cells;
    };
    std::vector<Row> rows_;

    bool holds(const Points &points) {
        const std::size_t count = points.times.size();
        if (count < 2) {
            problem << points.source << " has " << int(count) << " point(s); it must have ≥ 2";
            return false;
        }
        for (std::size_t i = 1; i < count; ++i) {
            const double earlier = points.times[i - 1], later = points.times[i];
            if (later > earlier) continue;
            problem << points.source << ", ";
            if (points.lines.empty()) problem << "point " << int(i + 1);
            else problem << "line " << points.lines[i];
            problem << ": time " << later << " s must be > " << earlier << " s, the one before";
            return false;
        }
        return true;
    }

    bool read_column(int column, std::vector<double> &numbers) {
        for (const Row &row : rows_) {
            if (int(row.cells.size()) < column) {
                problem << source_ << ", line " << row.line << ": has " << int(row.cells.size())
                        << " column(s) and must have column " << column;
                return false;
            }
            const Span cell = row.cells[std::size_t(column - 1)];
            double number = NAN;
            const Bytes plain = with_replaced(cell, ",", ".");
            if (!number_of(span_of(plain), number) || !std::isfinite(number)) {
                problem << source_ << ", line " << row.line << ": " << repr(without_blanks(cell))
                        << " must be a finite number";
                return false;
            }
            numbers.push_back(number);
        }
        return true;
    }

    // -- the table --------------------------------------------------------------------------------

    bool read_table(const Span &text) {
        const Spans lines = lines_of(text);
        bool is_at2 = false;
        if (!read_at2(text, lines, is_at2)) return false;
        if (is_at2) return true;
        Marks marks{";", "\t", ","};
        std::vector<std::pair<int, Span>> texts;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Span line = without_blanks(lines[i]);
            if (!line.empty()) texts.push_back({int(i) + 1, line});
        }
        std::size_t first = 0;
        Span mark;
        if (!lines.empty() && declares_mark(lines[0], mark)) {
            marks = {mark};
            if (!texts.empty()) ++first;
        }
        Spans names;
        for (; first < texts.size(); ++first) {
            const Span line = texts[first].second;
            if (*line.begin == '#') remark_ = stripped(line, "# \t");
            else if (names.size() < 2 && is_header(cells_of(line, mark_in(line, marks)))) {
                names.push_back(line);
                remark_ = Span();
            } else break;
        }
        const Span delimiter = first < texts.size() ? mark_in(texts[first].second, marks) : Span();
        Spans kept;
        for (std::size_t i = first; i < texts.size(); ++i)
            if (*texts[i].second.begin != '#') {
                rows_.push_back({texts[i].first, cells_of(texts[i].second, delimiter)});
                kept.push_back(texts[i].second);
            }
        const bool is_open = !rows_.empty() && rows_.back().line == int(lines.size()) && !ends_line(text);
        if (is_open && !is_whole_row(lines.back(), kept, delimiter)) return false;
        column_count_ = rows_.empty() ? 0 : rows_[0].cells.size();
        for (const Span &line : names) header_.push_back(header_cells(line, mark_in(line, marks)));
        const Spans remarked = header_cells(remark_, mark_in(remark_, marks));
        if (rows_.empty() || remark_.empty() || remarked.size() != column_count_ || !is_header(remarked)) return true;
        Unit unit;
        bool is_row = header_.empty();
        for (const Span &cell : remarked) is_row = is_row || unit_of_text(cell, unit);
        if (is_row) {
            header_.push_back(remarked);
            remark_ = Span();
        }
        return true;
    }

    bool read_at2(const Span &text, const Spans &lines, bool &is_at2) {
        At2Head head;
        if (!read_at2_head(lines, head)) return false;
        is_at2 = head.line_count > 0;
        if (!is_at2) return true;
        for (std::size_t i = head.line_count; i < lines.size(); ++i)
            for (const Span &value : words_of(lines[i])) {
                Text time;
                time << double(rows_.size()) * head.interval;
                const Span instant(time.data());
                rows_.push_back({int(i) + 1, {keep(Bytes(instant.begin, instant.end)), value}});
            }
        if (!has_count_of(head, rows_.size())) return false;
        if (rows_.empty() || rows_.back().line != int(lines.size())) return true;
        const Span last = rows_.back().cells[1];
        Spans kept;
        for (const Row &row : rows_) kept.push_back(row.cells[1]);
        return last.end != lines.back().end || ends_line(text) || is_whole_row(last, kept, Span());
    }

    static bool ends_line(const Span &text) {
        return !text.empty() && (text.end[-1] == '\n' || text.end[-1] == '\r');
    }

    // Whether the last of these rows is not cut.
    bool is_whole_row(const Span &last, Spans kept, const Span &delimiter) {
        kept.pop_back();
        const std::size_t seen = 999;
        if (kept.size() > seen) kept.erase(kept.begin(), kept.end() - long(seen));
        if (ending(last, kept, delimiter) != cut_end) return true;
        problem << source_ << " ends in the middle of its last line, " << repr(tail_of(last)) << ": it is cut";
        return false;
    }

    // The last 40 characters.
    static Span tail_of(const Span &text) {
        const char *begin = text.end;
        for (int count = 0; begin > text.begin && count < 40; ++count)
            do --begin;
            while (begin > text.begin && (*begin & 0xC0) == 0x80);
        return {begin, text.end};
    }
};
