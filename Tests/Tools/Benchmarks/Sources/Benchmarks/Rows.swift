import HaloProtocol
import Instruments
import PeersO2
import PeersO3
import Subjects

extension Row {
    /// All rows, in the order of the table.
    static var all: [Row] { [call] + frames + measurements + long + checksums }

    /// The cost of a call, which is part of every other row.
    private static var call: Row {
        Row(
            name: "an empty call", inputs: Inputs { $0.bytes(16) }, subject: doNothing,
            peers: [peer_nothing_o2, peer_nothing_o3])
    }

    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let bytes = [opcode] + payload + [UInt8](repeating: 0, count: 14 - payload.count)
        return bytes + [bytes.reduce(0, &+)]
    }

    private static func batteryFrame(_ noise: inout Noise) -> [UInt8] {
        let tail = noise.bytes(Int(noise.byte(below: 3)))
        return frame(0x03, [noise.byte(below: 101), noise.byte(below: 2)] + tail)
    }

    private static var frames: [Row] {
        [
            Row(
                name: "frame, decode", inputs: Inputs(batteryFrame),
                subject: decodeFrame,
                peers: [peer_frame_decode_o2, peer_frame_decode_o3],
                limits: Limits(ratio: 1.2, allocations: 0),
                agrees: isSame(Frame.self)),
            Row(
                name: "frame, encode",
                inputs: Inputs { [$0.byte(below: 101), $0.byte(below: 2)] },
                subject: encodeFrame,
                peers: [peer_frame_encode_o2, peer_frame_encode_o3],
                limits: Limits(ratio: 1.2, allocations: 0),
                agrees: isSame(Frame.self)),
            Row(
                name: "frame to battery level", inputs: Inputs(batteryFrame),
                subject: decodeBattery,
                peers: [peer_battery_reply_o2, peer_battery_reply_o3],
                limits: Limits(ratio: 1.2, allocations: 0),
                agrees: isSameBattery),
            Row(
                name: "frame to realtime measurement",
                inputs: Inputs { noise in
                    let codes = [noise.byte(below: 12), noise.byte(below: 3)]
                    return frame(0x69, codes + noise.bytes(5))
                },
                subject: decodeRealtimeMeasurement,
                peers: [peer_realtime_reply_o2, peer_realtime_reply_o3],
                limits: Limits(ratio: 1.3, allocations: 0)),
            Row(
                name: "frame to capabilities",
                inputs: Inputs { noise in frame(0x01, noise.bytes(14)) },
                subject: decodeSetTime,
                peers: [peer_set_time_reply_o2, peer_set_time_reply_o3],
                limits: Limits(ratio: 1.3, allocations: 0)),
            Row(
                name: "frame to half of a day's totals",
                inputs: Inputs { noise in
                    let day: [UInt8] = [0x01, 0x25, 0x12, 0x04]
                    return frame(0x07, [noise.byte(below: 2)] + day + noise.bytes(9))
                },
                subject: decodeDailyTotals,
                peers: [peer_daily_totals_part_o2, peer_daily_totals_part_o3],
                limits: Limits(ratio: 1.3, allocations: 0)),
            Row(
                name: "frame to part of a heart-rate log",
                inputs: Inputs { noise in heartRatePart(noise.byte(below: 24), &noise) },
                subject: decodeHeartRateLogPart,
                peers: [peer_heart_rate_log_part_o2, peer_heart_rate_log_part_o3],
                limits: Limits(ratio: 1.3, allocations: 0)),
        ]
    }

    private static var measurements: [Row] {
        (0...9).map { count in
            Row(
                name: "heart-rate measurement, \(count) RR intervals",
                inputs: Inputs { measurement(intervals: count, &$0) },
                subject: decodeMeasurement,
                peers: [peer_measurement_o2, peer_measurement_o3],
                limits: Limits(ratio: count == 0 ? 1.2 : 1.3, allocations: 0),
                agrees: isSameMeasurement)
        }
    }

    private static func measurement(intervals count: Int, _ noise: inout Noise) -> [UInt8] {
        [noise.byte(below: 8) & 6 | (count > 0 ? 16 : 0), noise.byte()] + noise.bytes(2 * count)
    }

    private static var long: [Row] {
        [
            Row(
                name: "day of heart rates, 24 frames",
                inputs: Inputs(count: 32) { noise in
                    let second = UInt32.random(in: 1_700_000_000..<1_800_000_000, using: &noise)
                    return (0..<24).flatMap { heartRatePart($0, &noise, second: second) }
                },
                subject: joinHeartRateDay,
                peers: [peer_heart_rate_log_day_o2, peer_heart_rate_log_day_o3],
                limits: Limits(ratio: 1.5, allocations: 1)),
            Row(
                name: "blood oxygen, 10 KB",
                inputs: Inputs(count: 8) { bigData(0x2A, $0.bytes(209 * 49)) },
                subject: decodeBloodOxygen,
                peers: [peer_blood_oxygen_record_o2, peer_blood_oxygen_record_o3],
                limits: Limits(ratio: 1.3, allocations: 2),
                comparesSink: false),
        ]
    }

    private static var checksums: [Row] {
        [("10 KB", 10_240, 8), ("a day of blood oxygen", 49, 256)].map { title, length, count in
            Row(
                name: "CRC-16, \(title)",
                inputs: Inputs(count: count) { $0.bytes(length) },
                subject: checksumBytes,
                peers: [
                    peer_crc16_by_16_o2, peer_crc16_by_16_o3,
                    peer_crc16_by_8_o2, peer_crc16_by_8_o3,
                    peer_crc16_bytes_o2, peer_crc16_bytes_o3,
                ],
                limits: Limits(ratio: 1.1, allocations: 0),
                agrees: isSame(UInt16.self))
        }
    }

    private static func heartRatePart(
        _ index: UInt8, _ noise: inout Noise, second: UInt32 = 1_750_000_000
    ) -> [UInt8] {
        switch index {
        case 0: return frame(0x15, [0, 24, 5])
        case 1:
            let time = withUnsafeBytes(of: second.littleEndian) { Array($0) }
            return frame(0x15, [1] + time + noise.bytes(9))
        default: return frame(0x15, [index] + noise.bytes(13))
        }
    }

    private static func bigData(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        (try? BigDataFrame(id: id, payload: payload))?.bytes ?? []
    }
}

