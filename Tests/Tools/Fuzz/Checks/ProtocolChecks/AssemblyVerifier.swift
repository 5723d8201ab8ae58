@testable import HaloProtocol
@testable import HaloTesting

/// Checks the assembly of a long reply from its frames.
///
/// These must hold for any frames in any order:
/// - The assembly accepts a frame or throws, and has one result at most.
/// - A reply that is split into frames and joined again is the same reply, complete with the last
///   frame and not before.
/// - If a frame is missing, there is no reply. If frames are repeated or reordered, there is no
///   reply, or the same one.
enum AssemblyVerifier {
    private typealias Joined = (reading: String, frames: [Frame])

    /// Checks an assembly with frames. The bytes decide which frames are lost, repeated and
    /// reordered.
    static func verify(
        _ entry: CommandCatalog.Entry, _ frames: [Frame], chance: inout FuzzBytes
    ) throws(ContractViolation) {
        guard let assembly = entry.assembly else { return }
        let (answer, used, faults) = join(frames, assembly)
        guard used <= frames.count, used > 0 || frames.isEmpty, faults.count <= used,
            answer != nil || used == frames.count
        else {
            throw violation(entry.name, "used \(used) frames, with \(faults.count) faults", frames)
        }
        for fault in faults where fault.description == "" {
            throw violation(entry.name, "a fault says nothing", frames)
        }
        if case .value(let joined) = answer {
            try verify(entry, assembly, joined, chance: &chance)
        }
    }

    /// Checks that a long reply, split into frames, joins to the same reply with its last frame and
    /// not before; that its frames decode; and that lost or reordered frames never make another
    /// reply.
    static func verify<Subject: ManyFrameCommand>(
        _ command: Subject.Type, _ reply: Subject.Assembly.Reply, chance: inout FuzzBytes
    ) throws(ContractViolation) {
        let frames = reply.frames
        var assembly = Subject.Assembly()
        for (index, frame) in frames.enumerated() {
            do throws(PacketError) {
                _ = try Subject.Part(decoding: frame)
                let answer = try assembly.receive(frame)
                if answer == (index == frames.count - 1 ? .value(reply) : nil) { continue }
            } catch {
                throw violation(Subject.name, "frame \(index) of it is refused: \(error)", frames)
            }
            throw violation(
                Subject.name, "\(reply) is something else after frame \(index)", frames)
        }
        guard let entry = CommandCatalog.entry(opcode: Subject.opcode) else { return }
        try AssemblyVerifier.verify(entry, frames, chance: &chance)
    }

    /// Joins frames until one completes the reply; `used` is the number of frames up to it.
    ///
    /// Errors on the way are collected; they do not end the assembly.
    private static func join(
        _ frames: [Frame], _ type: any ReplyAssembly.Type
    ) -> (answer: Answer<Joined>?, used: Int, faults: [PacketError]) {
        var assembly: any ReplyAssembly = type.init()
        var faults: [PacketError] = []
        for (index, frame) in frames.enumerated() {
            do throws(PacketError) {
                guard let answer = try assembly.join(frame) else { continue }
                return (answer, index + 1, faults)
            } catch {
                faults.append(error)
            }
        }
        return (nil, frames.count, faults)
    }

    private static func verify(
        _ entry: CommandCatalog.Entry, _ assembly: any ReplyAssembly.Type, _ joined: Joined,
        chance: inout FuzzBytes
    ) throws(ContractViolation) {
        let frames = joined.frames
        guard case (.value(let again)?, frames.count, []) = join(frames, assembly),
            again.frames == frames
        else {
            throw violation(
                entry.name, "cut into frames and joined again, it is not the same", frames)
        }
        guard !frames.isEmpty else {
            throw violation(entry.name, "an answer is cut into no frame at all", frames)
        }
        let lost = chance.integer(in: 0...(frames.count - 1))
        var shortened = frames
        shortened.remove(at: lost)
        if case .value(let other)? = join(shortened, assembly).answer {
            throw violation(
                entry.name, "without frame \(lost) there still is an answer: \(other.reading)",
                frames)
        }
        try verifyDisturbed(entry, assembly, joined, chance: &chance)
    }

    /// Checks repeated and reordered frames.
    private static func verifyDisturbed(
        _ entry: CommandCatalog.Entry, _ assembly: any ReplyAssembly.Type, _ joined: Joined,
        chance: inout FuzzBytes
    ) throws(ContractViolation) {
        // An old sleep record does not have its position, so the order must be right.
        if entry.opcode == OldSleep.opcode { return }
        let frames = joined.frames
        let twice = chance.integer(in: 0...(frames.count - 1))
        let place = chance.integer(in: 0...frames.count)
        var doubled = frames
        doubled.insert(frames[twice], at: place)
        try isTrue(entry, assembly, joined, doubled, "frame \(twice) again as frame \(place)")
        try isTrue(entry, assembly, joined, chance.shuffled(frames), "frames in another order")
    }

    private static func isTrue(
        _ entry: CommandCatalog.Entry, _ assembly: any ReplyAssembly.Type, _ joined: Joined,
        _ frames: [Frame], _ what: String
    ) throws(ContractViolation) {
        guard case .value(let other)? = join(frames, assembly).answer,
            other.frames != joined.frames
        else { return }
        throw violation(
            entry.name, "with \(what), \(joined.reading) becomes \(other.reading)", frames)
    }

    private static func violation(
        _ command: FieldName, _ what: String, _ frames: [Frame]
    ) -> ContractViolation {
        ContractViolation(
            what, packet: "\(command).Reply", bytes: frames.flatMap { Array($0.bytes) })
    }
}

