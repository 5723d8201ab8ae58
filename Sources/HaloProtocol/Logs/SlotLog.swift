/// A command whose answer is a day of samples at equal distances, cut into many frames.
///
///     ← op 00 count minutes            header: frames in all, and minutes per sample
///     ← op 01 day samples…             day is 1 or 4 bytes, samples fill the frame
///     ← op n  13 samples               n = 2 … count − 1
///     ← op FF                          nothing stored
///
/// 0 is "no sample". The last frames hold more samples than the day has slots; those stay zero.
public protocol SlotLogCommand: Command {
    /// How the second frame says which day it is.
    associatedtype Day: SlotLogDay
    /// What a sample counts.
    static var unit: FieldUnit { get }
}

/// How a log says which day it is of.
public protocol SlotLogDay: Hashable, Sendable, CustomStringConvertible {
    /// How many samples follow it in its frame.
    static var samplesBeside: Int { get }
    /// Reads it.
    @inlinable
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError)
    /// Writes it.
    func encode(into writer: inout FrameWriter)
}

/// A day of samples at equal distances.
public struct SlotLog<Owner: SlotLogCommand>: ManyFrameReply {
    /// Which day: as the ring repeats it from the request.
    public let day: Owner.Day
    /// How many minutes lie between two samples.
    public let minutesPerSample: UInt8
    /// Every sample sent, also those behind the end of the day.
    public let values: [UInt8]
    /// What the header held behind its fields; zeros so far.
    @usableFromInline let headerRest: InlineBytes

    @inlinable
    init(
        day: Owner.Day, header: SlotLogPart<Owner>.Header, rest: InlineBytes = InlineBytes(),
        unchecked values: [UInt8]
    ) {
        self.day = day
        minutesPerSample = header.minutesPerSample
        headerRest = rest
        self.values = values
    }

    /// A day of samples; what is missing at the end of the last frame is filled with zeros.
    public init(
        day: Owner.Day, minutesPerSample: UInt8, samples: [UInt8]
    ) throws(ValueError) {
        let most = SlotLogShape<Owner>.values(in: .max)
        guard samples.count <= most else {
            throw ValueError("samples", allowed: 0...Int64(most), found: Int64(samples.count))
        }
        let parts = SlotLogShape<Owner>.parts(for: samples.count)
        let full = SlotLogShape<Owner>.values(in: parts)
        let padding = [UInt8](repeating: 0, count: full - samples.count)
        self.init(
            day: day,
            header: SlotLogPart.Header(partCount: parts, minutesPerSample: minutesPerSample),
            unchecked: samples + padding)
    }

    /// How the day is cut.
    public var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSample) }

    /// The samples of the day's slots, 0 where there is none; the first is midnight's.
    ///
    /// There are fewer than ``slots`` has where a ring sent fewer.
    public var samples: ArraySlice<UInt8> { values.prefix(slots.count) }

    /// The log as the frames that a ring sends.
    public var frames: [Frame] {
        let count = SlotLogShape<Owner>.parts(for: values.count)
        let header = SlotLogPart<Owner>(
            .header(SlotLogPart.Header(partCount: count, minutesPerSample: minutesPerSample)),
            unclaimed: headerRest)
        var frames = [header.frame]
        frames.reserveCapacity(Int(count))
        var rest = values[...]
        for index in 1..<max(count, 2) {
            let length = SlotLogShape<Owner>.samples(inPart: index)
            let samples = InlineBytes(prefix: rest.prefix(length))
            rest = rest.dropFirst(length)
            let part: SlotLogPart<Owner> =
                index == 1
                ? SlotLogPart(.first(SlotLogPart<Owner>.First(day: day, samples: samples)))
                : SlotLogPart(.later(SlotLogPart<Owner>.Later(index: index, samples: samples)))
            frames.append(part.frame)
        }
        return frames
    }
}

extension SlotLog {
    /// The log as captures write it.
    public var description: String {
        "\(Owner.name).Reply(day: \(day), minutesPerSample: \(minutesPerSample), "
            + "samples: \(Array(samples)))"
    }
}

/// Which part of a log holds which samples.
@usableFromInline
enum SlotLogShape<Owner: SlotLogCommand> {
    @inlinable static var laterSamples: Int { 13 }
    @inlinable static var leastParts: UInt8 { 2 }

    @inlinable @inline(__always)
    static func samples(inPart index: UInt8) -> Int {
        index <= 1 ? Owner.Day.samplesBeside : laterSamples
    }

    @inlinable @inline(__always)
    static func values(in parts: UInt8) -> Int {
        parts < leastParts ? 0 : Owner.Day.samplesBeside + (Int(parts) - 2) * laterSamples
    }

    @inlinable @inline(__always)
    static func parts(for values: Int) -> UInt8 {
        let rest = max(values - Owner.Day.samplesBeside, 0)
        return UInt8(clamping: 2 + (rest + laterSamples - 1) / laterSamples)
    }

    /// Where a part's samples begin.
    @inlinable @inline(__always)
    static func start(ofPart index: UInt8) -> Int { index <= 1 ? 0 : values(in: index) }
}
