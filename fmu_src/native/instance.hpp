// Instances of both FMI versions: phases, values by reference, steps, saved states.
//
// A rejected call or step returns an error, logs its reason and changes nothing.
#pragma once
#include "derivatives.hpp"
#include "resources.hpp"
#include "state_bytes.hpp"
#include <initializer_list>
#include <memory>

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

static constexpr const char *co_simulation_only = "the model supports co-simulation only";
constexpr std::size_t room_for_a_path = 1 << 20; // bytes, with room for small texts

struct Instance : Log {
    Model model;
    bool has_warned = false;
    const char *called = ""; // FMI function being executed, for messages

    Instance(const Log &log, const Shared<InstanceData> &data) : Log(log), model(data) {}

    const InstanceData &data() const { return model.data; }
    Memory &memory() { return model.memory; }

    // -- phases ------------------------------------------------------------------------------------------

    Answer not_allowed() {
        return refuse(Text(called) << " is not allowed in phase '" << phase_names[memory()->phase] << "'");
    }

    Answer set_times(double start_time, const double *stop_time) {
        if (memory()->phase != instantiated) return not_allowed();
        if (stop_time && !(*stop_time >= start_time))
            return refuse(Text(called) << ": stop_time=" << *stop_time << " s must be ≥ start_time=" << start_time
                                         << " s: both were rejected");
        memory()->start_time = memory()->time = start_time;
        memory()->stop_time = stop_time ? *stop_time : INFINITY;
        return Answer::ok;
    }

    Answer enter_initialisation() {
        if (memory()->phase != instantiated) return not_allowed();
        memory()->phase = initialising;
        memory()->outputs_are_current = false;
        return Answer::ok;
    }

    Answer exit_initialisation(Phase next) {
        if (memory()->phase != initialising) return not_allowed();
        build_model();
        memory()->phase = next;
        return memory()->has_model ? Answer::ok : Answer::error;
    }

    Answer reset() {
        if (!has_room(data().room())) return refuse(Text(called) << ": " << no_room);
        const std::unique_ptr<Model> fresh(new Model(model.shared_data));
        model.load(*fresh);
        has_warned = false;
        return Answer::ok;
    }

    void build_model() {
        if (!model.build()) refuse(memory().failure);
    }

    // If the answer is not ok, parameters that were set cannot be applied, and none has been
    // applied.
    Answer refresh_outputs() {
        if (memory()->outputs_are_current) return Answer::ok;
        if (memory()->phase == initialising) build_model();
        const bool is_at_event = memory()->phase == handling_events && memory()->has_model;
        const Text reason = is_at_event ? model.foresee_event() : model.commit();
        if (!reason.empty()) return refuse(reason);
        if (is_at_event) return Answer::ok;
        if (memory()->has_model) model.measure();
        memory()->outputs_are_current = !memory()->has_new_values;
        return Answer::ok;
    }

    // -- values ------------------------------------------------------------------------------------------

    const Variable &variable(unsigned reference) const { return model.variable(int(reference)); }

    bool is_known(unsigned reference) const { return reference < unsigned(data().variable_count); }
    bool is_input(unsigned reference) const { return reference < unsigned(data().first_output); }
    bool is_parameter(unsigned reference) const {
        return is_known(reference) && reference >= unsigned(data().first_parameter);
    }

    bool is(unsigned reference, Kind kind) const { return is_known(reference) && variable(reference).kind == kind; }

    // Variable of FMI 3.0 in addition to the scalars, or nullptr for another reference.
    const Added *added(unsigned reference) const {
        const std::size_t place = std::size_t(reference) - std::size_t(data().variable_count);
        return !is_known(reference) && place < data().added.size() ? &data().added[place] : nullptr;
    }

    // Number of values of a reference.
    std::size_t size_of(unsigned reference) const {
        if (is_known(reference)) return 1;
        const Added *const more = added(reference);
        if (!more) return 1;
        if (more->role == Role::texts) return more->texts.size();
        return more->role == Role::elements ? more->elements.size() : 1;
    }

