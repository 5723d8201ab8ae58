/// One frame of a ``SlotLog``.
public struct SlotLogPart<Owner: SlotLogCommand>: PartPacket {
    /// The four kinds of frames.
    @usableFromInline
    package enum Content: Hashable, Sendable {
        case header(Header)
        /// The day, and the samples from midnight on.
        case first(Owner.Day, InlineBytes)
        /// The index of the frame, 2 to 254, and the samples after those of the previous frame.
        case later(UInt8, InlineBytes)
        case noData

        @inlinable @inline(__always)
        var index: UInt8 {
            switch self {
            case .header: 0
            case .first: 1
            case .later(let index, _): index
            case .noData: noDataIndex
            }
        }

        @inlinable @inline(__always)
        var header: Header? {
            if case .header(let header) = self { header } else { nil }
        }

        @inlinable @inline(__always)
        var day: Owner.Day? {
            if case .first(let day, _) = self { day } else { nil }
        }

        @inlinable @inline(__always)
        var samples: InlineBytes? {
            switch self {
            case .first(_, let samples), .later(_, let samples): samples
            case .header, .noData: nil
            }
        }
    }

    /// The frame before the samples.
    @usableFromInline
    package struct Header: Hashable, Sendable {
        /// The number of frames of the reply, including this one.
        @usableFromInline package var partCount: UInt8
        @usableFromInline package var minutesPerSample: UInt8

        @inlinable @inline(__always)
        package init(partCount: UInt8, minutesPerSample: UInt8) {
            self.partCount = partCount
            self.minutesPerSample = minutesPerSample
        }
    }

    @usableFromInline package let content: Content
    @usableFromInline package let unclaimed: InlineBytes

    @usableFromInline static var noDataIndex: UInt8 { 0xFF }

    package init(_ content: Content, unclaimed: InlineBytes = InlineBytes()) {
        self.content = content
        self.unclaimed = unclaimed
    }

    public var isFirst: Bool {
        switch content {
        case .header, .noData: true
        case .first, .later: false
        }
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
            content = .first(
                try Owner.Day(&io, packet?.content.day),
                try Self.samples(1, &io, packet?.content.samples))
        case Self.noDataIndex:
            io.means { "no data" }
            content = .noData
        default:
            content = .later(index, try Self.samples(index, &io, packet?.content.samples))
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
