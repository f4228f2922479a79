// Data of one FMU for a library: variables, start values, messages, and the tables of a structure.
//
// A library serves all FMUs of its model. fmu_src/native/instance_data.py writes the data of one FMU
// as a sequence of items with a checksum, and they are read here. The bytes are not trusted: each
// count is compared with the remaining bytes, each index with its limit, and the memory with a limit,
// before anything is allocated.
#pragma once
#include "kernel_calls.hpp"
#include "points.hpp"
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

enum class Kind { real, integer, boolean, string, kind_count };

struct Variable {
    const char *name, *unit_shown, *unit;
    Kind kind;
    double start;
    const char *start_text; // of a string
    const char *literals; // of an enumeration parameter
    int literal_count;
    bool is_tunable; // a parameter that may change in a run
    const char *lower_text; // empty without a lower bound
    bool lower_is_open;
    double lower;
    bool has_upper;
    double upper;
    const char *upper_text;
};

// Variables of FMI 3.0 in addition to scalars: the independent variable, the count of events, arrays of
// outputs, and constant arrays of texts.
enum class Role { time, event_count, elements, texts, role_count };
static constexpr const char *role_texts[] = {"is the independent variable", "is an output", "is an output",
                                             "is a constant"};
struct Added {
    const char *name;
    Role role;
    std::vector<int> elements; // references of the outputs or parameters
    std::vector<const char *> texts;
};

// Values in a failure message, and the message for a start or step that failed in the kernel.
enum class Of { nothing, saved, variable, step_size, time, of_count };
struct Shown {
    Of of;
    int index;
};
struct Failure {
    long code;
    const char *text;
    Shown shown[Text::most_shown];
};

// Length of an argument of the kernel along an axis: an offset plus a multiple of each dimension of
// the instance. The first dimension is the number of inputs.
constexpr int most_dimensions = 7;
struct Axis {
    int offset, factors[most_dimensions];
};
struct Argument {
    int rank;
    Axis axes[3];
};

inline bool fits_integer(double value) { return value >= INT32_MIN && value <= INT32_MAX; }
inline bool is_integer(double value) { return fits_integer(value) && value == std::trunc(value); }

#include "form.hpp"

constexpr int argument_count = sizeof arguments / sizeof *arguments;
constexpr int guid_room = 40; // bytes of a guid and its terminating zeros

// CRC-32 of ISO 3309, as in zlib, four bits at a time. It detects each altered byte.
using Checksum = std::uint32_t;
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

// Constant data that instances and their saved states share. The last user releases it.
template <class Content> class Shared {
  public:
    Shared() = default;
    explicit Shared(Content *content) : shared_(new Counted{{1}, content}) {}
    Shared(const Shared &other) : shared_(other.shared_) { use(1); }
    ~Shared() { use(-1); }
    Shared &operator=(Shared other) {
        std::swap(shared_, other.shared_);
        return *this;
    }
    Content *operator->() const { return shared_->content; }
    Content &operator*() const { return *shared_->content; }
    explicit operator bool() const { return shared_; }

  private:
    struct Counted {
        std::atomic<int> users;
        Content *content;
    };
    Counted *shared_ = nullptr;
    void use(int change) {
        if (!shared_ || (shared_->users += change) != 0) return;
        delete shared_->content;
        delete shared_;
    }
};

// Items of a sequence of bytes. If an item is incomplete, all following items are invalid.
class Items {
  public:
    Items(const char *begin, const char *end) : at_(begin), end_(end) {}

    bool are_right = true;
    bool are_at_their_end() const { return at_ == end_; }

