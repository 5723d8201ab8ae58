/// One frame of a ``SlotLog``.
public struct SlotLogPart<Owner: SlotLogCommand>: PartPacket {
    /// The four kinds of frames.
    public enum Content: Hashable, Sendable {
        case header(Header)
        case first(First)
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
        @usableFromInline package var partCount: UInt8
        @usableFromInline package var minutesPerSample: UInt8

        @inlinable @inline(__always)
        package init(partCount: UInt8, minutesPerSample: UInt8) {
            self.partCount = partCount
            self.minutesPerSample = minutesPerSample
        }
    }

    /// The frame that contains the day.
    public struct First: Hashable, Sendable {
        @usableFromInline package var day: Owner.Day
        /// The samples from midnight on.
        @usableFromInline package let samples: InlineBytes

        @inlinable @inline(__always)
        init(day: Owner.Day, samples: InlineBytes) {
            self.day = day
            self.samples = samples
        }
    }

    /// A frame with samples only.
    public struct Later: Hashable, Sendable {
        /// The index of the frame, 2 to 254.
        @usableFromInline package let index: UInt8
        /// The samples after those of the previous frame.
        @usableFromInline package let samples: InlineBytes

        @inlinable @inline(__always)
        init(index: UInt8, samples: InlineBytes) {
            self.index = index
            self.samples = samples
        }
    }

    public let content: Content
    @usableFromInline package let unclaimed: InlineBytes

    @usableFromInline static var noDataIndex: UInt8 { 0xFF }

    @inlinable @inline(__always)
    public init(_ content: Content) {
        self.init(content, unclaimed: InlineBytes())
    }

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
