// What a careful C programmer would write for the same work: the same checks, the same results,
// the same bytes kept. Compiled under two names: see PeersO2 and PeersO3.
//
// An operation takes its input and puts its result into `output`, or, where the result owns
// memory, hands it to the sink and frees it. It answers 0, or which check failed.
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define PEER_FUNCTION(name)                                                                  \
    int32_t PEER(name)(const uint8_t *input, ptrdiff_t length, void *output)

PEER_FUNCTION(peer_nothing);
PEER_FUNCTION(peer_allocate_once);
PEER_FUNCTION(peer_frame_decode);
PEER_FUNCTION(peer_frame_encode);
PEER_FUNCTION(peer_battery_reply);
PEER_FUNCTION(peer_realtime_reply);
PEER_FUNCTION(peer_set_time_reply);
PEER_FUNCTION(peer_daily_totals_part);
PEER_FUNCTION(peer_heart_rate_log_part);
PEER_FUNCTION(peer_heart_rate_log_day);
PEER_FUNCTION(peer_measurement);
PEER_FUNCTION(peer_blood_oxygen_record);
PEER_FUNCTION(peer_crc16_bytes);
PEER_FUNCTION(peer_crc16_by_8);
PEER_FUNCTION(peer_crc16_by_16);

#pragma clang assume_nonnull end