    std::size_t size_of(const unsigned references[], std::size_t count) const {
        std::size_t size = 0;
        for (std::size_t i = 0; i < count; ++i) size += size_of(references[i]);
        return size;
    }

    Answer check_size(const unsigned references[], std::size_t count, std::size_t given, const char *name) const {
        const std::size_t size = size_of(references, count);
        if (given == size) return Answer::ok;
        return refuse(Text(called) << ": " << name << "=" << (long long)(given) << " must be " << (long long)(size)
                                   << ", the number of elements of the variables");
    }

    Answer wrong_reference(unsigned reference, const char *kind, const Text &more = "") const {
        return refuse(Text("valueReference ") << reference << " must refer to a variable of type " << kind << more);
    }
    static Text not_taken(const Text &value) { return Text(": the value ") << value << " was rejected"; }

    // Set the number of a parameter of the variable's type. `shown` is the value for messages. During
    // a run it is applied by the next step, output or event.
    Answer set_parameter(unsigned reference, double value, const Text &shown) {
        const Answer answer = why_not_now(reference, shown);
        if (answer != Answer::ok) return answer;
        if (memory()->phase > initialising) {
            const Text reason = model.tune(int(reference), value);
            return reason.empty() ? Answer::ok : refuse(reason);
        }
        memory().values[reference] = value;
        memory()->outputs_are_current = false;
        return Answer::ok;
    }

    Answer set_text(unsigned reference, const char *value, const Text &shown) {
        const Answer answer = why_not_now(reference, shown);
        if (answer != Answer::ok) return answer;
        const Variable &variable = this->variable(reference);
        if (!value || !is_utf8(value))
            return refuse(Text(variable.name) << "=" << shown << " must be a text in UTF-8");
        if (!has_room(2 * std::strlen(value) + 1))
            return refuse(Text(variable.name) << ": " << no_room);
        model.strings.set(model.strings.index_of(reference), value);
        memory()->outputs_are_current = false;
        return Answer::ok;
    }

    const char *text(unsigned reference) const { return model.strings[model.strings.index_of(reference)]; }

    static Text shown_text(const char *value) {
        Text text;
        return value ? text << repr(value) : text << "NULL";
    }

    // -- steps -------------------------------------------------------------------------------------------

    // Checks of a step before the model takes it.
    Answer check_step(double current_time, double step_size) {
        const Memory &now = memory();
        if (now->phase != stepping) return not_allowed();
        if (!now->has_model) return refuse(now.failure);
        if (current_time != now->time && !follows(current_time, step_size, now->time)) {
            if (!(step_size > 0 && step_size < INFINITY))
                return refuse(Text("step_size=") << step_size << " s must be > 0 and finite");
            return refuse(Text("current_time=") << current_time
                                                << " s must be the end of the last step, " << now->time << " s");
        }
        const double end = current_time + step_size;
        if (end > now->stop_time && !is_near(end, step_size, now->stop_time))
            return refuse(Text("current_time + step_size=")
                          << end << " s must be ≤ stop_time=" << now->stop_time << " s of the experiment");
        return Answer::ok;
    }

    // End a step at `end`, the master's time, so that rounding does not accumulate. An instance
    // warns once.
    Answer close_step(double step_size, double end) {
        const bool is_first = model.warns() && !has_warned;
        has_warned |= is_first;
        // The text contains the time at which the step starts.
        const Answer answer = is_first ? report(Answer::warning, model.warning(step_size)) : Answer::ok;
        memory()->time = end;
        return answer;
    }

    // -- directional derivatives -------------------------------------------------------------------------

    Answer add_change(Derivatives &derivatives, unsigned known, double change) {
        if (!derivatives.knows(known))
            return refuse(Text(called) << ": valueReference " << known
                                         << " must be an input, or a Real parameter in phase '"
                                         << phase_names[initialising] << "'");
        if (!std::isfinite(change))
            return refuse(Text(called) << ": the change of " << variable(known).name << "=" << change
                                         << " must be finite");
        derivatives.add(known, change);
        return Answer::ok;
    }

