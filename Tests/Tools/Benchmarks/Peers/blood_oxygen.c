/// A big-data frame: its payload is copied, as the peer keeps frames and records apart.
struct big_data_frame {
    uint8_t id;
    uint8_t *payload;
    size_t length;
};

static inline int32_t decode_big_data(
    const uint8_t *input, ptrdiff_t length, struct big_data_frame *frame, void *error
) {
    if (length < 6) return failed(error, 1, 0, 6, length);
    if (input[0] != 0xBC) return failed(error, 10, 0, 0xBC, input[0]);
    ptrdiff_t expected = 6 + load16(input + 2);
    if (length != expected) return failed(error, 1, 0, expected, length);
    uint16_t crc = crc_by_16(0xFFFF, input + 6, length - 6);
    if (crc != load16(input + 4)) return failed(error, 2, 4, crc, load16(input + 4));
    frame->id = input[1];
    frame->length = (size_t)length - 6;
    frame->payload = malloc(frame->length);
    memcpy(frame->payload, input + 6, frame->length);
    return 0;
}

PEER_FUNCTION(peer_blood_oxygen_record) {
    struct big_data_frame frame;
    int32_t failure = decode_big_data(input, length, &frame, output);
    if (failure) return failure;
    size_t count = frame.length / sizeof(struct peer_oxygen_day);
    struct peer_oxygen_day *days = NULL;
    if (frame.id != 0x2A) {
        failure = failed(output, 3, 0, 0x2A, frame.id);
    } else if (count * sizeof(struct peer_oxygen_day) != frame.length) {
        failure = failed(output, 1, (int64_t)(count * sizeof *days), sizeof *days, 0);
    } else {
        days = malloc(count * sizeof *days);
        for (size_t index = 0; index < count; index++) {
            const uint8_t *day = frame.payload + index * sizeof *days;
            days[index].days_ago = day[0];
            memcpy(days[index].values, day + 1, sizeof days[index].values);
        }
        benchmark_sink(days, (ptrdiff_t)(count * sizeof *days));
    }
    free(days);
    free(frame.payload);
    return failure;
}