    std::int32_t integer() { return plain<std::int32_t>(); }
    double number() { return plain<double>(); }
    const char *numbers(std::int64_t count) {
        return count <= (end_ - at_) / std::int64_t(sizeof(double)) ? skip(count * sizeof(double)) : skip(-1);
    }
    // An integer from 0 to below `end`, or from `first`.
    int below(std::int64_t end, int first = 0) {
        const std::int32_t given = integer();
        are_right &= given >= first && given < end;
        return are_right ? given : 0;
    }
    // Number of the following items. Each has at least one byte.
    int count() { return below(end_ - at_ + 1); }
    // A text in UTF-8 with a terminating zero and no other zero.
    const char *text() {
        const int size = count();
        const char *const begin = skip(std::int64_t(size) + 1);
        if (!begin) return "";
        are_right &= !begin[size] && !std::memchr(begin, 0, std::size_t(size)) && is_utf8(Span(begin, begin + size));
        return are_right ? begin : "";
    }

  private:
    const char *at_, *end_;

    const char *skip(std::int64_t size) {
        are_right &= size >= 0 && size <= end_ - at_;
        if (!are_right) return nullptr;
        const char *const begin = at_;
        at_ += size;
        return begin;
    }
    template <class Value> Value plain() {
        Value value{};
        if (const char *const begin = skip(sizeof value)) std::memcpy(&value, begin, sizeof value);
        return value;
    }
};

class InstanceData {
  public:
    const char *guid = "";
    int version = 2; // FMI version of the FMU
    Bytes folder; // resources folder of the FMU, with a path separator at the end
    int input_count = 0, output_count = 0, parameter_count = 0, variable_count = 0;
    int first_output = 0, first_parameter = 0;
    std::vector<Variable> variables;
    std::vector<int> strings; // references of the string parameters
    std::vector<Added> added; // in the order of their references, which begin at variable_count
    // Parameters that the kernel does not use: the events that end a step, and their smallest distance.
    int returns_parameter = -1, interval_parameter = -1;
    std::vector<const char *> rule_texts, state_rule_texts, change_rule_texts;
    std::vector<Failure> failures;
    std::vector<int> accumulated, acting_back, discrete; // indices in the saved state; references; indices
    int barring_parameter = 0; // index of the parameter that disables derivatives of inputs, if it can
    double barring_value = 0;
    const char *no_derivatives = "";
    struct {
        int kind = -1, text = 0, file = 0, column = 0, text_kind = 0, file_kind = 0;
    } points; // parameters with the source of recorded points; kind is -1 without recorded points

    // Arguments of the kernel: sizes, position in the saved state or in the other memory, and
    // initial numbers, nullptr for zeros.
    struct Place {
        long sizes[3] = {};
        std::size_t start = 0, size = 0;
        bool is_saved = false;
        const char *content = nullptr;
    };
    Place places[argument_count];
    std::vector<std::size_t> parameter_places; // in the other memory
    std::size_t saved_count = 0, kernel_count = 0; // numbers
    int saved_time = -1; // index in the saved state

    // Read and keep the bytes. Returns the reason if they do not belong to an FMU of this library.
    Text read(std::vector<char> &&bytes) {
        bytes_ = std::move(bytes);
        const std::size_t head = sizeof file_mark - 1 + sizeof library_form - 1;
        if (bytes_.size() < head + sizeof(Checksum) || std::memcmp(bytes_.data(), file_mark, sizeof file_mark - 1))
            return "is not the instance data of an FMU";
        const char *const end = bytes_.data() + bytes_.size() - sizeof(Checksum);
        Checksum sum;
        std::memcpy(&sum, end, sizeof sum);
        if (sum != checksum_of(bytes_.data(), bytes_.size() - sizeof sum))
            return "is damaged: its bytes do not match its checksum";
        if (std::memcmp(bytes_.data() + sizeof file_mark - 1, library_form, sizeof library_form - 1))
            return "belongs to another library: it was written for another model or version";
        if (!has_room(32 * bytes_.size() + 65536)) return no_room;
        Items items(bytes_.data() + head, end);
        take(items);
        if (!items.are_right || !items.are_at_their_end()) return "is damaged: its contents are inconsistent";
        return {};
    }

