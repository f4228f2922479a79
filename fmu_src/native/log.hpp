// The host's log: status of a call, its reason, and the enabled categories.
#pragma once
#include "instance_data.hpp"
#include <algorithm>

// The same numbers in FMI 2.0 and 3.0.
enum class Answer { ok, warning, discard, error };

// Indices in log_categories.
enum LogCategory { log_discard, log_error, log_warning, category_count };
static_assert(sizeof log_categories / sizeof *log_categories == category_count, "a log category is missing");
constexpr int longest_name_in_messages = 200; // bytes

struct Log {
    Text name;
    // Function that calls the host's logger, and its arguments.
    void (*send)(const Log &log, Answer answer, const char *category, const Text &message) = nullptr;
    void (*logger)() = nullptr;
    void *environment = nullptr;
    bool logged[category_count] = {};

    void log_all(bool on) { std::fill_n(logged, category_count, on); }

    Answer report(Answer answer, const Text &message) const {
        const LogCategory category = answer == Answer::discard   ? log_discard
                                     : answer == Answer::warning ? log_warning
                                                                 : log_error;
        if (!logged[category] || !logger) return answer;
        Text text;
        text.append(name.data(), whole_characters(name.data(), name.size(), longest_name_in_messages));
        text << ": " << message;
        send(*this, answer, log_categories[category], text);
        return answer;
    }

    Answer refuse(const Text &message) const { return report(Answer::error, message); }

    Answer set_categories(const char *function, bool on, std::size_t count, const char *const categories[]) {
        bool wanted[category_count] = {};
        for (std::size_t i = 0; i < count; ++i) {
            const char *const asked = categories[i] ? categories[i] : "NULL";
            int index = 0;
            while (index < category_count && std::strcmp(asked, log_categories[index])) ++index;
            if (index == category_count) {
                Text message(function);
                message << ": category '" << asked << "' must be one of:";
                for (const char *known : log_categories) message << " " << known;
                return refuse(message);
            }
            wanted[index] = true;
        }
        log_all(on && count == 0);
        for (int index = 0; index < category_count; ++index) logged[index] |= on && wanted[index];
        return Answer::ok;
    }
};
