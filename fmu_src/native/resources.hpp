// The resources folder of the FMU: from the URI or path that a master passes to the bytes of the
// instance's data.
#pragma once
#include "points.hpp"

static constexpr const char *instance_file = "instance.data";

inline int hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    const char small = char(digit | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

inline bool is_ascii_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// Whether a text has this prefix, ignoring case.
inline bool starts_with_word(const char *text, const char *word) {
    for (; *word; ++text, ++word)
        if ((is_ascii_letter(*text) ? *text | 0x20 : *text) != *word) return false;
    return true;
}

// Whether a path begins with a drive letter.
inline bool has_drive(const char *path) { return is_ascii_letter(path[0]) && (path[1] == ':' || path[1] == '|'); }

// Path of a file URI (RFC 8089), or a plain path. Returns false and sets `problem` if it is invalid.
// Characters that a URI should encode are accepted as they are, because some masters do not encode
// them. `drives` is true for paths of Windows.
inline bool path_of_uri(const char *uri, bool drives, Bytes &path, Text &problem) {
    path.clear();
    const auto refuse = [&](const char *rule) {
        problem << "fmuResourceLocation=" << (uri ? "" : "NULL");
        if (uri) problem << repr(uri);
        problem << " must be the URI of the unpacked FMU's folder 'resources', as file:///…/resources" << rule;
        return false;
    };
    if (!uri || !*uri) return refuse("");
    const char *at = uri;
    bool is_encoded = false;
    if (starts_with_word(uri, "file:")) {
        is_encoded = true;
        at += 5;
        if (at[0] == '/' && at[1] == '/') {
            at += 2;
            const char *const host = at;
            if (starts_with_word(at, "localhost/")) at += 9;
            else if (*at && *at != '/' && !(drives && has_drive(at))) {
                if (!drives) return refuse(": files of another machine cannot be read");
                path.insert(path.end(), {'\\', '\\'}); // a network share
                at = host;
            }
        }
        if (drives && *at == '/' && has_drive(at + 1)) ++at;
        const bool is_absolute = *at == '/' || !path.empty() || (drives && (has_drive(at) || *at == '\\'));
        if (!is_absolute) return refuse(": its path must begin at the root");
    } else {
        const char *scheme = at;
        while (is_ascii_letter(*scheme)) ++scheme;
        if (scheme > at + 1 && *scheme == ':') return refuse(": other schemes are not supported");
    }
    for (; *at; ++at) {
        char byte = *at;
        if (is_encoded && byte == '%') {
            const int high = hexadecimal(at[1]), low = high < 0 ? -1 : hexadecimal(at[2]);
            if (low < 0) return refuse(": % must precede two hexadecimal digits");
            byte = char(16 * high + low);
            if (!byte) return refuse(": a path must not contain %00");
            at += 2;
        }
        path.push_back(drives && is_encoded && byte == '/' ? '\\' : byte);
    }
    if (drives && path.size() > 1 && path[1] == '|') path[1] = ':';
    return true;
}

#ifdef _WIN32
constexpr bool has_drives = true;
#else
constexpr bool has_drives = false;
#endif

// Path of a folder as FMI 3.0 passes it. Returns false and sets the reason if it is invalid.
inline bool path_of_folder(const char *given, Bytes &path, Text &problem) {
    path.clear();
    const bool is_uri = given && starts_with_word(given, "file:");
    if (given && *given && !is_uri) {
        path.insert(path.end(), given, given + std::strlen(given));
        return true;
    }
    problem << "resourcePath=" << (given ? "" : "NULL");
    if (given) problem << repr(given);
    problem << " must be the absolute path of the unpacked FMU's folder 'resources'"
            << (is_uri ? ": FMI 3.0 does not use URIs" : "");
    return false;
}

// Read all bytes of the data file in a folder. The path of the folder becomes the path of the file.
// Returns false and sets the reason if it cannot be read.
inline bool read_instance_file(Bytes &path, Bytes &content, Text &problem) {
    while (path.size() > 1 && (path.back() == '/' || (has_drives && path.back() == '\\'))) path.pop_back();
    path.push_back(has_drives ? '\\' : '/');
    path.insert(path.end(), instance_file, instance_file + std::strlen(instance_file));
    path.push_back(0);
    Text reason;
    const bool is_read = read_file(path.data(), content, reason);
    if (!is_read) problem << repr(path.data()) << reason;
    return is_read;
}
