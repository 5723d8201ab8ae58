// Replies of one frame. Codes that nobody knows are kept as they are, as the peer keeps them.

PEER_FUNCTION(peer_realtime_reply) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, output);
    if (failure) return failure;
    if (input[0] != 0x69) return failed(output, 3, 0, 0x69, input[0]);
    struct peer_realtime *reply = output;
    reply->quantity = input[1];
    reply->fault = input[2];
    reply->value = input[3];
    reply->second = input[4];
    reply->third = input[5];
    reply->beat_interval = load16(input + 6);
    uint64_t rest = frame.high & without_checksum;
    reply->unclaimed = trimmed(rest, 0);
    return 0;
}

PEER_FUNCTION(peer_set_time_reply) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, output);
    if (failure) return failure;
    if (input[0] != 0x01) return failed(output, 3, 0, 0x01, input[0]);
    struct peer_capabilities *reply = output;
    reply->temperature = input[1];
    reply->watch_faces = input[2];
    reply->menstruation = input[3];
    reply->features4 = input[4];
    reply->screen_width = load16(input + 5);
    reply->screen_height = load16(input + 7);
    reply->new_sleep_protocol = input[9];
    reply->custom_watch_faces = input[10];
    reply->features11 = input[11];
    reply->features12 = input[12];
    reply->contact_tens = input[13];
    reply->features14 = input[14];
    return 0;
}

static inline uint32_t load24_big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
}

static inline uint16_t load16_big_endian(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

PEER_FUNCTION(peer_daily_totals_part) {
    struct words frame;
    int32_t failure = decode_frame(input, length, &frame, output);
    if (failure) return failure;
    if (input[0] != 0x07) return failed(output, 3, 0, 0x07, input[0]);
    if (input[1] > 1) return failed(output, 11, 1, 1, input[1]);
    struct peer_totals *part = output;
    part->index = input[1];
    part->days_ago = input[2];
    part->year = input[3];
    part->month = input[4];
    part->day = input[5];
    part->numbers[0] = load24_big_endian(input + 6);
    if (part->index == 0) {
        part->numbers[1] = load24_big_endian(input + 9);
        part->numbers[2] = load24_big_endian(input + 12);
        part->unclaimed = trimmed(0, 0);
    } else {
        part->numbers[1] = load16_big_endian(input + 9);
        part->numbers[2] = load16_big_endian(input + 11);
        part->unclaimed = trimmed((frame.high & without_checksum) >> 40, 0);
    }
    return 0;
}
