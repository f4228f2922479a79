// Data of an instance and of its saved states: one block of numbers, and texts.
#pragma once
#include "instance_data.hpp"
#include <algorithm>
#include <cstdint>
#include <utility>

using Numbers = std::vector<double>; // initially zero; the caller has called `has_room`

inline void copy_numbers(double *target, const double *source, std::size_t count) {
    std::memcpy(target, source, count * sizeof(double));
}

// A sum that is finite if all its terms are finite. An aligned pair takes one instruction.
inline double sum_of(const double *numbers, std::size_t count) {
    typedef double Pair __attribute__((vector_size(16), may_alias));
    double odd = 0;
    if (count && reinterpret_cast<std::uintptr_t>(numbers) % sizeof(Pair)) odd = *numbers++, --count;
    const Pair *pair = reinterpret_cast<const Pair *>(numbers);
    Pair total = {}, other = {};
    for (; count >= 16; count -= 16, pair += 8) {
        total += pair[0], other += pair[1], total += pair[2], other += pair[3];
        total += pair[4], other += pair[5], total += pair[6], other += pair[7];
    }
#pragma clang loop unroll(disable)
    for (; count >= 4; count -= 4, pair += 2) total += pair[0], other += pair[1];
    if (count >= 2) total += *pair++, count -= 2;
    if (count) odd += *reinterpret_cast<const double *>(pair);
    total += other;
    return total[0] + total[1] + odd;
}
inline bool are_finite(const double *numbers, std::size_t count) { return std::isfinite(sum_of(numbers, count)); }

enum Phase : std::int32_t { instantiated, initialising, stepping, terminated, handling_events, phase_count };
static_assert(sizeof phase_names / sizeof *phase_names == phase_count, "a phase has no name");

// Whether the last step ended at an event, whether this event is pending or applied, and whether an
// event, also one of the host, has been passed since that step.
enum Stop { not_stopped, stopped_before, stopped_after, moved_on };

// Head of a saved state.
struct Head {
    char guid[guid_room];
    std::int32_t phase, has_model, outputs_are_current, has_derivatives;
    // Parameters were set but not applied yet, and the applied parameters differ from those of the
    // last step.
    std::int32_t has_new_values, has_changed;
    double start_time, stop_time, time; // infinite without a stop time
};
constexpr std::size_t failure_room = 480; // bytes

// All data of a saved state as one block of numbers without pointers, which is copied and stored
// unchanged. The following rows come after the head, in this order.
class Memory {
    const InstanceData &data_;
    Numbers block_;
    double *end_;

    double *take(std::size_t count) { return std::exchange(end_, end_ + count); }
    static std::size_t count_in(const InstanceData &data) {
        const std::size_t inputs = data.input_room(), derivatives = inputs * derivative_orders;
        return (sizeof(Head) + failure_room) / sizeof(double) + std::size_t(data.variable_count) + inputs +
               derivatives + data.saved_count + data.saved_count + 2 + inputs + derivatives + 1 +
               2 * std::size_t(data.parameter_count) + 2 + event_count(data);
    }

    static std::size_t event_count(const InstanceData &data) {
        return data.has_events() ? 2 * watch_size + data.saved_count + data.input_room() + 1 : 0;
    }

  public:
    static std::size_t size_in(const InstanceData &data) { return count_in(data) * sizeof(double); }

