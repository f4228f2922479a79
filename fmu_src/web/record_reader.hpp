// A recorded shaking out of the text of a file, for a web page: the rules of `wearfmu run --input`,
// which are those of harness/records/table.py, table_head.py and harness/shaking.
//
// The texts are theirs too, so that both can be compared. Columns are taken by number, not by name.
#pragma once
#include "points.hpp"
#include <algorithm>
#include <complex>

struct RecordWishes {
    int time_column = 0, acceleration_column = 0; // from 1; 0: the usual one
    int normal_column = 0; // 0: none
    const char *unit = ""; // empty: what the header says
    double interval = 0; // s, of a file of values alone; 0: it has times
    double scale = 1; // on all accelerations, beside their unit's factor
    bool remove_mean = false;
};

class RecordReader : public TableText {
  public:
    std::vector<double> times, acceleration, normal_acceleration;
    Bytes understood, warnings, names; // lines, ended by a zero
    Text unit_name; // of the acceleration in the file
    int time_number = 0, acceleration_number = 0;

    bool read(Span text, const char *name, const char *encoding, const RecordWishes &wishes) {
        source_ << name;
        if (text.starts_with("\xEF\xBB\xBF")) text.begin += 3;
        const bool is_open = !text.empty() && text.end[-1] != '\n' && text.end[-1] != '\r';
        const bool is_read = read_head(file_lines(text), wishes) && (!is_open || has_whole_end(text)) &&
                             read_columns(wishes, encoding);
        for (Bytes *lines : {&understood, &warnings, &names}) lines->push_back(0);
        return is_read;
    }

  private:
    struct Column {
        int number;
        Span name;
        Unit unit;
        Bytes because;
    };
    static constexpr std::size_t most_head_lines = 10000, most_shown = 40;
    static constexpr double standard_gravity = 9.80665;
    static constexpr const char *form =
        "above the rows of numbers there may be a row of names and one of units, or other lines of text, "
        "which are skipped";
    Spans lines_;
    Bytes left_out_; // the last line, where it may be cut
    std::size_t first_ = 0; // line where the numbers begin
    Span separator_; // empty: blanks
    Spans skipped_;
    At2Head at2_;
    double interval_ = 0;

    // Lines as Python's files have them.
    static Spans file_lines(const Span &text) {
        Spans lines;
        for (const char *at = text.begin; at < text.end;) {
            const char *const begin = at;
            while (at < text.end && *at != '\n' && *at != '\r') ++at;
            lines.push_back({begin, at});
            if (at + 1 < text.end && *at == '\r' && at[1] == '\n') ++at;
            if (at < text.end) ++at;
        }
        return lines;
    }

    static bool holds_numbers(const Span &line) {
        const Span bare = without_blanks(line);
        return !bare.empty() && *bare.begin != '#';
    }

    static Span shortened(const Span &text) {
        const char *at = text.begin;
        int size;
        for (std::size_t i = 0; i < most_shown && at < text.end; ++i) code_at(at, text.end, size), at += size;
        return {text.begin, at};
    }

    // The number in a cell; a Boolean is 1 or 0.
    static bool cell_number(const Span &cell, bool has_decimal_comma, double &number) {
        const Span text = without_blanks(cell);
        for (const bool value : {false, true})
            if (same_but_case(text, value ? "true" : "false")) {
                number = value;
                return true;
            }
        if (!has_decimal_comma || !std::memchr(text.begin, ',', text.size())) return number_of(text, number);
        const Bytes plain = with_replaced(text, ",", ".");
        return number_of(span_of(plain), number);
    }

    static bool is_number(const Span &cell) {
        double number;
        return cell_number(cell, true, number);
    }

    bool has_numbers_alone(const Span &line, const Span &separator) {
        int filled = 0;
        for (const Span &cell : cells_of(line, separator)) {
            if (cell.empty()) continue;
            if (!is_number(cell)) return false;
            ++filled;
        }
        return filled > 0;
    }

    static const Marks &usual_marks() {
        static const Marks marks{";", "\t", "|", ","};
        return marks;
    }

    // -- the head ----------------------------------------------------------------------------------------