/// Makes replies from fuzz bytes by their public initialisers, and checks them.
enum ReplyBuilder {
    /// The kinds of long replies. New kinds are appended: inputs name a kind by its index.
    enum Kind: CaseIterable {
        case heartRateLog, stressLog, heartRateVariabilityLog, hourlySeries, activityLog
        case dailyTotals, bloodOxygen, sleep, workoutSamples
    }

    /// Makes a reply and checks it.
    static func verify(_ kind: Kind, chance: inout FuzzBytes) throws(ContractViolation) {
        switch kind {
        case .heartRateLog:
            let time = CivilDateTime(secondsSince1970: chance.integer())
            try slots(HeartRateLog.self, day: HeartRateLog.Day(time: time), chance: &chance)
        case .stressLog:
            try slots(StressLog.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .heartRateVariabilityLog:
            try slots(HeartRateVariabilityLog.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .hourlySeries:
            try slots(HourlySeries.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .activityLog: try activityLog(&chance)
        case .dailyTotals: try dailyTotals(&chance)
        case .bloodOxygen: try bloodOxygen(&chance)
        case .sleep: try sleepReply(&chance)
        case .workoutSamples: try workoutSamples(&chance)
        }
    }

    private static func slots<Owner: SlotLogCommand & ManyFrameCommand>(
        _ command: Owner.Type, day: Owner.Day, chance: inout FuzzBytes
    ) throws(ContractViolation) where Owner.Assembly == SlotLogAssembly<Owner> {
        let minutes = chance.byte()
        let samples = chance.bytes(chance.length(upTo: 3400))
        guard
            let log = try? SlotLog<Owner>(
                day: day, minutesPerSample: minutes, samples: samples)
        else { return }
        guard log.values.starts(with: samples) else {
            throw ContractViolation(
                "\(log) does not hold the samples it was made of", packet: "\(Owner.name).Reply",
                bytes: samples)
        }
        try AssemblyVerifier.verify(command, log, chance: &chance)
    }

    private static func activityLog(_ chance: inout FuzzBytes) throws(ContractViolation) {
        let date = date(&chance)
        var records: [ActivityLog.Record] = []
        for _ in 0..<chance.byte() where chance.remaining > 0 {
            let record = try? ActivityLog.Record(
                date: date, slot: chance.integer(in: 0...95), energy: chance.integer(),
                steps: chance.integer(), metres: chance.integer())
            if let record { records.append(record) }
        }
        guard let reply = try? ActivityLogReply(records: records) else { return }
        try AssemblyVerifier.verify(ActivityLog.self, reply, chance: &chance)
    }

    private static func dailyTotals(_ chance: inout FuzzBytes) throws(ContractViolation) {
        guard let date = try? DecimalDate(date(&chance)),
            let day = try? DailyTotals.Day(daysAgo: chance.integer(in: 0...79), date: date)
        else { return }
        let reply = DailyTotals.Reply(
            day: day,
            movement: DailyTotals.Movement(
                steps: number(&chance), runningSteps: number(&chance),
                smallCalories: number(&chance)),
            duration: DailyTotals.Duration(
                metres: number(&chance), activeMinutes: chance.integer(),
                sleepMinutes: chance.integer()))
        try AssemblyVerifier.verify(DailyTotals.self, reply, chance: &chance)
    }

    private static func bloodOxygen(_ chance: inout FuzzBytes) throws(ContractViolation) {
        var days: [BloodOxygen.Day] = []
        while chance.remaining > 0 {
            let daysAgo = chance.byte()
            var hours: [(minimum: UInt8, maximum: UInt8)] = []
            for _ in 0..<24 { hours.append((chance.byte(), chance.byte())) }
            if let day = try? BloodOxygen.Day(daysAgo: daysAgo, percent: hours) { days.append(day) }
        }
        guard let reply = try? BloodOxygen.Reply(days: days) else { return }
        try PacketVerifier.verify(reply)
    }

    private static func sleepReply(_ chance: inout FuzzBytes) throws(ContractViolation) {
        var nights: [SleepPeriod] = []
        for _ in 0..<chance.byte() where chance.remaining > 0 {
            guard let start = try? CivilTime(minuteOfDay: chance.integer(in: 0...1439)),
                let end = try? CivilTime(minuteOfDay: chance.integer(in: 0...1439))
            else { continue }
            let daysAgo = chance.byte()
            var stages: [SleepPeriod.Stage] = []
            for _ in 0..<chance.integer(in: 0...130 as ClosedRange<UInt8>) {
                guard let stage = chance.choice(of: SleepStage.allCases) else { continue }
                stages.append(SleepPeriod.Stage(stage, minutes: chance.byte()))
            }
            let night = try? SleepPeriod(daysAgo: daysAgo, start: start, end: end, stages: stages)
            if let night { nights.append(night) }
        }
        guard let reply = try? Sleep.Reply(nights: nights) else { return }
        try PacketVerifier.verify(reply)
    }

    private static func workoutSamples(_ chance: inout FuzzBytes) throws(ContractViolation) {
        let samples = chance.bytes(chance.length(upTo: 255))
        guard let reply = try? WorkoutSamples.Reply(package: chance.byte(), samples: samples)
        else { return }
        try PacketVerifier.verify(reply)
    }

    private static func date(_ chance: inout FuzzBytes) -> CivilDate {
        let first2000 = 10_957
        let days = first2000 + chance.integer(in: 0...36_524 as ClosedRange<Int>)
        return (try? CivilDate(daysSince1970: days)) ?? CivilDateTime(secondsSince1970: 0).date
    }

    private static func number(_ chance: inout FuzzBytes) -> UInt24 {
        UInt24(truncating: chance.integer())
    }
}
