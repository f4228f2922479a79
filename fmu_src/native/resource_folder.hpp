// The folder that an FMU's resources lie in, from the URI that the host instantiates it with.
#pragma once
#include "python_text.hpp"

inline int hexadecimal(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Path of a `file:` URI (RFC 8089) or a path as it is, ended by a zero; empty where there is none.
inline Bytes folder_of_uri(const char *uri) {
    const char *at = uri ? uri : "";
    const auto begins = [&](const char *with) { return !std::strncmp(at, with, std::strlen(with)); };
    const bool is_uri = begins("file:");
    if (is_uri) at += 5;
    if (is_uri && begins("//")) {
        at += 2;
        while (*at && *at != '/') ++at; // the host: none, or this one
    }
    // In "/C:/folder" the first stroke belongs to the URI.
    if (is_uri && at[0] == '/' && at[1] && at[2] == ':') ++at;
    Bytes path;
    for (; *at; ++at) {
        const int high = is_uri && *at == '%' ? hexadecimal(at[1]) : -1;
        const int low = high >= 0 ? hexadecimal(at[2]) : -1;
        path.push_back(low >= 0 ? char(16 * high + low) : *at);
        if (low >= 0) at += 2;
    }
    while (!path.empty() && (path.back() == '/' || path.back() == '\\')) path.pop_back();
    path.push_back(0);
    return path;
}
