// The tables are filled before main: what C programs usually do, at no cost to the operation.
static uint16_t crc_tables[16][256];

__attribute__((constructor)) static void fill_crc_tables(void) {
    for (int byte = 0; byte < 256; byte++) {
        uint16_t remainder = (uint16_t)byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = (uint16_t)(remainder >> 1 ^ (remainder & 1 ? 0xA001 : 0));
        crc_tables[0][byte] = remainder;
    }
    for (int table = 1; table < 16; table++)
        for (int byte = 0; byte < 256; byte++) {
            uint16_t before = crc_tables[table - 1][byte];
            crc_tables[table][byte] = (uint16_t)(before >> 8 ^ crc_tables[0][before & 0xFF]);
        }
}

static inline uint16_t crc_by_byte(uint16_t crc, const uint8_t *bytes, ptrdiff_t count) {
    for (; count > 0; count--)
        crc = (uint16_t)(crc >> 8 ^ crc_tables[0][(crc ^ *bytes++) & 0xFF]);
    return crc;
}

/// Looks up the eight bytes of a word in eight tables.
static inline uint16_t crc_lookup(const uint16_t tables[8][256], uint64_t word) {
    return tables[7][word & 0xFF] ^ tables[6][word >> 8 & 0xFF] ^ tables[5][word >> 16 & 0xFF]
        ^ tables[4][word >> 24 & 0xFF] ^ tables[3][word >> 32 & 0xFF]
        ^ tables[2][word >> 40 & 0xFF] ^ tables[1][word >> 48 & 0xFF] ^ tables[0][word >> 56];
}

static inline uint16_t crc_by_8(uint16_t crc, const uint8_t *bytes, ptrdiff_t count) {
    for (; count >= 8; count -= 8, bytes += 8)
        crc = crc_lookup((const uint16_t(*)[256])crc_tables, load64(bytes) ^ crc);
    return crc_by_byte(crc, bytes, count);
}

static inline uint16_t crc_by_16(uint16_t crc, const uint8_t *bytes, ptrdiff_t count) {
    for (; count >= 16; count -= 16, bytes += 16)
        crc = crc_lookup((const uint16_t(*)[256])(crc_tables + 8), load64(bytes) ^ crc)
            ^ crc_lookup((const uint16_t(*)[256])crc_tables, load64(bytes + 8));
    return crc_by_8(crc, bytes, count);
}

PEER_FUNCTION(peer_crc16_bytes) {
    uint16_t crc = crc_by_byte(0xFFFF, input, length);
    memcpy(output, &crc, sizeof crc);
    return 0;
}

PEER_FUNCTION(peer_crc16_by_8) {
    uint16_t crc = crc_by_8(0xFFFF, input, length);
    memcpy(output, &crc, sizeof crc);
    return 0;
}

PEER_FUNCTION(peer_crc16_by_16) {
    uint16_t crc = crc_by_16(0xFFFF, input, length);
    memcpy(output, &crc, sizeof crc);
    return 0;
}
