import HaloProtocol

/// The decoders.
extension CaptureCheck {
    mutating func check(_ readings: CaptureReadings) {
        for reading in readings.all { check(reading) }
        counts.longReplies = readings.joined.count
        for joined in readings.joined where joined.frames != joined.split {
            let reading = readings.all[joined.last]
            note(
                .splitting, .difference, reading,
                "the reply of \(joined.frames.count) frames splits into \(joined.split.count)")
        }
    }

    private mutating func check(_ reading: CaptureReading) {
        counts.packets += 1
        switch reading.status {
        case .decoded: counts.decoded += 1
        case .refused: counts.refused += 1
        case .unknown: counts.unknown += 1
        }
        if let stated = reading.stated {
            if stated != reading.verdict {
                note(
                    .reading, .difference, reading,
                    "the file says \(stated.text), the decoders \(reading.verdict.text)")
            } else if reading.exception != nil, case .fails = stated {
                // A packet that may be broken where no other may.
                note(.unreadable, .difference, reading, stated.text)
            }
        } else if case .fails(let reason) = reading.verdict {
            note(.unreadable, .difference, reading, reason)
        } else if reading.status == .unknown, reading.packet.channel.packetKind != nil {
            note(
                .unknown, .note, reading,
                "nobody has described this packet of \(reading.packet.channel.words)")
        }
        if let reencoded = reading.reencoded {
            note(
                .encoding, .difference, reading,
                "it encodes to \(HexText.bytes(reencoded, separator: " "))")
        }
    }
}

extension CaptureReading.Verdict {
    /// The lines as a file has them, on one line.
    var text: String {
        switch self {
        case .reads(let readings):
            readings.isEmpty ? "nothing" : readings.map { "= \($0)" }.joined(separator: " ")
        case .fails(let error): "! \(error)"
        }
    }
}
