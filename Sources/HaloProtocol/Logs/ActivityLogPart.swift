/// One frame of an ``ActivityLog``.
public enum ActivityLogPart: PartPacket {
    public typealias Owner = ActivityLog

    /// How many records there are.
    case header(Header)
    /// One slot of the day.
    case record(Place, Record)
    /// Nothing is stored for the day.
    case noData(Header)

    @usableFromInline static var headerKind: UInt8 { 0xF0 }
    @usableFromInline static var noDataKind: UInt8 { 0xFF }

    /// Reads the first byte: a marker, or the year of a record's date.
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
            let date = try reader.decimalDate("date")
            let slot = try reader.uint8("slot")
            reader.means { ActivityLog.slots.start(of: Int(slot))?.description ?? "\(slot)" }
            let place = try Place(from: &reader)
            self = .record(place, try Record(date: date, slot: slot, from: &reader))
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
        case .record(let place, let record):
            writer.decimalDate("date", record.date)
            writer.uint8("slot", record.slot)
            place.encode(into: &writer)
            record.encode(into: &writer)
        }
    }
}

extension ActivityLogPart {
    /// What precedes the records, or says that there are none.
    public struct Header: Hashable, Sendable {
        /// How many records follow.
        public var recordCount: UInt8
        /// What the energy of the records counts.
        public var energyUnit: Reported<ActivityLog.EnergyUnit>
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A header.
        public init(recordCount: UInt8, energyUnit: ActivityLog.EnergyUnit) {
            self.init(
                recordCount: recordCount, energyUnit: Reported(energyUnit),
                unclaimed: InlineBytes())
        }

        init(
            recordCount: UInt8, energyUnit: Reported<ActivityLog.EnergyUnit>,
            unclaimed: InlineBytes
        ) {
            self.recordCount = recordCount
            self.energyUnit = energyUnit
            self.unclaimed = unclaimed
        }

        @inlinable
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            recordCount = try reader.uint8("recordCount")
            energyUnit = try reader.reported("energyUnit")
            unclaimed = try reader.unclaimed()
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint8("recordCount", recordCount)
            writer.reported("energyUnit", energyUnit)
            writer.unclaimed(unclaimed)
        }
    }

    /// Which of how many records a frame holds.
    public struct Place: Hashable, Sendable {
        /// The record's number, from 0.
        public var index: UInt8
        /// How many records there are.
        public var count: UInt8

        /// Record `index` of `count`.
        public init(index: UInt8, of count: UInt8) {
            self.index = index
            self.count = count
        }

        @inlinable
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            index = try reader.uint8("index")
            count = try reader.uint8("count")
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint8("index", index)
            writer.uint8("count", count)
        }
    }

    /// What was counted in one slot; on many rings in the hour that begins with it.
    public struct Record: Hashable, Sendable {
        /// The day, on the ring's clock, as it was sent; firmware that forgets the year says 2000.
        public let date: DecimalDate
        /// Which quarter of an hour, from 0; a day has 96.
        public let slot: UInt8
        /// Energy, in the unit that the log's header says.
        public var energy: UInt16
        /// Steps.
        public var steps: UInt16
        /// The way gone, in metres.
        public var metres: UInt16
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A record of a day of the years 2000 to 2099.
        public init(
            date: CivilDate, slot: UInt8, energy: UInt16, steps: UInt16, metres: UInt16
        ) throws(ValueError) {
            guard slot <= ActivityLog.lastSlot else {
                throw ValueError(
                    "slot", allowed: 0...Int64(ActivityLog.lastSlot), found: Int64(slot))
            }
            self.date = try DecimalDate(date)
            self.slot = slot
            self.energy = energy
            self.steps = steps
            self.metres = metres
            unclaimed = InlineBytes()
        }

        /// When the slot begins; nothing for a slot that a day does not have.
        public var start: CivilTime? { ActivityLog.slots.start(of: Int(slot)) }

        @inlinable
        init<Sink: FieldSink>(
            date: DecimalDate, slot: UInt8, from reader: inout FrameReader<Sink>
        ) throws(PacketError) {
            self.date = date
            self.slot = slot
            energy = try reader.uint16("energy")
            steps = try reader.uint16("steps", .steps)
            metres = try reader.uint16("metres", .metres)
            unclaimed = try reader.unclaimed()
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint16("energy", energy)
            writer.uint16("steps", steps)
            writer.uint16("metres", metres)
            writer.unclaimed(unclaimed)
        }
    }
}