    Answer check_unknown(unsigned unknown) const {
        if (is_known(unknown) && !is_input(unknown) && !is_parameter(unknown) && is(unknown, Kind::real))
            return Answer::ok;
        return refuse(Text(called) << ": valueReference " << unknown << " must be a Real output");
    }

    Answer get_directional_derivative(const unsigned unknowns[], std::size_t unknown_count,
                                      const unsigned knowns[], std::size_t known_count, const double seed[],
                                      std::size_t seed_count, double sensitivity[], std::size_t sensitivity_count) {
        if (memory()->phase == instantiated) return not_allowed();
        Answer answer = refresh_outputs();
        if (answer != Answer::ok) return answer;
        if (!memory()->has_model) return refuse(memory().failure);
        // Room for two models, and for numbers that need less than two further models.
        if (!has_room(4 * data().room())) return refuse(Text(called) << ": " << no_room);
        answer = check_size(knowns, known_count, seed_count, "nSeed");
        if (answer == Answer::ok) answer = check_size(unknowns, unknown_count, sensitivity_count, "nSensitivity");
        if (answer != Answer::ok) return answer;
        if (model.is_at_event())
            return report(Answer::discard, Text(called) << ": the derivative does not exist at an event");
        model.settled();
        const std::unique_ptr<Derivatives> derivatives(new Derivatives(model));
        for (std::size_t i = 0; i < known_count && answer == Answer::ok; ++i)
            answer = add_change(*derivatives, knowns[i], seed[i]);
        for (std::size_t i = 0; i < unknown_count && answer == Answer::ok; ++i) {
            const Added *const more = added(unknowns[i]);
            const bool is_array = more && more->role == Role::elements;
            answer = check_unknown(is_array ? unsigned(more->elements[0]) : unknowns[i]);
        }
        if (answer != Answer::ok) return answer;
        if (!derivatives->compute())
            return report(Answer::discard, Text(called) << ": the derivative does not exist: the contact's mode changes "
                                                           "with any change of the inputs, or the derivative overflows");
        for (std::size_t i = 0; i < unknown_count; ++i) {
            if (const Added *const more = added(unknowns[i]))
                for (int element : more->elements) *sensitivity++ = derivatives->of(unsigned(element));
            else *sensitivity++ = derivatives->of(unknowns[i]);
        }
        return Answer::ok;
    }

    // -- saved states ------------------------------------------------------------------------------------

    Answer save_state(void **state) {
        if (*state && !is_of_this_fmu(*state, model)) return refuse(Text(called) << ": " << of_another_model);
        if (!has_room(data().room() + written_size(model))) return refuse(Text(called) << ": " << no_room);
        if (!*state) *state = new Belongings(model.shared_data);
        *static_cast<Belongings *>(*state) = model.settled();
        return Answer::ok;
    }

    Answer restore_state(const Belongings &belongings) {
        // Only its texts are stored separately.
        if (belongings.strings.size() && !has_room(written_size(belongings)))
            return refuse(Text(called) << ": " << no_room);
        model.load(belongings);
        return Answer::ok;
    }

    Answer serialise(const Belongings &belongings, char *bytes, std::size_t size) const {
        if (size < written_size(belongings)) return refuse(Text(called) << ": the buffer is too small");
        write_state(belongings, bytes);
        return Answer::ok;
    }

    Answer deserialise(const char *bytes, std::size_t size, void **state) {
        if (!has_room(2 * data().room() + 2 * size)) return refuse(Text(called) << ": " << no_room);
        std::unique_ptr<Belongings> loaded(new Belongings(model.shared_data));
        Text reason = read_state(bytes, size, *loaded);
        if (reason.empty()) reason = broken_state(*loaded);
        if (!reason.empty()) return refuse(Text(called) << ": the state cannot be restored: " << reason);
        *state = loaded.release();
        return Answer::ok;
    }

