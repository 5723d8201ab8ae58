import HaloProtocol
import Testing

/// The frame of sixteen bytes in hexadecimal, or of fewer without zeros and checksum.
func frame(_ hex: String) throws -> Frame {
    let bytes = try HexText.parse(hex)
    if bytes.count == Frame.length { return try Frame(decoding: bytes) }
    return try Frame(
        opcode: try #require(bytes.first), payload: InlineBytes(prefix: bytes.dropFirst()))
}

/// A day with the same score in every slot.
func stressLog(daysAgo: UInt8, sample: UInt8) throws -> StressLog.Reply {
    try StressLog.Reply(
        day: DaysAgo(daysAgo), minutesPerSample: 30,
        samples: [UInt8](repeating: sample, count: 48))
}

/// A day with three records of the same number of steps.
func activityLog(steps: UInt16) throws -> ActivityLog.Reply {
    let day = try CivilDate(year: 2026, month: 9, day: 6)
    return try ActivityLog.Reply(
        records: (0..<3).map { index in
            try ActivityLog.Record(date: day, slot: 30 + index, energy: 7, steps: steps, metres: 9)
        })
}

/// The results of an assembly for frames in order, without its errors.
func results<Assembly: ReplyAssembly>(
    _ assembly: inout Assembly, _ frames: some Sequence<Frame>
) -> [Answer<Assembly.Reply>] {
    var results: [Answer<Assembly.Reply>] = []
    for frame in frames {
        if let answer = try? assembly.receive(frame) { results.append(answer) }
    }
    return results
}

/// An error for a packet of another kind than expected.
struct Unexpected: Error {}

/// A published night of sixteen stages; the higher byte of its checksum was mistyped.
func mistypedNight() throws -> [UInt8] {
    try HexText.parse(
        "bc272700d8800100247705c9010243050602400320021004200260031002200420022003100210041005"
            + "0c020d")
}
