// The results of the operations, in both languages' common form.
#ifndef BENCHMARKS_RESULTS_H
#define BENCHMARKS_RESULTS_H
#include <stddef.h>
#include <stdint.h>

/// Up to sixteen bytes and their number.
struct peer_inline_bytes {
    uint64_t low, high;
    int64_t count;
};

/// A frame as it travels.
struct peer_frame {
    uint8_t bytes[16];
};

/// Why an operation failed.
struct peer_error {
    int64_t kind, offset, expected, found;
};

/// A battery level.
struct peer_battery {
    uint8_t percent, charging;
    struct peer_inline_bytes unclaimed;
};

/// A report of a measurement that runs.
struct peer_realtime {
    uint8_t quantity, fault, value, second, third;
    uint16_t beat_interval;
    struct peer_inline_bytes unclaimed;
};

/// What a ring can do.
struct peer_capabilities {
    uint8_t temperature, watch_faces, menstruation, features4;
    uint16_t screen_width, screen_height;
    uint8_t new_sleep_protocol, custom_watch_faces, features11, features12, contact_tens;
    uint8_t features14;
};

/// One of the two frames of a day's totals.
struct peer_totals {
    uint8_t index, days_ago, year, month, day;
    uint32_t numbers[3];
    struct peer_inline_bytes unclaimed;
};

/// One frame of a log: which of its fields count depends on the kind.
struct peer_log_part {
    uint8_t kind, index, part_count, minutes_per_sample;
    uint32_t time;
    struct peer_inline_bytes samples, unclaimed;
};

enum { PEER_PART_HEADER, PEER_PART_FIRST, PEER_PART_LATER, PEER_PART_NO_DATA };

/// A day of samples.
struct peer_log {
    uint32_t time;
    uint8_t minutes_per_sample;
    uint8_t *values;
    size_t count;
};

/// As many intervals as a usual link brings at once; more are allocated.
enum { PEER_FEW_INTERVALS = 9 };

/// A heart-rate measurement.
struct peer_measurement_result {
    uint8_t flags, has_energy;
    uint16_t beats_per_minute, energy_kilojoules;
    uint16_t few[PEER_FEW_INTERVALS];
    /// Nothing if they are few.
    uint16_t *many;
    size_t rr_count;
};

/// A day of blood oxygen.
struct peer_oxygen_day {
    uint8_t days_ago, values[48];
};

#endif
