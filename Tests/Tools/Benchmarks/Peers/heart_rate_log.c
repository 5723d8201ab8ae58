enum { first_samples = 9, later_samples = 13, no_data_index = 0xFF, opcode = 0x15 };

static inline int32_t decode_part(
    const uint8_t *input, ptrdiff_t length, struct peer_log_part *part, void *error
) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, error);
    if (failure) return failure;
    if (input[0] != opcode) return failed(error, 3, 0, opcode, input[0]);
    const struct peer_inline_bytes none = {0, 0, 0};
    uint64_t rest = frame.high & without_checksum;
    part->index = input[1];
    switch (part->index) {
    case 0:
        part->kind = PEER_PART_HEADER;
        part->part_count = input[2];
        part->minutes_per_sample = input[3];
        part->samples = none;
        part->unclaimed = unclaimed_from(frame, 4);
        return 0;
    case 1:
        part->kind = PEER_PART_FIRST;
        part->time = (uint32_t)(frame.low >> 16);
        part->samples.low = frame.low >> 48 | rest << 16;
        part->samples.high = rest >> 48;
        part->samples.count = first_samples;
        part->unclaimed = none;
        return 0;
    case no_data_index:
        part->kind = PEER_PART_NO_DATA;
        part->samples = none;
        part->unclaimed = unclaimed_from(frame, 2);
        return 0;
    default:
        part->kind = PEER_PART_LATER;
        part->samples.low = frame.low >> 16 | rest << 48;
        part->samples.high = rest >> 16;
        part->samples.count = later_samples;
        part->unclaimed = none;
        return 0;
    }
}

PEER_FUNCTION(peer_heart_rate_log_part) {
    return decode_part(input, length, output, output);
}

/// Joins the frames of a day.
struct assembly {
    uint8_t has_header, has_day, part_count, minutes_per_sample;
    uint32_t time;
    uint64_t received[4];
    struct peer_log log;
};

static int32_t begin(struct assembly *assembly, const struct peer_log_part *part, void *error) {
    if (part->part_count < 2) return failed(error, 4, 2, 2, part->part_count);
    if (!assembly->has_header || assembly->part_count != part->part_count
        || assembly->minutes_per_sample != part->minutes_per_sample) {
        free(assembly->log.values);
        memset(assembly, 0, sizeof *assembly);
        assembly->has_header = 1;
        assembly->part_count = part->part_count;
        assembly->minutes_per_sample = part->minutes_per_sample;
        assembly->log.count = first_samples + (size_t)(part->part_count - 2) * later_samples;
        assembly->log.values = calloc(assembly->log.count, 1);
    }
    assembly->received[0] |= 1;
    return 0;
}

static int32_t store(struct assembly *assembly, const struct peer_log_part *part, void *error) {
    int index = part->index;
    if (!assembly->has_header || index >= assembly->part_count)
        return failed(error, 5, 1, assembly->part_count - 1, index);
    if (index == 1) {
        if (assembly->has_day && assembly->time != part->time) {
            memset(assembly->received, 0, sizeof assembly->received);
            assembly->received[0] = 1;
            memset(assembly->log.values, 0, assembly->log.count);
        }
        assembly->has_day = 1;
        assembly->time = part->time;
    }
    size_t start = index <= 1 ? 0 : first_samples + (size_t)(index - 2) * later_samples;
    memcpy(assembly->log.values + start, &part->samples, (size_t)part->samples.count);
    assembly->received[index >> 6] |= 1ull << (index & 63);
    return 0;
}

static int first_missing(const struct assembly *assembly) {
    for (int word = 0; word < 4; word++)
        if (~assembly->received[word])
            return 64 * word + __builtin_ctzll(~assembly->received[word]);
    return 256;
}

/// 0: goes on; -1: complete.
static int32_t receive(
    struct assembly *assembly, const uint8_t *input, ptrdiff_t length, void *error
) {
    struct peer_log_part part;
    int32_t failure = decode_part(input, length, &part, error);
    if (failure) return failure;
    if (part.kind == PEER_PART_NO_DATA) return 6;
    if (part.kind == PEER_PART_HEADER) return begin(assembly, &part, error);
    failure = store(assembly, &part, error);
    if (failure) return failure;
    int missing = first_missing(assembly);
    if (missing == assembly->part_count && assembly->has_day) return -1;
    if (part.index == assembly->part_count - 1) return failed(error, 7, 1, missing, 0);
    return 0;
}

PEER_FUNCTION(peer_heart_rate_log_day) {
    struct assembly assembly;
    memset(&assembly, 0, sizeof assembly);
    int32_t state = 0;
    for (ptrdiff_t offset = 0; offset + 16 <= length && state == 0; offset += 16)
        state = receive(&assembly, input + offset, 16, output);
    if (state == -1) {
        assembly.log.time = assembly.time;
        assembly.log.minutes_per_sample = assembly.minutes_per_sample;
        benchmark_sink(assembly.log.values, (ptrdiff_t)assembly.log.count);
        state = 0;
    } else if (state == 0) {
        state = 8;
    }
    free(assembly.log.values);
    return state;
}
