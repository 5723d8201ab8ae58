static inline int32_t decode_measurement(
    const uint8_t *input, ptrdiff_t length, struct peer_measurement_result *measurement, void *error
) {
    if (length < 1) return failed(error, 1, 0, 1, length);
    uint8_t flags = input[0];
    ptrdiff_t position = 1;
    measurement->flags = flags;
    if (flags & 1) {
        if (length - position < 2) return failed(error, 1, position, 2, length - position);
        measurement->beats_per_minute = load16(input + position);
        position += 2;
    } else {
        if (length - position < 1) return failed(error, 1, position, 1, length - position);
        measurement->beats_per_minute = input[position];
        position += 1;
    }
    measurement->has_energy = (flags & 8) != 0;
    measurement->energy_kilojoules = 0;
    if (flags & 8) {
        if (length - position < 2) return failed(error, 1, position, 2, length - position);
        measurement->energy_kilojoules = load16(input + position);
        position += 2;
    }
    measurement->many = NULL;
    measurement->rr_count = 0;
    if (flags & 16) {
        ptrdiff_t rest = length - position;
        if (rest & 1) return failed(error, 1, length - 1, 2, 1);
        measurement->rr_count = (size_t)rest / 2;
        uint16_t *intervals = measurement->few;
        if (measurement->rr_count > PEER_FEW_INTERVALS)
            intervals = measurement->many = malloc((size_t)rest);
        for (size_t index = 0; index < measurement->rr_count; index++)
            intervals[index] = load16(input + position + 2 * index);
        position = length;
    }
    if (position != length) return failed(error, 9, position, 0, length - position);
    return 0;
}

PEER_FUNCTION(peer_measurement) {
    return decode_measurement(input, length, output, output);
}
