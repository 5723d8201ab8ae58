/// A command whose reply is a day of samples at equal intervals, in many frames.
///
///     ← op 00 partCount minutesPerSample    header
///     ← op 01 day samples…             day is 1 or 4 bytes, samples fill the frame
///     ← op n  13 samples               n = 2 … partCount − 1
///     ← op FF                          no data
///
/// 0 is "no sample". Samples after the end of the day are zeros.
public protocol SlotLogCommand: RequestCommand, ManyFrameCommand {
    /// One frame of the reply.
    associatedtype Part = SlotLogPart<Self>
    /// The state that joins the frames.
    associatedtype Assembly = SlotLogAssembly<Self>
    /// The day in the second frame.
    associatedtype Day: SlotLogDay
    /// The unit of a sample.
    static var unit: FieldUnit { get }
    /// The quantity of a sample.
    static var quantity: BodyQuantity { get }
}

extension SlotLogCommand {
    /// The whole reply.
    public typealias Reply = SlotLog<Self>
}

/// The day of a log, as the second frame contains it.
public protocol SlotLogDay: Hashable, Sendable, CustomStringConvertible {
    /// The number of samples after the day in its frame.
    static var samplesBeside: Int { get }
    /// The layout of the day. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}

/// A day of samples at equal intervals.
public struct SlotLog<Owner: SlotLogCommand>: ManyFrameReply {
    /// The day, as the ring repeats it from the request.
    public let day: Owner.Day
    /// The interval between two samples.
    public let minutesPerSample: UInt8
    /// All samples, including those after the end of the day.
    public let values: [UInt8]
    /// The bytes after the header's fields; zeros so far.
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

    /// Creates a day of samples; the last frame is filled up with zeros.
    public init(
        day: Owner.Day, minutesPerSample: UInt8, samples: [UInt8]
    ) throws(ValueError) {
        let most = SlotLogShape<Owner>.values(in: .max)
        try ValueError.check("samples", samples.count, in: 0...Int64(most))
        let parts = SlotLogShape<Owner>.parts(for: samples.count)
        let full = SlotLogShape<Owner>.values(in: parts)
        let padding = [UInt8](repeating: 0, count: full - samples.count)
        self.init(
            day: day,
            header: SlotLogPart.Header(partCount: parts, minutesPerSample: minutesPerSample),
            unchecked: samples + padding)
    }

    /// The slots of the day.
    public var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSample) }

    /// The samples of the day's slots from midnight on, 0 for a missing one.
    ///
    /// There may be fewer samples than ``slots``.
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
    /// The text that fixtures and captures show.
    public var description: String {
        "\(Owner.name).Reply(day: \(day), minutesPerSample: \(minutesPerSample), "
            + "samples: \(Array(samples)))"
    }
}

/// The layout of a log: the samples of each part.
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

    /// Returns the index of a part's first sample.
    @inlinable @inline(__always)
    static func start(ofPart index: UInt8) -> Int { index <= 1 ? 0 : values(in: index) }
}

/// One frame of a ``SlotLog``.
public struct SlotLogPart<Owner: SlotLogCommand>: PartPacket {
    /// The four kinds of frames.
    public enum Content: Hashable, Sendable {
        /// The header, with the number of frames.
        case header(Header)
        /// The day, and its first samples.
        case first(First)
        /// More samples.
        case later(Later)
        case noData

        @inlinable @inline(__always)
        var index: UInt8 {
            switch self {
            case .header: 0
            case .first: 1
            case .later(let later): later.index
            case .noData: noDataIndex
            }
        }

        @inlinable @inline(__always)
        var header: Header? {
            if case .header(let header) = self { header } else { nil }
        }

        @inlinable @inline(__always)
        var day: Owner.Day? {
            if case .first(let first) = self { first.day } else { nil }
        }

        @inlinable @inline(__always)
        var samples: InlineBytes? {
            switch self {
            case .first(let first): first.samples
            case .later(let later): later.samples
            case .header, .noData: nil
            }
        }
    }

    /// The frame before the samples.
    public struct Header: Hashable, Sendable {
        /// The number of frames of the reply, including this one.
        public var partCount: UInt8
        /// The interval between two samples.
        public var minutesPerSample: UInt8

        @inlinable @inline(__always)
        public init(partCount: UInt8, minutesPerSample: UInt8) {
            self.partCount = partCount
            self.minutesPerSample = minutesPerSample
        }
    }

    /// The frame that contains the day.
    public struct First: Hashable, Sendable {
        public var day: Owner.Day
        /// The samples from midnight on.
        public let samples: InlineBytes

        @inlinable @inline(__always)
        init(day: Owner.Day, samples: InlineBytes) {
            self.day = day
            self.samples = samples
        }
    }

    /// A frame with samples only.
    public struct Later: Hashable, Sendable {
        /// The index of the frame, 2 to 254.
        public let index: UInt8
        /// The samples after those of the previous frame.
        public let samples: InlineBytes

        @inlinable @inline(__always)
        init(index: UInt8, samples: InlineBytes) {
            self.index = index
            self.samples = samples
        }
    }

    /// The fields of one of the four kinds of frames.
    public let content: Content
    /// The bytes after the fields; zeros so far.
    public let unclaimed: InlineBytes

    @usableFromInline static var noDataIndex: UInt8 { 0xFF }

    @inlinable @inline(__always)
    public init(_ content: Content) {
        self.init(content, unclaimed: InlineBytes())
    }

    /// Creates a frame with the bytes after its fields.
    @inlinable @inline(__always)
    init(_ content: Content, unclaimed: InlineBytes) {
        self.content = content
        self.unclaimed = unclaimed
    }

    /// The index of the frame, then the fields of its kind.
    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let index = try io.structure("index", packet?.content.index)
        switch index {
        case 0:
            let header = packet?.content.header
            content = .header(
                Header(
                    partCount: try io.uint8("partCount", header?.partCount, .open),
                    minutesPerSample: try io.uint8(
                        "minutesPerSample", header?.minutesPerSample, .open, .minutes)))
        case 1:
            let day = try Owner.Day(&io, packet?.content.day)
            content = .first(
                First(day: day, samples: try Self.samples(1, &io, packet?.content.samples)))
        case Self.noDataIndex:
            io.means { "no data" }
            content = .noData
        default:
            content = .later(
                Later(index: index, samples: try Self.samples(index, &io, packet?.content.samples)))
        }
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }

    @inlinable @inline(__always)
    static func samples<IO: FrameIO>(
        _ index: UInt8, _ io: inout IO, _ samples: InlineBytes?
    ) throws(PacketError) -> InlineBytes {
        let count = SlotLogShape<Owner>.samples(inPart: index)
        return try io.inlineBytes(
            "samples", samples, .samples(Owner.quantity), count: count, Owner.unit)
    }
}
