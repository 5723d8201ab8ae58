static inline uint64_t load64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

static inline uint16_t load16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/// Two words, low byte first.
struct words {
    uint64_t low, high;
};

static const uint64_t without_checksum = 0x00FFFFFFFFFFFFFF;

static inline uint8_t frame_sum(struct words frame) {
    const uint64_t lanes = 0x00FF00FF00FF00FF;
    uint64_t rest = frame.high & without_checksum;
    uint64_t sums = (frame.low & lanes) + (frame.low >> 8 & lanes) + (rest & lanes)
        + (rest >> 8 & lanes);
    return (uint8_t)(sums * 0x0001000100010001 >> 48);
}

static int32_t failed(void *output, int64_t kind, int64_t offset, int64_t expected, int64_t found) {
    struct peer_error error = {kind, offset, expected, found};
    memcpy(output, &error, sizeof error);
    return (int32_t)kind;
}

static inline int32_t decode_frame(
    const uint8_t *input, ptrdiff_t length, struct words *frame, void *error
) {
    if (length != 16) return failed(error, 1, 0, 16, length);
    frame->low = load64(input);
    frame->high = load64(input + 8);
    uint8_t sum = frame_sum(*frame);
    if (input[15] != sum) return failed(error, 2, 15, sum, input[15]);
    return 0;
}

static inline struct peer_inline_bytes trimmed(uint64_t low, uint64_t high) {
    int bits = high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
    struct peer_inline_bytes bytes = {low, high, (bits + 7) / 8};
    return bytes;
}

/// What a frame holds from byte `start` (1 to 7) on, without its padding.
static inline struct peer_inline_bytes unclaimed_from(struct words frame, int start) {
    uint64_t rest = frame.high & without_checksum;
    return trimmed(frame.low >> 8 * start | rest << (64 - 8 * start), rest >> 8 * start);
}

PEER_FUNCTION(peer_nothing) {
    (void)input, (void)length, (void)output;
    return 0;
}

PEER_FUNCTION(peer_allocate_once) {
    (void)output;
    uint8_t *copy = malloc((size_t)length);
    memcpy(copy, input, (size_t)length);
    benchmark_sink(copy, length);
    free(copy);
    return 0;
}

PEER_FUNCTION(peer_frame_decode) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, output);
    if (failure) return failure;
    memcpy(output, &frame, sizeof frame);
    return 0;
}

PEER_FUNCTION(peer_frame_encode) {
    (void)length;
    struct words frame = {0x03 | (uint64_t)input[0] << 8 | (uint64_t)input[1] << 16, 0};
    frame.high = (uint64_t)frame_sum(frame) << 56;
    memcpy(output, &frame, sizeof frame);
    return 0;
}

PEER_FUNCTION(peer_battery_reply) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, output);
    if (failure) return failure;
    if (input[0] != 0x03) return failed(output, 3, 0, 0x03, input[0]);
    struct peer_battery *battery = output;
    battery->percent = input[1];
    battery->charging = input[2];
    battery->unclaimed = unclaimed_from(frame, 3);
    return 0;
}