    // Whether a step of this FMU can end at an event.
    bool has_events() const { return returns_parameter >= 0; }

    std::size_t input_room() const { return std::size_t(input_count ? input_count : 1); }

    // Number of bytes of a model and one saved state.
    std::size_t room() const {
        const std::size_t numbers = 6 * saved_count + kernel_count + std::size_t(variable_count) +
                                    2 * std::size_t(parameter_count) + (3 + 2 * derivative_orders) * input_room();
        return 2 * sizeof(double) * (numbers + saved_count) + 131072;
    }

  private:
    static constexpr std::int64_t most_numbers = std::int64_t(1) << 27; // one gigabyte
    std::vector<char> bytes_;

    void take(Items &items) {
        guid = items.text();
        items.are_right &= std::strlen(guid) < guid_room;
        version = items.below(4, 2);
        take_variables(items);
        take_added(items);
        take_texts(items, rule_texts);
        take_texts(items, state_rule_texts);
        take_texts(items, change_rule_texts);
        take_sizes(items);
        take_failures(items);
        take_indices(items, accumulated, std::int64_t(saved_count));
        take_indices(items, acting_back, variable_count);
        take_indices(items, discrete, std::int64_t(saved_count));
        barring_parameter = items.below(variable_count);
        barring_value = items.number();
        no_derivatives = items.text();
        take_points(items);
        take_contents(items);
        for (const Added &more : added) items.are_right &= more.role != Role::event_count || has_events();
    }

    void take_variables(Items &items) {
        input_count = items.count();
        output_count = items.count();
        parameter_count = items.count();
        const std::int64_t count = std::int64_t(input_count) + output_count + parameter_count;
        items.are_right &= count > 0 && count < INT32_MAX;
        items.are_right &= fixed_inputs < 0 || (input_count == fixed_inputs && output_count == fixed_outputs);
        for (std::int64_t i = 0; i < count && items.are_right; ++i) {
            Variable variable{};
            variable.name = items.text();
            variable.unit_shown = items.text();
            variable.unit = items.text();
            variable.kind = Kind(items.below(int(Kind::kind_count)));
            variable.start = items.number();
            variable.start_text = items.text();
            variable.literals = items.text();
            variable.literal_count = items.below(INT32_MAX);
            variable.is_tunable = items.below(2);
            variable.lower_text = items.text();
            variable.lower_is_open = items.below(2);
            variable.lower = items.number();
            variable.has_upper = items.below(2);
            variable.upper = items.number();
            variable.upper_text = items.text();
            // Inputs and outputs are numbers. Only parameters can be texts.
            items.are_right &= i >= input_count || variable.kind == Kind::real;
            items.are_right &= i >= input_count + output_count || variable.kind != Kind::string;
            items.are_right &= variable.kind == Kind::real || is_integer(variable.start);
            if (variable.kind == Kind::string) strings.push_back(int(i));
            variables.push_back(variable);
        }
        if (!items.are_right) input_count = output_count = parameter_count = 0;
        variable_count = input_count + output_count + parameter_count;
        first_output = input_count;
        first_parameter = input_count + output_count;
    }

    void take_added(Items &items) {
        for (int left = items.count(); left > 0 && items.are_right; --left) {
            Added more{};
            more.name = items.text();
            more.role = Role(items.below(int(Role::role_count)));
            take_indices(items, more.elements, variable_count);
            take_texts(items, more.texts);
            // The elements of an array are outputs, or parameters, of the same type.
            items.are_right &= more.elements.empty() == (more.role != Role::elements);
            for (int element : more.elements)
                items.are_right &= element >= first_output &&
                                   (element < first_parameter) == (more.elements[0] < first_parameter) &&
                                   variables[std::size_t(element)].kind == variables[std::size_t(more.elements[0])].kind;
            added.push_back(more);
        }
        items.are_right &= version == 3 || added.empty();
    }