    explicit Memory(const InstanceData &data)
        : data_(data), block_(count_in(data)), end_(block_.data() + sizeof(Head) / sizeof(double)) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &other) {
        std::memcpy(bytes(), other.bytes(), size());
        return *this;
    }

    char *bytes() { return reinterpret_cast<char *>(block_.data()); }
    const char *bytes() const { return reinterpret_cast<const char *>(block_.data()); }
    std::size_t size() const { return size_in(data_); }
    Head *operator->() { return reinterpret_cast<Head *>(bytes()); }
    const Head *operator->() const { return reinterpret_cast<const Head *>(bytes()); }

    double *const values = take(std::size_t(data_.variable_count)); // inputs, outputs, parameters by reference
    double *const start_inputs = take(data_.input_room());
    // Derivatives of each input of order 1 and higher, for the next step.
    double *const derivatives = take(data_.input_room() * derivative_orders);
    double *const in_force = take(std::size_t(data_.parameter_count)); // parameters of the model
    double *const saved = take(data_.saved_count); // of the kernel, restored if a step fails
    // Start of the last step. Size 0 before the first step.
    struct LastStep {
        double *const before, *const time, *const size, *const inputs, *const derivatives;
        std::int64_t *const has_derivatives;
        double *const parameters; // applied parameters at that time, or at the start before the first step
    } const last_step = {take(data_.saved_count),
                         take(1),
                         take(1),
                         take(data_.input_room()),
                         take(data_.input_room() * derivative_orders),
                         reinterpret_cast<std::int64_t *>(take(1)),
                         take(std::size_t(data_.parameter_count))};
    // Time [s] until which events do not end a step, and the kernel's record of events. For a pending
    // event: this record and the state of the kernel after it. In Event Mode: the inputs taken, and the
    // number of events that the outputs include. Instances without events have the first two only.
    struct Events {
        double *const stop, *const quiet_end, *const watch, *const watch_after, *const after, *const inputs, *const shown;
    } const events = {take(1),
                      take(1),
                      take(data_.has_events() ? watch_size : 0),
                      take(data_.has_events() ? watch_size : 0),
                      take(data_.has_events() ? data_.saved_count : 0),
                      take(data_.has_events() ? data_.input_room() : 0),
                      take(data_.has_events() ? 1 : 0)};
    char *const failure = reinterpret_cast<char *>(end_); // reason why there is no model

    void set_time(double time) {
        if (data_.saved_time >= 0) saved[data_.saved_time] = time;
    }
    void forget_last_step() {
        char *const begin = reinterpret_cast<char *>(last_step.before);
        std::memset(begin, 0, std::size_t(failure - begin));
    }
};

// Values of the string parameters, in the order of the table.
class Strings {
  public:
    explicit Strings(const InstanceData &data) : data_(data), texts_(data.strings.size()) {
        for (std::size_t i = 0; i < texts_.size(); ++i) set(i, data.variables[std::size_t(data.strings[i])].start_text);
    }
    Strings &operator=(const Strings &other) {
        texts_ = other.texts_;
        return *this;
    }
    std::size_t size() const { return texts_.size(); }
    const char *operator[](std::size_t index) const { return texts_[index].data(); }
    void set(std::size_t index, const Span &text) {
        Bytes copy(text.begin, text.end); // first, because a host may pass a text of this instance
        copy.push_back(0);
        texts_[index] = std::move(copy);
    }
    std::size_t index_of(unsigned reference) const {
        return std::size_t(std::find(data_.strings.begin(), data_.strings.end(), int(reference)) - data_.strings.begin());
    }

  private:
    const InstanceData &data_;
    std::vector<Bytes> texts_;
};

// Data of an instance and of its saved states. It begins with the guid, because a host may pass a
// state of another FMU, of which only the guid is read.
struct Belongings {
    char guid[guid_room] = {};
    Shared<InstanceData> shared_data;
    const InstanceData &data = *shared_data;
    Memory memory{data};
    Strings strings{data};
    Shared<Points> recorded;

    explicit Belongings(const Shared<InstanceData> &given) : shared_data(given) {
        std::strncpy(guid, data.guid, sizeof guid - 1);
        std::memcpy(memory->guid, guid, sizeof guid);
    }
    Belongings(const Belongings &) = delete;
    Belongings &operator=(const Belongings &other) {
        memory = other.memory;
        strings = other.strings;
        recorded = other.recorded;
        return *this;
    }
};
