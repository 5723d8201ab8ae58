/// One frame of an ``ActivityLog``.
public enum ActivityLogPart: PartPacket {
    public typealias Owner = ActivityLog

    case header(Header)
    /// A record, its index from 0, and the number of records.
    case record(Record, index: UInt8, of: UInt8)
    case noData(Header)

    /// The frame by its first byte: a marker, or the year of a record's date.
    @inlinable
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        switch try io.partKind(packet?.kind) {
        case .header: self = .header(try Header(&io, packet?.header))
        case .noData: self = .noData(try Header(&io, packet?.header))
        case .record:
            let date = try io.decimalDate("date", packet?.record?.date)
            let slot = try io.uint8("slot", packet?.record?.slot, .open)
            io.means { ActivityLog.slots.start(of: Int(slot))?.description ?? "\(slot)" }
            let index = try io.uint8("index", packet?.position?.index, .open)
            let count = try io.uint8("count", packet?.position?.count, .open)
            let record = try Record(date: date, slot: slot, &io, packet?.record)
            self = .record(record, index: index, of: count)
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

    @usableFromInline var position: (index: UInt8, count: UInt8)? {
        if case .record(_, let index, let count) = self { (index, count) } else { nil }
    }

    @usableFromInline var record: Record? {
        if case .record(let record, _, _) = self { record } else { nil }
    }

    public var isFirst: Bool { kind != .record }

    /// The frame before the records, or the only frame of a day without data.
    public struct Header: Hashable, Sendable {
        @usableFromInline package var recordCount: UInt8
        @usableFromInline package var energyUnit: Reported<ActivityLog.EnergyUnit>
        @usableFromInline package let unclaimed: InlineBytes

        package init(
            recordCount: UInt8, energyUnit: Reported<ActivityLog.EnergyUnit>,
            unclaimed: InlineBytes = InlineBytes()
        ) {
            self.recordCount = recordCount
            self.energyUnit = energyUnit
            self.unclaimed = unclaimed
        }

        @inlinable
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            recordCount = try io.uint8("recordCount", packet?.recordCount, .open)
            energyUnit = try io.reported("energyUnit", packet?.energyUnit, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The counts of one slot; on many rings, of the hour that begins with the slot.
    public struct Record: Hashable, Sendable {
        /// The day on the ring's clock, as it was sent; the year is 2000 if firmware omits it.
        public let date: DecimalDate
        /// The quarter of an hour, 0 to 95.
        public let slot: UInt8
        /// The energy in the unit of the log's header.
        public var energy: UInt16
        public var steps: UInt16
        public var metres: UInt16
        @usableFromInline package var unclaimed = InlineBytes()

        /// Creates a record of a day of the years 2000 to 2099.
        public init(
            date: CivilDate, slot: UInt8, energy: UInt16, steps: UInt16, metres: UInt16
        ) throws(ValueError) {
            try ValueError.check("slot", slot, in: 0...Int64(ActivityLog.lastSlot))
            self.date = try DecimalDate(date)
            self.slot = slot
            self.energy = energy
            self.steps = steps
            self.metres = metres
        }

        /// The start of the slot, or `nil` if the day has no such slot.
        public var start: CivilTime? { ActivityLog.slots.start(of: Int(slot)) }

        @inlinable
        init<IO: FrameIO>(
            date: DecimalDate, slot: UInt8, _ io: inout IO, _ packet: Self?
        ) throws(PacketError) {
            self.date = date
            self.slot = slot
            energy = try io.uint16("energy", packet?.energy, .body(.slotEnergy))
            steps = try io.uint16("steps", packet?.steps, .body(.slotSteps), .steps)
            metres = try io.uint16("metres", packet?.metres, .body(.slotMetres), .metres)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
