// Recorded points from a text, or from a table written by `wearfmu motion`.
//
// The only accepted form of a file is the header line, then rows of two numbers in SI units with a
// decimal point, separated by a comma and ended by a line feed. Any other form is rejected with the
// command that converts it. Numbers do not depend on the locale.
#pragma once
#include "text.hpp"
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <sys/stat.h>
#ifdef _WIN32
extern "C" __declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned, unsigned long, const char *, int,
                                                                  wchar_t *, int);
extern "C" __declspec(dllimport) std::FILE *_wfopen(const wchar_t *, const wchar_t *);
#endif

struct Points {
    std::vector<double> times, values;
    Text source;
    int first_line = 0; // of the first point in the source, or 0 if the source has no lines
};

// Whether this number of bytes can be allocated. It is checked before, because containers cannot
// report a failure.
inline bool has_room(std::size_t size) {
    void *volatile const place = std::malloc(size + 1); // a compiler may remove unused memory
    std::free(place);
    return place;
}
static constexpr const char *no_room = "there is not enough memory";

// Largest size of a file. Ten million points need a third of it.
static constexpr std::size_t most_bytes = std::size_t(1) << 30;

// Read all bytes of a file. Returns false and sets the reason. A device or a pipe may be endless.
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
        problem << " cannot be read: it is not a regular file";
        return false;
    }
    int failure = file ? 0 : errno;
    const std::size_t expected = std::size_t(status.st_size);
    if (file && (expected > most_bytes || !has_room(4 * expected))) failure = ENOMEM;
    char block[65536];
    while (file && !failure) {
        errno = 0;
        const std::size_t count = std::fread(block, 1, sizeof block, file);
        content.insert(content.end(), block, block + count);
        if (std::ferror(file)) failure = errno ? errno : EIO;
        else if (content.size() > expected + sizeof block) failure = EFBIG; // the file grows
        if (count < sizeof block) break;
    }
    if (file) std::fclose(file);
    const char *const reason = failure == EISDIR ? "is a folder: give a file" : std::strerror(failure);
    if (failure) problem << " cannot be read: " << reason;
    return !failure;
}

// A number of at most 64 characters with a decimal point. Returns false for any other text, and for
// numbers that overflow.
inline bool number_of(const Span &text, double &number) {
    char plain[96];
    if (text.size() > 64) return false;
    const char *at = text.begin;
    std::size_t size = 0;
    int count = 0;
    const auto take = [&](const char *marks) {
        const bool is_there = at < text.end && *at && std::strchr(marks, *at);
        if (is_there) plain[size++] = *at++;
        return is_there;
    };
    const auto digits = [&] {
        for (count = 0; take("0123456789");) ++count;
        return count;
    };
    take("+-");
    int whole = digits();
    if (at < text.end && *at == '.') {
        ++at;
        // The decimal point that strtod expects.
        const char *const mark = std::localeconv()->decimal_point;
        const std::size_t length = std::strlen(mark);
        if (length > 8) return false;
        std::memcpy(plain + size, mark, length);
        size += length;
        whole += digits();
    }
    if (!whole) return false;
    if (take("eE")) {
        take("+-");
        if (!digits()) return false;
    }
    if (at != text.end) return false;
    plain[size] = 0;
    number = std::strtod(plain, nullptr);
    return std::isfinite(number);
}

class PointReader {
  public:
    Text problem; // of the last text or file that could not be read

    explicit PointReader(const char *header) : header_(header) {} // first line of a table

    // Points written as `time value; time value; …`.
    bool read_text(Span text, Points &points) {
        points.source << "table";
        if (!has_room(16 * text.size())) {
            problem << "table: " << no_room;
            return false;
        }
        while (!text.empty() && std::strchr("; \n", text.end[-1])) --text.end;
        const char *begin = text.begin;
        for (int count = 1; begin; ++count) {
            const void *const found = std::memchr(begin, ';', std::size_t(text.end - begin));
            const char *const end = static_cast<const char *>(found);
            const Span point(begin, end ? end : text.end);
            begin = end ? end + 1 : nullptr;
            const Spans words = words_of(point);
            if (words.size() != 2) {
                problem << "table, point " << count << ": " << repr(point) << " must be a time and a value";
                return false;
            }
            for (const Span &word : words) {
                double number;
                if (!number_of(word, number)) {
                    problem << "table, point " << count << ": " << repr(word) << " must be a finite number";
                    return false;
                }
                (&word == &words[1] ? points.values : points.times).push_back(number);
            }
        }
        return holds(points);
    }

    // Points of a file, in s and m/s2. `name` is the value of the parameter, for messages.
    bool read_path(const char *path, const char *name, int column, Points &points) {
        if (!*name) {
            problem << "file='' must be the path of a file with a time and a value column";
            return false;
        }
        points.source << "file=" << repr(name);
        points.first_line = 2;
        Bytes content;
        Text reason;
        if (!read_file(path, content, reason)) {
            problem << points.source << reason;
            return false;
        }
        const Span text = span_of(content);
        std::size_t rows = 0;
        for (const char c : content) rows += c == '\n';
        if (!has_room(sizeof(double) * 2 * rows)) {
            problem << points.source << " cannot be read: " << std::strerror(ENOMEM);
            return false;
        }
        points.times.reserve(rows);
        points.values.reserve(rows);
        return read_rows(text, column, points) && holds(points);
    }

  private:
    const char *const header_;

    bool read_rows(const Span &text, int column, Points &points) {
        int line = 0;
        for (const char *begin = text.begin; begin < text.end || line == 0;) {
            ++line;
            const char *end = nullptr;
            if (begin < text.end) end = static_cast<const char *>(std::memchr(begin, '\n', std::size_t(text.end - begin)));
            if (line == 1 && !(end && Span(begin, end) == Span(header_)))
                return refuse(points, line) << "must be '" << header_ << "'" << remedy, false;
            if (!end) return refuse(points, line) << "must end as lines do, or it may be cut" << remedy, false;
            if (line > 1 && column > 2)
                return refuse(points, line) << "has 2 column(s) and must have column " << column, false;
            if (line > 1) {
                const char *const comma = static_cast<const char *>(std::memchr(begin, ',', std::size_t(end - begin)));
                double time, value;
                if (!comma || !number_of({begin, comma}, time) || !number_of({comma + 1, end}, value))
                    return refuse(points, line) << "must be two finite numbers, such as 0.01,-0.2" << remedy, false;
                points.times.push_back(time);
                points.values.push_back(value);
            }
            begin = end + 1;
        }
        return true;
    }

    static constexpr const char *remedy = ". `wearfmu motion RECORD --out FILE` writes the table for BaseMotion";

    Text &refuse(const Points &points, int line) { return problem << points.source << ", line " << line << ": "; }

    bool holds(const Points &points) {
        const std::size_t count = points.times.size();
        if (count < 2) {
            problem << points.source << " has " << int(count) << " point(s): it must have ≥ 2";
            return false;
        }
        for (std::size_t i = 1; i < count; ++i) {
            const double earlier = points.times[i - 1], later = points.times[i];
            if (later > earlier) continue;
            problem << points.source << ", ";
            if (points.first_line) problem << "line " << int(i) + points.first_line;
            else problem << "point " << int(i + 1);
            problem << ": time " << later << " s must be > " << earlier << " s, the previous time";
            return false;
        }
        return true;
    }
};
