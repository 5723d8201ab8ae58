/// One frame of a ``SlotLog``.
public struct SlotLogPart<Owner: SlotLogCommand>: PartPacket {
    /// Which of the four kinds of frame it is.
    public enum Content: Hashable, Sendable {
        /// How many frames there are.
        case header(Header)
        /// The day, and its first samples.
        case first(First)
        /// More samples.
        case later(Later)
        /// Nothing is stored for the day.
        case noData
    }

    /// The frame that precedes the samples.
    public struct Header: Hashable, Sendable {
        /// How many frames the answer has, with this one.
        public var partCount: UInt8
        /// How many minutes lie between two samples.
        public var minutesPerSample: UInt8

        /// A header.
        @inlinable @inline(__always)
        public init(partCount: UInt8, minutesPerSample: UInt8) {
            self.partCount = partCount
            self.minutesPerSample = minutesPerSample
        }
    }

    /// The frame with the day in it.
    public struct First: Hashable, Sendable {
        /// Which day.
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
        /// Its place among the frames, 2 to 254.
        public let index: UInt8
        /// The samples that follow those of the frame before.
        public let samples: InlineBytes

        @inlinable @inline(__always)
        init(index: UInt8, samples: InlineBytes) {
            self.index = index
            self.samples = samples
        }
    }

    /// What the frame says.
    public let content: Content
    /// What follows; zeros so far.
    public let unclaimed: InlineBytes

    @usableFromInline static var noDataIndex: UInt8 { 0xFF }

    /// A frame.
    @inlinable @inline(__always)
    public init(_ content: Content) {
        self.init(content, unclaimed: InlineBytes())
    }

    /// A frame with what followed its fields when it was read.
    @inlinable @inline(__always)
    init(_ content: Content, unclaimed: InlineBytes) {
        self.content = content
        self.unclaimed = unclaimed
    }

    /// Reads the place of the frame, then what belongs there.
    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        let index = try reader.structure("index")
        switch index {
        case 0:
            content = .header(
                Header(
                    partCount: try reader.uint8("partCount"),
                    minutesPerSample: try reader.uint8("minutesPerSample", .minutes)))
        case 1:
            let day = try Owner.Day(from: &reader)
            content = .first(First(day: day, samples: try Self.samples(1, from: &reader)))
        case Self.noDataIndex:
            reader.means { "no data" }
            content = .noData
        default:
            content = .later(
                Later(index: index, samples: try Self.samples(index, from: &reader)))
        }
        unclaimed = try reader.unclaimed()
    }

    /// Writes the same fields.
    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        switch content {
        case .header(let header):
            writer.structure("index", 0)
            writer.uint8("partCount", header.partCount)
            writer.uint8("minutesPerSample", header.minutesPerSample)
        case .first(let first):
            writer.structure("index", 1)
            first.day.encode(into: &writer)
            writer.inlineBytes(
                "samples", first.samples, count: SlotLogShape<Owner>.samples(inPart: 1))
        case .later(let later):
            writer.structure("index", later.index)
            writer.inlineBytes("samples", later.samples, count: SlotLogShape<Owner>.laterSamples)
        case .noData:
            writer.structure("index", Self.noDataIndex)
        }
        writer.unclaimed(unclaimed)
    }

    @inlinable @inline(__always)
    static func samples<Sink: FieldSink>(
        _ index: UInt8, from reader: inout FrameReader<Sink>
    ) throws(PacketError) -> InlineBytes {
        let count = SlotLogShape<Owner>.samples(inPart: index)
        return try reader.inlineBytes("samples", count: count, Owner.unit)
    }
}