    static void take_texts(Items &items, std::vector<const char *> &texts) {
        for (int left = items.count(); left > 0 && items.are_right; --left) texts.push_back(items.text());
    }

    static void take_indices(Items &items, std::vector<int> &indices, std::int64_t end) {
        for (int left = items.count(); left > 0 && items.are_right; --left) indices.push_back(items.below(end));
    }

    void take_failures(Items &items) {
        for (int left = items.count(); left > 0 && items.are_right; --left) {
            Failure failure{};
            failure.code = items.integer();
            failure.text = items.text();
            for (Shown &shown : failure.shown) {
                shown.of = Of(items.below(int(Of::of_count)));
                const std::int64_t end = shown.of == Of::saved      ? std::int64_t(saved_count)
                                         : shown.of == Of::variable ? variable_count
                                                                    : 1;
                shown.index = items.below(end);
            }
            failures.push_back(failure);
        }
    }

    void take_points(Items &items) {
        points.kind = items.below(takes_points ? variable_count : 0, -1);
        for (int *index : {&points.text, &points.file}) *index = items.below(std::int64_t(strings.size()), -1);
        points.column = items.below(variable_count, -1);
        for (int *kind : {&points.text_kind, &points.file_kind}) *kind = items.below(INT32_MAX, -1);
        const bool are_all = points.text >= 0 && points.file >= 0 && points.column >= 0;
        items.are_right &= points.kind < 0 || are_all;
    }

    // The dimensions, and the sizes of all arguments that follow from them.
    void take_sizes(Items &items) {
        std::int64_t dimensions[most_dimensions] = {input_count};
        for (int i = 1; i < dimension_count; ++i) dimensions[i] = items.below(1 << 24);
        // An instance has all optional parts or none.
        if (optional_dimension) {
            const std::int64_t given = dimensions[optional_dimension];
            items.are_right &= given == 0 || given == dimensions[optional_whole];
        }
        std::int64_t total = 0;
        for (int i = 0; i < argument_count && items.are_right; ++i) {
            std::int64_t size = 1;
            for (int axis = 0; axis < arguments[i].rank; ++axis) {
                const Axis &given = arguments[i].axes[axis];
                std::int64_t along = given.offset;
                for (int k = 0; k < dimension_count; ++k) along += given.factors[k] * dimensions[k];
                places[i].sizes[axis] = long(along);
                size *= along;
                items.are_right &= size <= most_numbers;
                if (!items.are_right) return;
            }
            places[i].size = std::size_t(size);
            total += size;
            items.are_right &= total <= most_numbers;
        }
        items.are_right &= outputs_argument < 0 || places[outputs_argument].size == std::size_t(output_count);
        for (int saved : saved_arguments) {
            places[saved].is_saved = true;
            places[saved].start = saved_count;
            saved_count += places[saved].size;
        }
        for (Place &place : places)
            if (!place.is_saved) {
                place.start = kernel_count;
                kernel_count += place.size ? place.size : 1;
            }
    }

    void take_contents(Items &items) {
        saved_time = items.below(std::int64_t(saved_count), -1);
        // Two parameters that the kernel does not use may follow.
        const int known = items.below(std::int64_t(parameter_count) + 1);
        if (known < parameter_count) {
            items.are_right &= watch_argument >= 0 && version == 3 && known == parameter_count - 2;
            returns_parameter = first_parameter + known;
            interval_parameter = returns_parameter + 1;
        }
        for (int i = 0; i < known && items.are_right; ++i) {
            const Place &place = places[items.below(argument_count)];
            const int index = items.below(std::int64_t(place.size));
            items.are_right &= !place.is_saved;
            parameter_places.push_back(place.start + std::size_t(index));
        }
        for (Place &place : places)
            if (items.below(place.is_saved ? 1 : 2)) place.content = items.numbers(std::int64_t(place.size));
    }
};
