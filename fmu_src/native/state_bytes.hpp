// A saved state as bytes: its numbers, each text behind its length, and a checksum of both.
#pragma once
#include "model.hpp"

inline bool fits_integer(double value) { return value >= INT32_MIN && value <= INT32_MAX; }

inline Text beyond_integer(unsigned reference, double value) {
    return Text(variables[reference].name) << "=" << value << " must fit a 32-bit Integer";
}

using Checksum = std::uint32_t;

// CRC-32 of ISO 3309, which is that of zlib, four bits at a time: it finds every altered byte.
inline Checksum checksum_of(const char *bytes, std::size_t size) {
    static const Checksum table[] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    Checksum sum = ~Checksum(0);
    for (const char *at = bytes; at < bytes + size; ++at) {
        sum ^= std::uint8_t(*at);
        sum = sum >> 4 ^ table[sum & 15];
        sum = sum >> 4 ^ table[sum & 15];
    }
    return ~sum;
}

inline std::size_t written_size(const Belongings &state) {
    std::size_t size = sizeof(Memory) + sizeof(Checksum);
    for (int i = 0; i < string_count; ++i) size += sizeof(std::uint64_t) + std::strlen(state.strings[i]);
    return size;
}

inline void write_state(const Belongings &state, char *bytes) {
    char *at = bytes;
    std::memcpy(at, &state.memory, sizeof(Memory));
    at += sizeof(Memory);
    for (int i = 0; i < string_count; ++i) {
        const std::uint64_t length = std::strlen(state.strings[i]);
        std::memcpy(at, &length, sizeof length);
        std::memcpy(at + sizeof length, state.strings[i], length);
        at += sizeof length + length;
    }
    const Checksum sum = checksum_of(bytes, std::size_t(at - bytes));
    std::memcpy(at, &sum, sizeof sum);
}

// Whether a state is one of this FMU; all begin with the guid, and nothing behind it is looked at.
inline bool is_of_this_model(const void *state) { return !std::memcmp(state, model_guid, sizeof model_guid); }
static constexpr const char *of_another_model = "it was saved by another model";
static_assert(sizeof model_guid <= sizeof Memory::guid, "the guid has no room");

// Read a state; the reason where it is not as long as it says, was altered, or holds no text.
inline Text read_state(const char *bytes, std::size_t size, Belongings &state) {
    if (size < sizeof model_guid) return "it has another size";
    if (!is_of_this_model(bytes)) return of_another_model;
    Span texts[string_room];
    std::size_t used = sizeof(Memory);
    for (int i = 0; i < string_count && used <= size; ++i) {
        std::uint64_t length = 0;
        if (size - used < sizeof length) return "it has another size";
        std::memcpy(&length, bytes + used, sizeof length);
        used += sizeof length;
        if (size - used < length) return "it has another size";
        texts[i] = {bytes + used, bytes + used + length};
        used += length;
    }
    Checksum sum;
    if (used > size || size - used != sizeof sum) return "it has another size";
    std::memcpy(&sum, bytes + used, sizeof sum);
    if (sum != checksum_of(bytes, used)) return "its bytes do not have its checksum; they were altered";
    std::memcpy(&state.memory, bytes, sizeof(Memory));
    for (int i = 0; i < string_count; ++i) {
        if (!is_utf8(texts[i]) || std::memchr(texts[i].begin, 0, texts[i].size()))
            return Text(variables[string_references[i]].name) << " must be a text in UTF-8";
        state.strings.set(i, texts[i]);
    }
    return {};
}

// Why a state that came from outside cannot be used. Its outputs are computed anew; `resources` is the
// folder of the FMU's own table.
inline Text broken_state(Belongings &belongings, const char *resources) {
    Memory &state = belongings.memory;
    if (state.phase < 0 || state.phase >= phase_count) return "its phase is unknown";
    for (std::int32_t flag : {state.has_model, state.outputs_are_current, state.has_derivatives})
        if (flag != 0 && flag != 1) return "a flag is neither 0 nor 1";
    if (state.failure[sizeof state.failure - 1]) return "its message has no end";
    if (std::isnan(state.stop_time)) return "its stop time is no number";
    for (int i = first_parameter; i < variable_count; ++i) {
        const double value = state.values[i];
        if (variables[i].kind == Kind::real || (fits_integer(value) && value == std::trunc(value)))
            continue;
        return Text(variables[i].name) << "=" << value << " must be a 32-bit Integer";
    }
    double *const outputs = state.values + first_output;
    if (!state.has_model) {
        std::fill_n(outputs, output_count, 0.0);
        return {};
    }
    const std::unique_ptr<Model> held(new Model);
    Model &probe = *held;
    probe.resources = resources;
    probe.load(belongings);
    const Text rule = probe.broken_declaration();
    if (!rule.empty()) return rule;
    const Text unread = probe.read_points();
    if (!unread.empty()) return unread;
    belongings.recorded = probe.recorded;
    for (const Saved *saved : {&state.saved, &state.last_step.before}) {
        if (saved == &state.last_step.before && state.last_step.size == 0) break;
        if (!saved->is_finite()) return "the snapshot holds a value that is not finite";
        const double time = saved == &state.saved ? state.time : state.last_step.time;
        const Text broken = probe.broken_state(*saved, time);
        if (!broken.empty()) return broken;
    }
    probe.load(state);
    if (!std::isfinite(state.start_time + state.time) || !probe.measure())
        return "the snapshot holds a value that is not finite";
    std::copy_n(probe.memory.values + first_output, output_count, outputs);
    for (int i = 0; i < output_count; ++i)
        if (variables[first_output + i].kind != Kind::real && !(outputs[i] >= 0 && fits_integer(outputs[i])))
            return beyond_integer(first_output + i, outputs[i]) << ", ≥ 0";
    return {};
}
