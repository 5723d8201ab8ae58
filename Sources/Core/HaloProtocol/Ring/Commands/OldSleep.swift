/// The sleep of a day, from rings without the big-data record ``Sleep``.
///
///     → 44 daysAgo 0F first last 01    as for ``ActivityLog``
///     ← 44 F0 count …                  header: records that follow
///     ← 44 14 bytes                    a record
///     ← 44 FF …                        no data for that day
///
/// Several sources describe the shape as that of ``ActivityLog``; there is no capture. The content
/// of a record is not known, so records are kept as bytes. Rings whose capabilities have the new
/// sleep protocol do not use this command.
public enum OldSleep: DayCommand, ManyFrameCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x44, "OldSleep", "sleep, in the older way", .severalSources, onlyReads: true)
    }

    /// The bytes after the day, in the order of ``ActivityLog``: a whole day.
    public static var bytesAfterDay: InlineBytes {
        [ActivityLog.minutesPerSlot, 0, ActivityLog.lastSlot, 1]
    }

    /// Returns `nil`: no frame is known to contain the day.
    public static func day(of frame: Frame) -> DaysAgo? { nil }

    /// One frame of the reply.
    public enum Part: PartPacket {
        public typealias Owner = OldSleep

        case header(Header)
        /// The bytes of an undescribed record, without trailing zeros.
        case record(InlineBytes)
        case noData(Header)

        @inlinable
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            switch try io.partKind(packet?.kind) {
            case .header: self = .header(try Header(&io, packet?.header))
            case .noData: self = .noData(try Header(&io, packet?.header))
            case .record: self = .record(try io.unclaimed(packet?.record))
            }
        }

        @usableFromInline var kind: PartKind {
            switch self {
            case .header: .header
            case .noData: .noData
            case .record: .record
            }
        }

        @usableFromInline var header: Header? {
            switch self {
            case .header(let header), .noData(let header): header
            case .record: nil
            }
        }

        @usableFromInline var record: InlineBytes? {
            if case .record(let record) = self { record } else { nil }
        }

        public var isFirst: Bool { kind != .record }
    }

    /// The frame before the records, or the only frame of a day without data.
    public struct Header: Hashable, Sendable {
        @usableFromInline package var recordCount: UInt8
        /// The bytes after the fields; never seen.
        @usableFromInline package let unclaimed: InlineBytes

        package init(recordCount: UInt8, unclaimed: InlineBytes = InlineBytes()) {
            self.recordCount = recordCount
            self.unclaimed = unclaimed
        }

        @inlinable
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            recordCount = try io.uint8("recordCount", packet?.recordCount, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The records of a day.
    public struct Reply: ManyFrameReply {
        /// The bytes of each record in the order of arrival, without trailing zeros.
        public let records: [InlineBytes]
        /// The bytes after the header's count.
        let headerRest: InlineBytes

        /// The header and the records, as a ring sends them.
        public var frames: [Frame] {
            let count = UInt8(clamping: records.count)
            let header = Part.header(Header(recordCount: count, unclaimed: headerRest)).frame
            return [header] + records.map { Part.record($0).frame }
        }

        /// The text that fixtures and captures show.
        public var description: String {
            let texts = records.map { HexText.bytes($0, separator: " ") }
            return "OldSleep.Reply(records: [\(texts.joined(separator: ", "))])"
        }
    }

    /// Joins the frames by their number.
    ///
    /// A record with the bytes of an earlier one is a repeat. Every header drops the earlier
    /// records, since no field of a record is known to be its index.
    public struct Assembly: ReplyAssembly {
        private var header: Header?
        private var records: [InlineBytes] = []

        public init() {}

        /// `false`: no field of a record is known to be its index.
        public static var joinsAnswers: Bool { false }

        /// The records so far; `nil` before the header.
        public var partial: Reply? {
            header.map { Reply(records: records, headerRest: $0.unclaimed) }
        }

        /// Receives one frame; returns the log once it has the announced number of records.
        public mutating func receive(_ part: Part) throws(PacketError) -> Answer<Reply>? {
            switch part {
            case .noData:
                return .noData
            case .header(let header):
                self.header = header
                records = []
            case .record(let record):
                guard let header else {
                    throw PacketError(
                        .outOfOrder, packet: Part.name, field: "unclaimed", at: 1, found: 0)
                }
                guard records.count < Int(header.recordCount), !records.contains(record) else {
                    return nil
                }
                records.append(record)
            }
            guard let header, records.count == Int(header.recordCount) else { return nil }
            return .value(Reply(records: records, headerRest: header.unclaimed))
        }
    }
}
