/// The steps, energy and distance of a day, in quarters of an hour.
///
///     → 43 daysAgo 0F first last 01    0F: minutesPerSlot; first and last slot: 00, 5F for all
///     ← 43 F0 recordCount energyUnit   header
///     ← 43 date… slot index count energy… steps… metres…
///     ← 43 FF 00 energyUnit            no data for that day
///
///     date: year, month, day in decimal digits; R03 and R09 leave the year 00 (one source)
///     slot: quarter of an hour since midnight; index: 0 … count − 1
///     energy, steps, metres: 2 bytes LE each
///     energyUnit: 1 is 10 small calories; 0 is believed to be one (old firmware; not verified)
///
/// Only slots with activity are sent, and most rings sum them up by the hour. A header with a
/// recordCount of 0 was never seen.
public enum ActivityLog: RequestCommand, ManyFrameCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x43, "ActivityLog", "activity log", .captured, onlyReads: true)
    }

    /// The whole reply.
    public typealias Reply = ActivityLogReply
    /// The counts of one slot.
    public typealias Record = ActivityLogPart.Record
    /// One frame of the reply.
    public typealias Part = ActivityLogPart
    /// The state that joins the frames.
    public typealias Assembly = ActivityLogAssembly

    /// The slots of a day.
    public static var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSlot) }

    static var minutesPerSlot: UInt8 { 0x0F }
    static var lastSlot: UInt8 { 0x5F }

    /// A request for one day.
    @frozen
    public struct Request: RequestPacket {
        public typealias Owner = ActivityLog

        /// The requested day; rings accept 0 to 29 days ago.
        public var day: DaysAgo
        /// The length of a slot; 15 in every capture.
        @usableFromInline package let minutesPerSlot: UInt8
        @usableFromInline package let firstSlot: UInt8
        @usableFromInline package let lastSlot: UInt8
        /// A byte of unknown meaning; 1 in every capture.
        @usableFromInline package let option: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        public init(day: DaysAgo) {
            self.init(day: day, uncheckedSlots: 0...ActivityLog.lastSlot)
        }

        /// Creates a request for some slots of a day: quarters of an hour from 0 to 95.
        public init(day: DaysAgo, slots: ClosedRange<UInt8>) throws(ValueError) {
            try ValueError.check("lastSlot", slots.upperBound, in: 0...Int64(ActivityLog.lastSlot))
            self.init(day: day, uncheckedSlots: slots)
        }

        init(day: DaysAgo, uncheckedSlots slots: ClosedRange<UInt8>) {
            self.day = day
            minutesPerSlot = ActivityLog.minutesPerSlot
            firstSlot = slots.lowerBound
            lastSlot = slots.upperBound
            option = 1
        }

        @inlinable
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            day = try DaysAgo(&io, packet?.day)
            minutesPerSlot = try io.uint8("minutesPerSlot", packet?.minutesPerSlot, .open, .minutes)
            firstSlot = try io.uint8("firstSlot", packet?.firstSlot, .open)
            lastSlot = try io.uint8("lastSlot", packet?.lastSlot, .open)
            option = try io.uint8("option", packet?.option, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The unit of a record's energy.
    public enum EnergyUnit: UInt8, FieldCode {
        /// Small calories: believed to be the unit of old firmware.
        case smallCalories = 0
        /// Ten small calories, verified against day totals of R10 and R12.
        case tensOfSmallCalories = 1

        public static let labels = FieldLabels<EnergyUnit>([
            .smallCalories: "1 cal, not verified", .tensOfSmallCalories: "10 cal",
        ])

        /// The number of small calories in one unit.
        public var smallCalories: Int { self == .tensOfSmallCalories ? 10 : 1 }
    }
}

/// The activity of one day: the reply to an ``ActivityLog`` request.
public struct ActivityLogReply: ManyFrameReply {
    public let energyUnit: Reported<ActivityLog.EnergyUnit>
    /// The slots with activity, the earliest first.
    public let records: [ActivityLog.Record]
    let headerRest: InlineBytes

    static var mostRecords: Int { 255 }

    init(header: ActivityLogPart.Header, unchecked records: [ActivityLog.Record]) {
        energyUnit = header.energyUnit
        headerRest = header.unclaimed
        self.records = records
    }

    /// Creates a day of at most 255 records of one date; another date begins another log.
    public init(
        energyUnit: ActivityLog.EnergyUnit = .tensOfSmallCalories, records: [ActivityLog.Record]
    ) throws(ValueError) {
        try ValueError.check("records", records.count, in: 0...Int64(Self.mostRecords))
        let dates = Set(records.map { $0.date })
        try ValueError.check("dates", dates.count, in: 0...1)
        self.init(
            header: ActivityLogPart.Header(recordCount: 0, energyUnit: Reported(energyUnit)),
            unchecked: records)
    }

    /// Returns the energy of a record in kilocalories; `nil` if the unit is not known.
    ///
    /// With ``ActivityLog/EnergyUnit/smallCalories-swift.enum.case`` the factor is a guess.
    public func kilocalories(of record: ActivityLog.Record) -> Double? {
        energyUnit.known.map { Double(record.energy) * Double($0.smallCalories) / 1000 }
    }

    /// The log as the frames that a ring sends.
    public var frames: [Frame] {
        let count = UInt8(clamping: records.count)
        let header = ActivityLogPart.Header(
            recordCount: count, energyUnit: energyUnit, unclaimed: headerRest)
        var frames = [ActivityLogPart.header(header).frame]
        frames.reserveCapacity(1 + records.count)
        for (index, record) in records.enumerated() {
            let part = ActivityLogPart.record(record, index: UInt8(clamping: index), of: count)
            frames.append(part.frame)
        }
        return frames
    }

    /// The text that fixtures and captures show.
    public var description: String {
        let texts = records.map { record in
            "\(record.date) slot \(record.slot): energy \(record.energy), "
                + "steps \(record.steps), metres \(record.metres)"
        }
        return "ActivityLog.Reply(energyUnit: \(energyUnit), "
            + "records: [\(texts.joined(separator: "; "))])"
    }
}

/// Joins the frames of an ``ActivityLog``.
///
/// An assembly serves one request, which may be sent again. Each record has an index, so received
/// records are kept, and a repeated frame does no harm. If records are missing, the last record
/// throws an error with the first missing index. In all captures the records of a log have one
/// date: a record of another date starts a new log, and so does another header, or any header
/// after the reply is complete. A repeated record with other values shows that the log has
/// changed: only the records since the last header are kept, so that no reply is a mixture. After
/// a repeated request this happens even without a header, which may be lost.
public struct ActivityLogAssembly: ReplyAssembly {
    private var header: ActivityLogPart.Header?
    private var records: [ActivityLog.Record?] = []
    /// The records received since the last header or request.
    private var fresh = PartSet()
    private var date: DecimalDate?
    private var isComplete = false

    public init() {}

    /// The log without the missing records; `nil` before the header.
    public var partial: ActivityLogReply? {
        guard let header else { return nil }
        return ActivityLogReply(header: header, unchecked: records.compactMap { $0 })
    }

    /// Receives one frame; returns the log when no frame is missing, else `nil`.
    public mutating func receive(
        _ part: ActivityLogPart
    ) throws(PacketError) -> Answer<ActivityLogReply>? {
        switch part {
        case .noData:
            return .noData
        case .header(let header):
            fresh = PartSet()
            if self.header != header || isComplete { restart(header) }
            return header.recordCount == 0 ? finish() : nil
        case .record(let record, let index, let count):
            return try insert(record, at: index, of: count)
        }
    }

    /// Prepares for a repeated request.
    ///
    /// Received records are kept; they are valid once the next reply is complete with the same
    /// values.
    public mutating func beginAgain() { fresh = PartSet() }

    private mutating func restart(_ header: ActivityLogPart.Header) {
        self.header = header
        records = Array(repeating: nil, count: Int(header.recordCount))
        fresh = PartSet()
        date = nil
        isComplete = false
    }

    private mutating func insert(
        _ record: ActivityLog.Record, at index: UInt8, of count: UInt8
    ) throws(PacketError) -> Answer<ActivityLogReply>? {
        guard let header else { throw outOfOrder(index) }
        guard count == header.recordCount else {
            throw PacketError(
                .contradiction, packet: ActivityLogPart.name, field: "count", at: 6,
                expected: Int64(header.recordCount)...Int64(header.recordCount),
                found: Int64(count))
        }
        if count == 0 { return nil }
        guard index < count else { throw outOfOrder(index) }
        if let date, date != record.date { restart(header) }
        date = record.date
        if isComplete { return nil }
        if let held = records[Int(index)], held != record {
            // Without a header that was lost, the records of this reply cannot be identified.
            if fresh.contains(index) { fresh = PartSet() }
            for other in 0..<count where !fresh.contains(other) {
                records[Int(other)] = nil
            }
        }
        records[Int(index)] = record
        fresh.insert(index)
        // Of two replies the second must be complete: changes are visible only then.
        guard fresh.contains(count - 1) else { return nil }
        guard let missing = records.firstIndex(where: { $0 == nil }) else { return finish() }
        guard index == count - 1 else { return nil }
        throw PacketError(
            .missing, packet: ActivityLogPart.name, field: "index", at: 5,
            expected: Int64(missing)...Int64(missing))
    }

    private mutating func finish() -> Answer<ActivityLogReply>? {
        isComplete = true
        return partial.map { .value($0) }
    }

    private func outOfOrder(_ index: UInt8) -> PacketError {
        let most = Int64(header?.recordCount ?? 0) - 1
        return PacketError(
            .outOfOrder, packet: ActivityLogPart.name, field: "index", at: 5,
            expected: most < 0 ? nil : 0...most, found: Int64(index))
    }
}