private func isSame<Value: Equatable>(
    _ type: Value.Type
) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    { $0.load(as: type) == $1.load(as: type) }
}

private func isSameBattery(_ ours: UnsafeRawPointer, _ theirs: UnsafeRawPointer) -> Bool {
    let ours = ours.load(as: Battery.Reply.self)
    let theirs = theirs.load(as: peer_battery.self)
    let unclaimed = withUnsafeBytes(of: theirs.unclaimed) {
        let count = Int(theirs.unclaimed.count)
        let rest = ours.frame.bytes.dropFirst(3).prefix(12)
        return $0.prefix(count).elementsEqual(rest.prefix(count))
            && rest.dropFirst(count).allSatisfy { $0 == 0 }
    }
    return ours.percent == theirs.percent && ours.charging.rawValue == theirs.charging
        && unclaimed
}

private func isSameMeasurement(_ ours: UnsafeRawPointer, _ theirs: UnsafeRawPointer) -> Bool {
    let ours = ours.load(as: HeartRateMeasurement.self)
    let theirs = theirs.load(as: peer_measurement_result.self)
    return ours.beatsPerMinute == theirs.beats_per_minute
        && (ours.energyKilojoules != nil) == (theirs.has_energy != 0)
        && ours.energyKilojoules ?? 0 == theirs.energy_kilojoules
        && withUnsafeBytes(of: theirs.few) { few in
            few.bindMemory(to: UInt16.self).prefix(theirs.rr_count).elementsEqual(ours.rrIntervals)
        }
}