    bool read_head(const Spans &lines, const RecordWishes &wishes) {
        lines_ = lines;
        Spans head(lines.begin(), lines.begin() + long(std::min(lines.size(), most_head_lines)));
        if (!read_at2_head(head, at2_)) return false;
        if (at2_.line_count) {
            if (wishes.interval > 0) {
                problem << source_ << " says its interval itself, " << general(at2_.interval, 6)
                        << " s: leave out --dt";
                return false;
            }
            interval_ = at2_.interval;
            first_ = at2_.line_count;
            return true;
        }
        Span declared;
        const bool declares = !head.empty() && declares_mark(head[0], declared);
        if (declares) head[0] = Span();
        if (!find_beginning(head, declares ? Marks{declared} : Marks{})) {
            problem << source_ << " has no row of numbers; " << form;
            return false;
        }
        const Spans cells = cells_of(without_blanks(head[first_]), separator_);
        if (!is_whole(head, cells, wishes.interval)) return false;
        column_count_ = cells.size();
        read_rows_above(Spans(head.begin(), head.begin() + long(first_)), cells);
        if (wishes.interval > 0) {
            // Column 1 is the time, which the file does not hold.
            interval_ = wishes.interval;
            separator_ = Span(",");
            if (header_.size() > 2) header_.resize(2);
            for (std::size_t i = 0; i < header_.size(); ++i)
                header_[i].insert(header_[i].begin(), i ? Span("s") : Span("time"));
            column_count_ = 2;
        }
        return true;
    }

    // Where the rows of numbers begin, and what separates their columns.
    bool find_beginning(const Spans &lines, const Marks &declared) {
        std::vector<std::pair<std::size_t, Span>> content;
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (holds_numbers(lines[i])) content.push_back({i, without_blanks(lines[i])});
        for (std::size_t index = 0; index < content.size(); ++index) {
            const Span line = content[index].second;
            separator_ = separator_of(line, declared);
            if (!has_numbers_alone(line, separator_)) continue;
            // A row directly above that begins with a number, or has one and as many cells, must not be
            // skipped.
            const std::size_t count = cells_of(line, separator_).size();
            while (index && count > 1) {
                const Spans above = cells_of(content[index - 1].second, separator_);
                const bool has_number = std::any_of(above.begin(), above.end(), is_number);
                const bool is_alike = !separator_.empty() && above.size() == count && has_number;
                if (!is_alike && !(above.size() > 1 && is_number(above[0]))) break;
                --index;
            }
            first_ = content[index].first;
            return true;
        }
        for (std::size_t i = 0; i + 1 < content.size(); ++i) {
            const Span separator = separator_of(content[i].second, declared);
            std::vector<bool> patterns[2];
            for (std::size_t k = 0; k < 2; ++k)
                for (const Span &cell : cells_of(content[i + k].second, separator)) patterns[k].push_back(is_number(cell));
            const auto &pattern = patterns[0];
            const bool has_number = std::find(pattern.begin(), pattern.end(), true) != pattern.end();
            if (pattern != patterns[1] || !has_number || pattern.size() < 2) continue;
            first_ = content[i].first;
            separator_ = separator;
            return true;
        }
        return false;
    }

    // The first mark that leaves numbers alone.
    Span separator_of(const Span &line, const Marks &declared) {
        Marks found;
        for (const Span &mark : declared.empty() ? usual_marks() : declared)
            if (line.find(mark)) found.push_back(mark);
        for (const Span &mark : found)
            if (has_numbers_alone(line, mark)) return mark;
        if (declared.empty() && has_numbers_alone(line, Span())) return {};
        for (const Span &mark : found) {
            const Spans cells = cells_of(line, mark);
            if (std::any_of(cells.begin(), cells.end(), is_number)) return mark;
        }
        return found.empty() ? Span() : found[0];
    }

    static bool is_whole_number(const Span &text) {
        const char *at = text.begin;
        const auto take_number = [&] {
            if (at < text.end && (*at == '+' || *at == '-')) ++at;
            const char *const begin = at;
            while (at < text.end && is_digit(*at)) ++at;
            return at > begin;
        };
        if (!take_number()) return false;
        if (at == text.end) return true;
        return lower(*at++) == 'e' && take_number() && at == text.end;
    }

