/// A day of sleep, from rings that do not know the big-data record for it.
///
///     → 44 daysAgo 0F first last 01    as for ``ActivityLog``
///     ← 44 F0 count …                  header: records that follow
///     ← 44 14 bytes                    a record
///     ← 44 FF …                        nothing stored for that day
///
/// Several sources say that it has the shape of ``ActivityLog``; there is no capture, and what a
/// record holds is not known: records are kept as bytes. Rings whose capabilities name the new
/// sleep protocol do not use it.
public enum OldSleep: RequestCommand, ManyFrameCommand {
    @inlinable public static var opcode: UInt8 { 0x44 }
    @inlinable public static var name: FieldName { "OldSleep" }
    @inlinable public static var title: FieldName { "sleep, in the older way" }
    @inlinable public static var evidence: Evidence { .severalSources }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for one day.
    public struct Request: RequestPacket {
        public typealias Owner = OldSleep

        /// The wanted day.
        public var day: DaysAgo
        /// What follows the day, in the order of ``ActivityLog``.
        public let rest: InlineBytes

        /// Asks for a whole day, with the bytes that ``ActivityLog`` asks with.
        public init(day: DaysAgo) {
            self.day = day
            rest = [ActivityLog.minutesPerSlot, 0, ActivityLog.lastSlot, 1]
        }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            day = try DaysAgo(from: &reader)
            rest = try reader.unclaimed()
        }

        public func encode(into writer: inout FrameWriter) {
            day.encode(into: &writer)
            writer.unclaimed(rest)
        }
    }

    /// One frame of the answer.
    public enum Part: PartPacket {
        public typealias Owner = OldSleep

        /// How many records follow.
        case header(Header)
        /// A record, as it was sent.
        case record(Record)
        /// Nothing is stored for the day.
        case noData(Header)

        @usableFromInline static var headerKind: UInt8 { ActivityLogPart.headerKind }
        @usableFromInline static var noDataKind: UInt8 { ActivityLogPart.noDataKind }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            switch reader.upcoming {
            case Self.headerKind:
                _ = try reader.structure("kind", Self.headerKind...Self.headerKind)
                reader.means { "header" }
                self = .header(try Header(from: &reader))
            case Self.noDataKind:
                _ = try reader.structure("kind", Self.noDataKind...Self.noDataKind)
                reader.means { "no data" }
                self = .noData(try Header(from: &reader))
            default:
                self = .record(Record(bytes: try reader.unclaimed()))
            }
        }

        public func encode(into writer: inout FrameWriter) {
            switch self {
            case .header(let header):
                writer.marker("kind", Self.headerKind)
                header.encode(into: &writer)
            case .noData(let header):
                writer.marker("kind", Self.noDataKind)
                header.encode(into: &writer)
            case .record(let record):
                writer.unclaimed(record.bytes)
            }
        }
    }

    /// What precedes the records, or says that there are none.
    public struct Header: Hashable, Sendable {
        /// How many records follow.
        public var recordCount: UInt8
        /// What follows; never seen.
        public let unclaimed: InlineBytes

        /// A header.
        public init(recordCount: UInt8) {
            self.init(recordCount: recordCount, unclaimed: InlineBytes())
        }

        init(recordCount: UInt8, unclaimed: InlineBytes) {
            self.recordCount = recordCount
            self.unclaimed = unclaimed
        }

        @inlinable
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            recordCount = try reader.uint8("recordCount")
            unclaimed = try reader.unclaimed()
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint8("recordCount", recordCount)
            writer.unclaimed(unclaimed)
        }
    }

    /// A record that nobody has described.
    public struct Record: Hashable, Sendable {
        /// The bytes of the frame's payload, without the zeros at their end.
        public let bytes: InlineBytes

        @usableFromInline init(bytes: InlineBytes) {
            self.bytes = bytes
        }
    }

    /// The records of a day.
    public struct Reply: ManyFrameReply {
        /// The records, in the order in which they came.
        public let records: [Record]
        /// What the header held behind the count.
        let headerRest: InlineBytes

        /// The header and the records, as a ring sends them.
        public var frames: [Frame] {
            let count = UInt8(clamping: records.count)
            let header = Part.header(Header(recordCount: count, unclaimed: headerRest)).frame
            return [header] + records.map { Part.record($0).frame }
        }

        /// The records as captures write them.
        public var description: String {
            let texts = records.map { HexText.bytes($0.bytes, separator: " ") }
            return "OldSleep.Reply(records: [\(texts.joined(separator: ", "))])"
        }
    }

    /// Joins the frames by counting them.
    ///
    /// A record whose bytes came before is a repeat; every header starts anew, since nobody knows
    /// where in a record its place is said.
    public struct Assembly: ReplyAssembly {
        private var header: Header?
        private var records: [Record] = []

        /// Starts with nothing received.
        public init() {}

        /// They may not: nobody knows where in a record its place is said.
        public static var joinsAnswers: Bool { false }

        /// Whether a frame is a header, or says that nothing is stored.
        public static func begins(_ frame: Frame) -> Bool {
            switch try? Part(decoding: frame) {
            case .header, .noData: true
            case .record, nil: false
            }
        }

        /// The records that came, if the header did.
        public var partial: Reply? {
            header.map { Reply(records: records, headerRest: $0.unclaimed) }
        }

        /// Takes one frame in; answers when as many records came as were announced.
        public mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>? {
            if frame.refusedOpcode == OldSleep.opcode { return .refused }
            switch try Part(decoding: frame) {
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