  private:
    // Whether a variable that is not an input can be set, and in this phase.
    Answer why_not_now(unsigned reference, const Text &shown) const {
        const Variable &variable = this->variable(reference);
        if (!is_parameter(reference)) return refuse(Text(variable.name) << " is an output" << not_taken(shown));
        const std::int32_t phase = model.memory->phase;
        const bool is_running = phase == stepping || phase == handling_events;
        if (phase > initialising && !(is_running && variable.is_tunable))
            return refuse(Text(variable.name) << (variable.is_tunable ? " is a parameter" : " is a fixed parameter")
                                              << ": the value " << shown << " " << variable.unit
                                              << " cannot be set in phase '" << phase_names[phase] << "'");
        return Answer::ok;
    }

    // A step as short as the allowed rounding must still end later than it starts.
    static bool follows(double current_time, double step_size, double reached) {
        return is_near(current_time, step_size, reached) && current_time + step_size > reached;
    }

    static bool is_near(double current_time, double step_size, double reached) {
        const double slack = std::fmax(time_tolerance * step_size, Model::rounding_at(reached));
        return std::fabs(current_time - reached) <= slack;
    }
};

// An argument that must not be NULL unless its count is 0.
struct Given {
    const void *place;
    const char *name;
    std::size_t count = 1;
};

// Checks of all calls: NULL as the instance or as an argument is rejected.
template <class Held, class Call>
Answer passed(const char *function, void *instance, std::initializer_list<Given> arguments, Call call) {
    if (!instance) return Answer::error;
    Held &held = *static_cast<Held *>(instance);
    held.called = function;
    for (const Given &argument : arguments)
        if (!argument.place && argument.count)
            return held.refuse(Text(function) << ": " << argument.name << " must not be NULL");
    return call(held);
}

// Checks of a state passed by a host: it must belong to this model.
template <class Held, class Call>
Answer passed_state(const char *function, void *instance, void *state, const char *name,
                    std::initializer_list<Given> arguments, Call call) {
    return passed<Held>(function, instance, arguments, [&](Held &held) {
        if (!state) return held.refuse(Text(function) << ": " << name << " must not be NULL");
        if (!is_of_this_fmu(state, held.model)) return held.refuse(Text(function) << ": " << of_another_model);
        return call(held, *static_cast<Belongings *>(state));
    });
}

// Read the instance's data in the resources at `path` and compare them with the arguments of the
// host. Returns nothing, with the reason, if the instance cannot be created.
inline Shared<InstanceData> read_instance(Bytes &path, int version, const char *guid, const char *guid_name, Text &reason) {
    Shared<InstanceData> data;
    Bytes content;
    if (!read_instance_file(path, content, reason)) return {};
    if (!has_room(sizeof(InstanceData) + room_for_a_path)) {
        reason << no_room;
        return {};
    }
    data = Shared<InstanceData>(new InstanceData);
    data->folder.assign(path.begin(), path.end() - long(std::strlen(instance_file) + 1));
    const Text problem = data->read(std::move(content));
    if (!problem.empty()) reason << repr(path.data()) << " " << problem;
    else if (data->version != version) reason << "the FMU is for FMI " << data->version << ".0";
    else if (!guid || std::strcmp(guid, data->guid) != 0)
        reason << guid_name << "=" << (guid ? guid : "NULL") << " must be " << data->guid;
    else if (!has_room(data->room())) reason << no_room;
    return reason.empty() ? data : Shared<InstanceData>();
}

// Create an instance for the host. If this is not possible, return nothing and log the reason, for
// example the given problem or a missing resources folder.
template <class Held, class Call>
Held *new_instance(const char *function, const char *name, Log log, bool logging, const Text &problem, Call find_path,
                   int version, const char *guid, const char *guid_name) {
    if (name) log.name << name;
    // Logged even if logging is off, because the host cannot ask for the reason later.
    log.log_all(true);
    Bytes path;
    Text reason = name && *name ? problem : Text("the instance must have a name");
    if (reason.empty() && !has_room(room_for_a_path)) reason << no_room;
    Shared<InstanceData> data;
    if (reason.empty() && find_path(path, reason)) data = read_instance(path, version, guid, guid_name, reason);
    if (!data) {
        log.refuse(Text(function) << ": " << reason);
        return nullptr;
    }
    log.log_all(logging);
    return new Held(log, data);
}