    // Refuse what only looks like rows of numbers.
    bool is_whole(const Spans &lines, const Spans &cells, double interval) {
        Text place;
        place << source_ << ", line " << int(first_ + 1);
        if (interval > 0) {
            if (cells.size() == 1) return true;
            problem << place << ": " << repr(shortened(without_blanks(lines[first_])))
                    << " must be one number, with a decimal point, where --dt gives the times";
            return false;
        }
        if (std::count_if(cells.begin(), cells.end(), is_number) < 2) {
            Bytes all;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                if (i) all.push_back(' ');
                add(all, cells[i]);
            }
            problem << place << ": " << repr(shortened(span_of(all)))
                    << " must hold ≥ 2 numbers, a time and a value; " << form
                    << "; for one column of values, `run --input` takes the sampling interval by --dt";
            return false;
        }
        Span last;
        for (std::size_t i = 0; i < first_; ++i)
            if (holds_numbers(lines[i])) last = without_blanks(lines[i]);
        std::size_t name_count = 0, filled_count = 0;
        bool are_whole = true;
        if (!last.empty())
            for (const Span &cell : cells_of(last, separator_)) name_count += !cell.empty();
        for (const Span &cell : cells) {
            if (cell.empty()) continue;
            ++filled_count;
            are_whole = are_whole && is_whole_number(cell);
        }
        if (separator_ != Span(",") || name_count <= 1 || filled_count <= name_count || !are_whole) return true;
        problem << place << ": has " << int(cells.size()) << " cells between commas and the names above it "
                << int(name_count)
                << "; where commas mark decimals, semicolons or tabs must part the columns";
        return false;
    }

    static bool has_word(const Span &line) {
        int size;
        for (const char *at = line.begin; at < line.end; at += size) {
            const auto code = code_at(at, line.end, size);
            if (is_word(code) && code != '_') return true;
        }
        return false;
    }

    // Whether a text begins with one of some words, which ends there.
    static bool begins_with_word(const Span &text, std::initializer_list<const char *> words) {
        const char *at = text.begin;
        int size;
        while (at < text.end && is_word(code_at(at, text.end, size))) at += size;
        for (const char *word : words)
            if (same_but_case({text.begin, at}, word)) return true;
        return false;
    }

    static bool is_code_aster_type(const Span &cell) {
        if (cell == Span("I") || cell == Span("R") || cell == Span("C")) return true;
        if (cell.size() < 2 || *cell.begin != 'K') return false;
        return std::all_of(cell.begin + 1, cell.end, [](char c) { return is_digit(c); });
    }

    void read_rows_above(const Spans &lines, const Spans &cells) {
        Spans texts;
        for (const Span &whole : lines) {
            const Span line = without_blanks(whole);
            if (!line.empty() && *line.begin == '#') remark_ = stripped(line, "# \t");
            else if (has_word(line)) {
                texts.push_back(line);
                remark_ = Span();
            }
        }
        if (texts.size() > 1) {
            const Spans below = cells_above(texts.back(), cells);
            if (!below.empty() && std::all_of(below.begin(), below.end(), is_code_aster_type)) texts.pop_back();
        }
        std::size_t row_count = std::min(texts.size(), std::size_t(2));
        for (std::size_t i = texts.size() - row_count; i < texts.size(); ++i)
            header_.push_back(cells_above(texts[i], cells));
        if (row_count == 2 && std::any_of(header_[1].begin(), header_[1].end(), [](const Span &cell) {
                return begins_with_word(cell, {"t", "time", "times", "temps", "zeit", "tempo", "inst", "instant"});
            })) {
            header_.erase(header_.begin());
            --row_count;
        }
        // A row of units has a cell for each column; what is none is searched for units as a text.
        const std::size_t above_count = texts.size() - row_count;
        skipped_.assign(texts.begin(), texts.begin() + long(above_count));
        for (std::size_t i = 0; i < row_count; ++i)
            if (header_[i].size() != column_count_) skipped_.push_back(texts[above_count + i]);
        const Spans remarked = header_cells(remark_, mark_in(remark_, usual_marks()));
        if (remark_.empty() || remarked.size() != column_count_ || !is_header(remarked)) return;
        Unit unit;
        bool is_row = true;
        for (const Spans &row : header_) is_row = is_row && row.size() != column_count_;
        for (const Span &cell : remarked) is_row = is_row || unit_of_text(cell, unit);
        if (is_row) {
            header_.push_back(remarked);
            remark_ = Span();
        }
    }

    // The cells of a row above the numbers, as many as these have where it can be.
    Spans cells_above(const Span &line, const Spans &cells) {
        Spans found;
        for (const Span &mark : {separator_, mark_in(line, usual_marks())}) {
            found = header_cells(line, mark);
            const std::size_t filled = found.size();
            if (1 < filled && filled < cells.size() &&
                std::all_of(cells.begin() + long(filled), cells.end(), [](const Span &cell) { return cell.empty(); }))
                found.resize(cells.size());
            if (found.size() == cells.size()) break;
        }
        return found;
    }

    // -- the columns -------------------------------------------------------------------------------------

    Spans column_names() {
        Spans found;
        for (const Spans &row : header_)
            if (found.empty() && row.size() == column_count_) found = row;
        found.resize(column_count_);
        for (std::size_t i = 0; i < column_count_; ++i) {
            if (!found[i].empty()) continue;
            Text name;
            name << "column " << int(i + 1);
            found[i] = keep(Bytes(name.data(), name.data() + std::strlen(name.data())));
        }
        return found;
    }

    static Bytes name_without_unit(const Span &name, const Dimension &dimension) {
        int size;
        const auto is_part = [&](const char *at) {
            return is_blank(code_at(at, name.end, size)) || (*at && std::strchr("_,;:/-", *at));
        };
        for (const char *at = name.begin; at < name.end;) {
            // What follows a mark, the longest first; not the name itself.
            while (at < name.end && !is_part(at)) at += size;
            const char *const mark = at;
            while (at < name.end && is_part(at)) at += size;
            if (at == name.end || at == mark) break;
            Unit unit;
            if (!unit_of_text({at, name.end}, unit) || !(unit.dimension == dimension)) continue;
            Bytes plain;
            bool was_part = false;
            for (const char *c = name.begin; c < at; c += size) {
                const bool part = is_part(c);
                if (part && !was_part) plain.push_back(' ');
                if (!part) plain.insert(plain.end(), c, c + size);
                was_part = part;
            }
            const Span bare = without_blanks(span_of(plain));
            return Bytes(bare.begin, bare.end);
        }
        return Bytes(name.begin, name.end);
    }

    static bool is_usual(const Span &name, const Dimension &dimension) {
        const Bytes bare = name_without_unit(without_blanks(name), dimension);
        const Bytes folded = with_replaced(span_of(bare), "É", "é");
        if (dimension == time_dimension)
            return begins_with_word(span_of(folded), {"t", "time", "times", "temps", "zeit", "tempo", "instant"});
        return begins_with_word(span_of(folded), {"a", "acc", "accel", "accélération", "acceleration",
                                                  "beschleunigung", "base_acceleration"});
    }

    // Number of a column: the one wanted, else by a usual name, else the default; 0: refused.
    int number(const Spans &names, int wanted, const Dimension &dimension, int standard, const char *role) {
        if (wanted > 0) {
            if (wanted <= int(names.size())) return wanted;
            problem << role << ": no column " << wanted << " among " << int(names.size());
            return 0;
        }
        for (const Span &name : names) {
            if (!is_usual(name, dimension)) continue;
            std::vector<int> numbers;
            for (std::size_t i = 0; i < names.size(); ++i)
                if (names[i] == name) numbers.push_back(int(i + 1));
            if (numbers.size() == 1) return numbers[0];
            problem << role << ": column " << repr(name) << " occurs " << int(numbers.size())
                    << " times and must be taken by its number, one of ";
            for (std::size_t i = 0; i < numbers.size(); ++i) problem << (i ? ", " : "") << numbers[i];
            return 0;
        }
        return standard;
    }

    // The unit that the header gives a column, and its words; else SI, assumed.
    bool said_unit(Column &column, const Dimension &dimension) {
        const UnitFound found = unit_above(column.number, dimension);
        if (!found.problem.empty()) return false;
        if (found.is_found) {
            Text words;
            words << "the header says " << repr(span_of(words_));
            column.because = bytes_of(words);
            column.unit = found.unit;
        } else {
            column.because = bytes_of("assumed");
            column.unit = require_unit(dimension == time_dimension ? "s" : "m/s2", dimension).unit;
        }
        return true;
    }

    bool find_acceleration(Column &column, const Spans &names, int wanted, const char *unit, const Column &time,
                           const char *role) {
        column.number = number(names, wanted, acceleration_dimension, time.number == 1 ? 2 : 1, role);
        if (!column.number) return false;
        if (column.number == time.number) {
            problem << role << ": column " << repr(time.name) << " is the time and must be another column";
            return false;
        }
        // A file of one column alone has none beside the time.
        if (column.number > int(names.size())) {
            problem << source_ << ": has " << int(names.size()) << " column(s) and must have column " << column.number;
            return false;
        }
        column.name = names[std::size_t(column.number - 1)];
        if (!*unit) {
            if (said_unit(column, acceleration_dimension)) return true;
            problem << "; or name it by --unit";
            return false;
        }
        const UnitFound asked = require_unit(unit, acceleration_dimension);
        if (!asked.is_found) {
            problem = asked.problem;
            return false;
        }
        column.unit = asked.unit;
        Text because("from --unit");
        const UnitFound found = unit_above(column.number, acceleration_dimension);
        if (!found.problem.empty()) {
            problem = Text();
            because << "; the one in the header is not known";
        } else if (found.is_found && !(found.unit == asked.unit))
            because << "; the header says " << repr(span_of(words_));
        column.because = bytes_of(because);
        return true;
    }

    // harness/records/last_line.py: false for a last line that is cut; one that may be is left out.
    bool has_whole_end(const Span &text) {
        if (lines_.size() <= first_ || !holds_numbers(lines_.back())) return true;
        const std::size_t tail = 65536;
        Span last = lines_.back();
        Spans before;
        for (std::size_t i = first_; i + 1 < lines_.size(); ++i)
            if (holds_numbers(lines_[i]) && std::size_t(text.end - lines_[i].begin) <= tail) before.push_back(lines_[i]);
        const Span mark = at2_.line_count ? Span() : separator_;
        if (at2_.line_count && without_blanks(last).end == last.end) {
            Spans all;
            before.push_back(last);
            for (const Span &row : before)
                for (const Span &word : words_of(row)) all.push_back(word);
            last = all.back();
            all.pop_back();
            before = all;
        }
        const Ending end = ending(last, before, mark);
        if (end == whole_end || (end == unknown_end && at2_.line_count)) return true;
        const Span line = without_blanks(lines_.back());
        Text shown;
        const char *begin = line.end;
        int count = 0;
        for (; begin > line.begin && count < 40; ++count)
            do --begin;
            while (begin > line.begin && (*begin & 0xC0) == 0x80);
        if (begin > line.begin) shown << "… ";
        shown << Span(begin, line.end);
        if (end == cut_end) {
            problem << source_ << " ends in the middle of its last line, " << repr(Span(shown.data()))
                    << ": it is cut; copy it anew, or remove that line";
            return false;
        }
        left_out_ = Bytes(shown.data(), shown.data() + std::strlen(shown.data()));
        lines_.pop_back();
        return true;
    }

    Text skipped_note() const {
        const int count = int(skipped_.size());
        Text line;
        return line << count << (count == 1 ? " line" : " lines") << " of text above the numbers skipped: "
                    << repr(shortened(skipped_[0])) << (count > 1 ? " …" : "");
    }

    Text left_out_note() const {
        Text note;
        if (!left_out_.empty())
            note << "last line left out: " << repr(span_of(left_out_))
                 << " does not end as a line does and may be cut; if it is whole, end it with a line break";
        return note;
    }

    // -- the numbers -------------------------------------------------------------------------------------

    bool read_columns(const RecordWishes &wishes, const char *encoding) {
        const Spans all = column_names();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i) names.push_back('\n');
            add(names, all[i]);
        }
        Column time{};
        time.number = number(all, wishes.time_column, time_dimension, 1, "time");
        if (!time.number) return false;
        time.name = all[std::size_t(time.number - 1)];
        if (!said_unit(time, time_dimension)) return false;
        std::vector<Column> columns(wishes.normal_column > 0 ? 2 : 1);
        if (!find_acceleration(columns[0], all, wishes.acceleration_column, wishes.unit, time, "acceleration"))
            return false;
        if (columns.size() > 1 &&
            !find_acceleration(columns[1], all, wishes.normal_column, wishes.unit, time, "normal acceleration"))
            return false;
        std::vector<int> numbers{time.number, columns[0].number};
        if (columns.size() > 1) numbers.push_back(columns[1].number);
        std::vector<std::vector<double>> values(numbers.size());
        std::vector<int> value_lines;
        if (!read_numbers(all, numbers, values, value_lines) || !are_points(time, values, value_lines)) return false;
        time_number = time.number;
        acceleration_number = columns[0].number;
        unit_name = columns[0].unit.name;
        times = std::move(values[0]);
        if (!has_time_unit(time)) return false;
        for (double &one : times) one *= time.unit.factor;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            std::vector<double> &signal = values[k + 1];
            const double factor = columns[k].unit.factor;
            if (factor != 1 && std::fabs(std::fabs(wishes.scale) - factor) < 0.03 * factor) {
                problem << source_ << ": scale=" << general(wishes.scale, 6) << " seems to convert from the unit "
                        << columns[k].unit.name << " of " << repr(columns[k].name)
                        << ", whose values are converted already; leave the scale out";
                return false;
            }
            for (double &one : signal) one *= columns[k].unit.factor;
            if (wishes.scale != 1)
                for (double &one : signal) one *= wishes.scale;
            if (wishes.remove_mean) {
                const double mean = mean_of(signal);
                for (double &one : signal) one -= mean;
            }
            (k ? normal_acceleration : acceleration) = std::move(signal);
        }
        describe(time, columns, wishes, encoding);
        return true;
    }

    // Times in no known unit that no shaking has in seconds are refused.
    bool has_time_unit(const Column &time) {
        if (interval_ > 0 || !(span_of(time.because) == Span("assumed"))) return true;
        const double usual = usual_step();
        if (usual < 0.5 || times.size() < 100) return true;
        problem << source_ << ": column " << repr(time.name) << " names no unit, and a sample every "
                << general(usual, 6)
                << " s is no shaking; name the unit, as 'time [s]' or 'time [ms]' does; where the column counts "
                   "samples, multiply it by the sampling interval";
        return false;
    }

    bool read_numbers(const Spans &all, const std::vector<int> &numbers, std::vector<std::vector<double>> &values,
                      std::vector<int> &value_lines) {
        const bool has_decimal_comma = separator_ != Span(",") || at2_.line_count;
        const auto refused = [&](std::size_t line, const Span &cell) {
            problem << source_ << ", line " << int(line + 1) << ": " << repr(cell) << " must be a finite number"
                    << (cell.empty() ? "; fill the empty cell or leave out the row" : "");
            return false;
        };
        const int last = *std::max_element(numbers.begin(), numbers.end());
        for (std::size_t i = first_; i < lines_.size(); ++i) {
            if (!holds_numbers(lines_[i])) continue;
            double number = 0;
            if (interval_ > 0) {
                const Spans words = words_of(lines_[i]);
                if (!at2_.line_count && words.size() != 1) {
                    problem << source_ << ", line " << int(i + 1) << ": " << repr(without_blanks(lines_[i]))
                            << " must be one number";
                    return false;
                }
                for (const Span &word : words) {
                    if (!cell_number(word, has_decimal_comma, number)) return refused(i, word);
                    for (std::size_t k = 0; k < numbers.size(); ++k)
                        values[k].push_back(numbers[k] == 1 ? double(value_lines.size()) * interval_ : number);
                    value_lines.push_back(int(i + 1));
                }
                continue;
            }
            const Spans cells = cells_of(lines_[i], separator_);
            if (int(cells.size()) < last) {
                Text usual;
                usual << "column " << last;
                const Span name = all[std::size_t(last - 1)];
                problem << source_ << ", line " << int(i + 1) << ": has " << int(cells.size())
                        << " column(s) and must have column " << last;
                if (name != Span(usual.data())) problem << ", " << name;
                return false;
            }
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                const Span cell = cells[std::size_t(numbers[k] - 1)];
                if (!cell_number(cell, has_decimal_comma, number)) return refused(i, cell);
                values[k].push_back(number);
            }
            value_lines.push_back(int(i + 1));
        }
        return !at2_.line_count || has_count_of(at2_, value_lines.size());
    }

    bool are_points(const Column &time, const std::vector<std::vector<double>> &values,
                    const std::vector<int> &value_lines) {
        for (std::size_t i = 0; i < value_lines.size(); ++i)
            for (const std::vector<double> &column : values)
                if (!std::isfinite(column[i])) {
                    problem << source_ << ", line " << value_lines[i] << ": '" << column[i]
                            << "' must be a finite number";
                    return false;
                }
        const std::vector<double> &instants = values[0];
        if (instants.size() < 2) {
            problem << source_ << " has " << int(instants.size()) << " point(s); it must have ≥ 2";
            if (!skipped_.empty()) problem << "; " << skipped_note();
            if (!left_out_.empty()) problem << "; " << left_out_note();
            return false;
        }
        for (std::size_t i = 1; i < instants.size(); ++i)
            if (!(instants[i] > instants[i - 1])) {
                problem << source_ << ", line " << value_lines[i] << ": time " << instants[i] << " s must be > "
                        << instants[i - 1] << " s, the one before; the time was read from " << repr(time.name);
                return false;
            }
        return true;
    }

    // -- what is said of it ------------------------------------------------------------------------------

    static Bytes bytes_of(const Text &text) { return Bytes(text.data(), text.data() + std::strlen(text.data())); }
    static Bytes bytes_of(const char *text) { return Bytes(text, text + std::strlen(text)); }

    // A number with so many digits, as Python's format `.6g`.
    static Text general(double value, int digits) {
        char buffer[40];
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        return Text(buffer);
    }

    static void add_line(Bytes &lines, const Text &line) {
        if (!lines.empty()) lines.push_back('\n');
        add(lines, line.data());
    }

    static double mean_of(const std::vector<double> &values) {
        double sum = 0;
        for (double one : values) sum += one;
        return sum / double(values.size());
    }

    static double largest(const std::vector<double> &values) {
        double peak = 0;
        for (double one : values) peak = std::max(peak, std::fabs(one));
        return peak;
    }

    double usual_step() const {
        std::vector<double> steps;
        for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
        std::sort(steps.begin(), steps.end());
        const std::size_t middle = steps.size() / 2;
        return steps.size() % 2 ? steps[middle] : 0.5 * (steps[middle - 1] + steps[middle]);
    }

    void describe(const Column &time, const std::vector<Column> &columns, const RecordWishes &wishes,
                  const char *encoding) {
        const double step = usual_step(), peak = largest(acceleration);
        Text span, how, unit;
        span << int(times.size()) << " points on [" << general(times.front(), 10) << ", " << general(times.back(), 10)
             << "] s every " << general(step, 6) << " s";
        add_line(understood, span);
        if (at2_.line_count) how << "PEER AT2, " << at2_count() << " values every " << general(interval_, 6) << " s";
        else if (interval_ > 0) how << "one column of values every " << general(interval_, 6) << " s";
        else if (separator_.empty()) how << "blank-separated";
        else if (separator_ == Span(";")) how << "semicolon-separated";
        else if (separator_ == Span(",")) how << "comma-separated";
        else if (separator_ == Span("\t")) how << "tab-separated";
        else how << repr(separator_) << "-separated";
        if (*encoding) how << ", text is " << encoding;
        how << "; time from " << repr(time.name);
        if (Span(time.unit.name.data()) != Span("s"))
            how << " in " << time.unit.name << " (" << span_of(time.because) << ")";
        how << ", acceleration from " << repr(columns[0].name);
        if (columns.size() > 1) how << ", normal acceleration from " << repr(columns[1].name);
        add_not_read(how, time, columns);
        add_line(understood, how);
        unit << "unit " << columns[0].unit.name << " (" << span_of(columns[0].because) << ")";
        if (!(columns.back().unit == columns[0].unit))
            unit << ", of the normal acceleration " << columns.back().unit.name << " ("
                 << span_of(columns.back().because) << ")";
        unit << "; peak " << general(peak, 4) << " m/s2 = " << general(peak / standard_gravity, 3) << " g";
        if (wishes.scale != 1) unit << ", scaled by " << general(wishes.scale, 6);
        if (wishes.remove_mean) unit << ", mean removed";
        add_line(understood, unit);
        if (!skipped_.empty()) add_line(understood, skipped_note());
        if (!left_out_.empty()) add_line(understood, left_out_note());
        warn_of_times(step);
        warn_of_signal(columns[0].name, acceleration);
        if (columns.size() > 1) warn_of_signal(columns[1].name, normal_acceleration);
        if (span_of(columns[0].because) == Span("assumed")) warn_of_unit(peak / std::fabs(wishes.scale));
    }

    // Which columns were left: others of them may be accelerations.
    void add_not_read(Text &how, const Column &time, const std::vector<Column> &columns) {
        const Spans all = column_names();
        int count = 0;
        const int most = 5;
        for (std::size_t i = 0; i < all.size(); ++i) {
            bool is_read = time.number == int(i + 1);
            for (const Column &column : columns) is_read = is_read || column.number == int(i + 1);
            if (is_read) continue;
            if (++count <= most) how << (count == 1 ? "; not read: " : ", ") << repr(all[i]);
        }
        if (count > most) how << " and " << count - most << " more";
    }

    Text at2_count() const {
        Text count;
        const Span digits = without_leading_zeros(at2_.count);
        return count << digits;
    }

    // The rest: harness/shaking/warnings.py.

    void warn_of_times(double usual) {
        if (usual >= 0.5) {
            Text line("slow: a sample every ");
            line << general(usual, 6)
                 << " s; if the times are in ms, name their column 'time [ms]'; if they count samples, multiply them "
                    "by the sampling interval";
            add_line(warnings, line);
        }
        std::size_t worst = 0;
        double farthest = -1;
        int irregular = 0;
        for (std::size_t i = 0; i + 1 < times.size(); ++i) {
            const double off = std::fabs(times[i + 1] - times[i] - usual);
            irregular += off > 1e-2 * usual;
            if (off > farthest) farthest = off, worst = i;
        }
        if (!irregular) return;
        Text line("irregular steps: ");
        line << irregular << " of " << int(times.size() - 1) << " are not " << general(usual, 6)
             << " s, for instance " << general(times[worst + 1] - times[worst], 6) << " s after t="
             << general(times[worst], 6) << " s; linearly interpolated";
        add_line(warnings, line);
    }

    void warn_of_unit(double peak) {
        if (peak <= 0) return;
        const char *const unit = peak < 2 ? "g" : peak > 50 ? "cm/s2" : nullptr;
        if (!unit) return;
        Text line("the file names no unit and its peak is ");
        line << general(peak, 3) << ": taken as m/s2; if it is in " << unit << ", add --unit " << unit;
        add_line(warnings, line);
    }

    void warn_of_signal(const Span &name, const std::vector<double> &signal) {
        const double peak = largest(signal);
        const auto range = std::minmax_element(signal.begin(), signal.end());
        if (*range.second - *range.first == 0) {
            Text line;
            line << name << " is " << general(signal[0], 6) << (peak > 0 ? " m/s2" : "") << " throughout";
            add_line(warnings, line);
            return;
        }
        std::vector<double> shape(signal);
        for (double &one : shape) one /= peak;
        double final = 0, fastest = 0;
        for (std::size_t i = 1; i < shape.size(); ++i) {
            final += 0.5 * (times[i] - times[i - 1]) * (shape[i] + shape[i - 1]);
            fastest = std::max(fastest, std::fabs(final));
        }
        if (std::fabs(final) > 0.05 * fastest) {
            char share[24];
            std::snprintf(share, sizeof share, "%.0f", 100 * std::fabs(final) / fastest);
            Text line("offset: ");
            line << name << " has a mean of " << general(peak * mean_of(shape), 3)
                 << " m/s2 and leaves the support with " << general(peak * final, 3) << " m/s, " << share
                 << " % of its peak velocity; if that is no motion of it, add --remove-mean";
            add_line(warnings, line);
        }
        if (std::fabs(shape[0]) > 0.1) {
            char percent[24];
            std::snprintf(percent, sizeof percent, "%.0f", 100 * std::fabs(shape[0]));
            Text line("jump: ");
            line << name << " starts at " << general(signal[0], 3) << " m/s2, " << percent
                 << " % of its peak, not from rest";
            add_line(warnings, line);
        }
        warn_of_coarseness(name, shape);
    }

    void warn_of_coarseness(const Span &name, const std::vector<double> &shape) {
        const std::size_t count = shape.size();
        std::vector<std::complex<double>> even(count);
        const double first = times.front(), spacing = (times.back() - first) / double(count - 1);
        double sum = 0;
        for (std::size_t i = 0, j = 0; i < count; ++i) {
            const double time = i + 1 == count ? times.back() : first + double(i) * spacing;
            while (j + 2 < count && times[j + 1] <= time) ++j;
            const double slope = (shape[j + 1] - shape[j]) / (times[j + 1] - times[j]);
            even[i] = shape[j] + slope * (time - times[j]);
            sum += even[i].real();
        }
        for (auto &one : even) one -= sum / double(count);
        const auto spectrum = transform(even);
        const std::size_t half = count / 2;
        double whole = 0, upper = 0;
        const double last = double(half) / (double(count) * spacing); // of the frequencies
        for (std::size_t i = 0; i <= half; ++i) {
            const bool is_single = i == 0 || (count % 2 == 0 && i == half);
            const double energy = std::norm(spectrum[i]) * (is_single ? 1 : 2);
            whole += energy;
            if (2 * i > half) upper += energy;
        }
        if (!(upper > 0.05 * whole)) return;
        char percent[24];
        std::snprintf(percent, sizeof percent, "%.0f", 100 * upper / whole);
        Text line("coarse: ");
        line << percent << " % of the energy of " << name << " lies above " << general(0.5 * last, 3)
             << " Hz, half of what its samples can hold; the motion between them is not known";
        add_line(warnings, line);
    }

    using Complex = std::complex<double>;

    static Complex product(const Complex &a, const Complex &b) {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }

    static Complex turned(double turns) { return {std::cos(2 * M_PI * turns), std::sin(2 * M_PI * turns)}; }

    // Fourier transform of any length, as a convolution of one that is a power of 2 (Bluestein).
    static std::vector<Complex> transform(const std::vector<Complex> &values) {
        const std::size_t count = values.size();
        std::size_t size = 1;
        while (size < 2 * count) size *= 2;
        std::vector<Complex> chirp(count), given(size), kernel(size);
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned long long square = (unsigned long long)i * i % (2 * count);
            chirp[i] = turned(-double(square) / double(2 * count));
            given[i] = product(values[i], chirp[i]);
            kernel[i] = kernel[(size - i) % size] = std::conj(chirp[i]);
        }
        fold(given, false);
        fold(kernel, false);
        for (std::size_t i = 0; i < size; ++i) given[i] = product(given[i], kernel[i]);
        fold(given, true);
        std::vector<Complex> result(count);
        for (std::size_t i = 0; i < count; ++i) result[i] = product(given[i], chirp[i]) / double(size);
        return result;
    }

    static void fold(std::vector<Complex> &values, bool is_inverse) {
        const std::size_t size = values.size();
        for (std::size_t i = 1, j = 0; i < size; ++i) {
            std::size_t bit = size / 2;
            for (; j & bit; bit /= 2) j ^= bit;
            j ^= bit;
            if (i < j) std::swap(values[i], values[j]);
        }
        for (std::size_t length = 2; length <= size; length *= 2)
            for (std::size_t k = 0; k < length / 2; ++k) {
                const Complex turn = turned((is_inverse ? 1 : -1) * double(k) / double(length));
                for (std::size_t i = k; i < size; i += length) {
                    const Complex even = values[i], odd = product(values[i + length / 2], turn);
                    values[i] = even + odd;
                    values[i + length / 2] = even - odd;
                }
            }
    }
};
