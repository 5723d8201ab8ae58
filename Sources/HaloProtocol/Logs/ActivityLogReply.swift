/// A day of activity, as the frames of an ``ActivityLog`` tell it.
public struct ActivityLogReply: ManyFrameReply {
    /// What the energy of the records counts.
    public let energyUnit: Reported<ActivityLog.EnergyUnit>
    /// The slots with activity, the earliest first.
    public let records: [ActivityLog.Record]
    /// What the header held behind its fields; zeros so far.
    let headerRest: InlineBytes

    static var mostRecords: Int { 255 }

    init(header: ActivityLogPart.Header, unchecked records: [ActivityLog.Record]) {
        energyUnit = header.energyUnit
        headerRest = header.unclaimed
        self.records = records
    }

    /// A day of at most 255 records, all of the same date: another date would begin another log.
    public init(
        energyUnit: ActivityLog.EnergyUnit = .tensOfCalories, records: [ActivityLog.Record]
    ) throws(ValueError) {
        guard records.count <= Self.mostRecords else {
            throw ValueError(
                "records", allowed: 0...Int64(Self.mostRecords), found: Int64(records.count))
        }
        let dates = Set(records.map { $0.date })
        guard dates.count <= 1 else {
            throw ValueError("dates", allowed: 0...1, found: Int64(dates.count))
        }
        self.init(
            header: ActivityLogPart.Header(recordCount: 0, energyUnit: energyUnit),
            unchecked: records)
    }

    /// The energy of a record in the unit of food labels; nothing if the ring's unit is unknown.
    ///
    /// With ``ActivityLog/EnergyUnit/calories`` it is a guess.
    public func kilocalories(of record: ActivityLog.Record) -> Double? {
        energyUnit.known.map { Double(record.energy) * Double($0.calories) / 1000 }
    }

    /// The log as the frames that a ring sends.
    public var frames: [Frame] {
        let count = UInt8(clamping: records.count)
        let header = ActivityLogPart.Header(
            recordCount: count, energyUnit: energyUnit, unclaimed: headerRest)
        var frames = [ActivityLogPart.header(header).frame]
        frames.reserveCapacity(1 + records.count)
        for (index, record) in records.enumerated() {
            let place = ActivityLogPart.Place(index: UInt8(clamping: index), of: count)
            frames.append(ActivityLogPart.record(place, record).frame)
        }
        return frames
    }

    /// The log as captures write it.
    public var description: String {
        let texts = records.map { record in
            "\(record.date) slot \(record.slot): energy \(record.energy), "
                + "steps \(record.steps), metres \(record.metres)"
        }
        return "ActivityLog.Reply(energyUnit: \(energyUnit), "
            + "records: [\(texts.joined(separator: "; "))])"
    }
}
