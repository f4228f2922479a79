// Functions that FMI 2.0 and FMI 3.0 have in common. Only their names and types differ: `fmi` is fmi2 or
// fmi3, `State` is the standard's word for a saved state, and `Deserialize` is its verb.
#pragma once
#include "instance.hpp"

#define SHARED_FUNCTIONS(fmi, State, Deserialize)                                                                        \
    const char *fmi##GetVersion(void) { return fmi##Version; }                                                           \
                                                                                                                         \
    void fmi##FreeInstance(void *instance) { delete static_cast<Slave *>(instance); }                                    \
                                                                                                                         \
    fmi##Status fmi##SetDebugLogging(void *instance, fmi##Boolean on, size_t count, const fmi##String categories[]) {    \
        return guarded(__func__, instance, {{categories, "categories", count}}, [&](Slave &slave) {                      \
            return slave.set_categories(slave.called, on, count, categories);                                            \
        });                                                                                                              \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Reset(void *instance) {                                                                             \
        return guarded(__func__, instance, {}, [](Slave &slave) { return slave.reset(); });                              \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Get##State(void *instance, void **state) {                                                          \
        return guarded(__func__, instance, {{state, #State}}, [&](Slave &slave) { return slave.save_state(state); });    \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Set##State(void *instance, void *state) {                                                           \
        return guarded_state(__func__, instance, state, #State, {}, [](Slave &slave, Belongings &belongings) {           \
            return slave.restore_state(belongings);                                                                      \
        });                                                                                                              \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Free##State(void *instance, void **state) {                                                         \
        /* Without a state there is nothing to free, as the standard requires. */                                        \
        if (instance && (!state || !*state)) return fmi##OK;                                                             \
        void *const freed = state ? *state : nullptr;                                                                    \
        return guarded_state(__func__, instance, freed, #State, {}, [&](Slave &, Belongings &belongings) {               \
            delete &belongings;                                                                                          \
            *state = nullptr;                                                                                            \
            return Answer::ok;                                                                                           \
        });                                                                                                              \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Serialized##State##Size(void *instance, void *state, size_t *size) {                                \
        return guarded_state(__func__, instance, state, #State, {{size, "size"}}, [&](Slave &, Belongings &belongings) { \
            *size = written_size(belongings);                                                                            \
            return Answer::ok;                                                                                           \
        });                                                                                                              \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Serialize##State(void *instance, void *state, fmi##Byte bytes[], size_t size) {                     \
        return guarded_state(__func__, instance, state, #State, {{bytes, "serializedState"}},                            \
                             [&](Slave &slave, Belongings &belongings) {                                                 \
                                 return slave.serialise(belongings, reinterpret_cast<char *>(bytes), size);              \
                             });                                                                                         \
    }                                                                                                                    \
                                                                                                                         \
    fmi##Status fmi##Deserialize##State(void *instance, const fmi##Byte bytes[], size_t size, void **state) {            \
        return guarded(__func__, instance, {{bytes, "serializedState", size}, {state, #State}}, [&](Slave &slave) {      \
            return slave.deserialise(reinterpret_cast<const char *>(bytes), size, state);                                \
        });                                                                                                              \
    }
