import HaloCapture
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport

/// Where stored values come from, and of which days: a ring, or the file of earlier syncs.
struct HistorySource {
    struct Read {
        /// The name of the ring, or its address.
        let ring: String
        let address: PeripheralIdentity
        let history: RingHistory
        /// The first day that was asked for, if the history has earlier ones as well.
        let first: CivilDate?
        /// The days that were asked for, without those that are still to come.
        let days: ClosedRange<CivilDate>
        /// The charges of the battery, the earliest first.
        let battery: [TimedSample<BatteryCharge>]
        let logging: [HistoryKind: Bool]
        /// A remark on the dates of the history; `nil` if they are right.
        var remark: String?
        /// The time of now on the ring's clock, as far as is known: values of a file may be old.
        let now: CivilDateTime?
        /// Calls a function with each part of some kinds by the month, the earliest first: the
        /// values of its days, and of a number of days before them, if a file has some.
        let parts:
            (
                _ kinds: Set<HistoryKind>, _ daysBefore: Int,
                _ body: (RingHistory, ClosedRange<CivilDate>) throws(Failure) -> Void
            ) throws(Failure) -> Void
    }

    private let request: DeviceRequest
    private let period: Period
    private let file: HealthFile?

    private static let daysOfPart = 30
    /// The longest time for which a ring is waited for whose link was lost.
    private static let patience = Duration.seconds(120)

    private static let storedOption = Flag(
        "stored", "the values that 'halo sync' has kept, instead of those of a ring")

    static let options: [any VerbOption] =
        Period.options + [
            storedOption, HealthFile.option, DeviceRequest.setClock,
        ]

    var isStored: Bool { file != nil }

    var input: FilePath? {
        if case .replay(let capture) = request.place { return capture }
        return file?.path
    }

    /// A remark on a page of a ring that is no real one; `nil` for a real one.
    func remark(on read: Read) -> String? {
        // A file does not know which of the two it has: both have addresses in process.
        if isStored {
            return read.address.rawValue.hasPrefix("virtual-")
                ? "This is a virtual ring, or a recorded one." : nil
        }
        return request.place.virtual == nil ? nil : HealthReport.virtualRemark
    }

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        period = try Period(arguments)
        let named = try arguments.value(of: HealthFile.option)
        let isStored = arguments.has(Self.storedOption) || named != nil
        file = isStored ? try HealthFile(arguments) : nil
        guard isStored else { return }
        let word = arguments.has(Self.storedOption) ? "--stored" : "--file"
        if request.isVirtualByOption {
            throw .wrongUsage("\(word) cannot be used with --virtual or --replay")
        }
        if request.setsClock { throw .wrongUsage("--set-clock cannot be used with \(word)") }
    }

    /// - Parameter daysBefore: The number of days before those asked for that a file gives too.
    nonisolated(nonsending) func read(
        _ kinds: Set<HistoryKind>, daysBefore: Int = 0, _ console: inout Console
    ) async throws(Failure) -> Read {
        if let file { return try readFile(file, kinds, daysBefore, &console) }
        let values = try await request.withRing(&console) {
            (ring, console) async throws(Failure) in
            try await read(kinds, of: ring, &console)
        }
        if let remark = values.remark { console.notice(remark) }
        return values
    }

    private nonisolated(nonsending) func read(
        _ kinds: Set<HistoryKind>, of ring: Ring, _ console: inout Console
    ) async throws(Failure) -> Read {
        var progress = console.progress("reading what \(ring.displayName) has stored")
        defer { progress.end() }
        var lostLinks = 0
        let (since, count) = period.beginning
        var history = try await using { () async throws(DeviceError) in
            let history = try await ring.historyAcrossLinks(
                kinds, since: since, orDays: count, waiting: Self.patience,
                progress: { progress.show($0.fraction, "\($0)") },
                linkLost: {
                    lostLinks += 1
                    progress.show(nil, "the link was lost; reconnecting")
                })
            // What has come is a part only, and no reason to replace a file.
            if Task.isCancelled { throw DeviceError(.cancelled) }
            return history
        }
        console.remarkOnLostLinks(lostLinks)
        let days = try period.days(endingOn: history.today)
        if days.upperBound < history.today { history = history.limited(to: days) }
        let remark = history.clockShift.map { shift in
            let left = "the ring's clock is \(shift), and so are all dates"
            return request.setsClock ? "\(left); \(DeviceRequest.clockWasLeft)" : left
        }
        var battery: [TimedSample<BatteryCharge>] = []
        if let readAt = history.readAt, let charge = try? await ring.battery() {
            battery.append(
                TimedSample(
                    time: readAt, minutes: 0, secondsFromUTC: history.secondsFromUTC,
                    value: charge))
        }
        // A link that is lost here has brought the values.
        let logs = (try? await ring.logSettings(of: kinds)) ?? [:]
        return Read(
            ring: ring.displayName, address: ring.identity, history: history, first: nil,
            days: days, battery: battery, logging: logs.logging, remark: remark,
            now: history.readAt
        ) { [history] (_, _, body) throws(Failure) in try body(history, days) }
    }

    private func readFile(
        _ file: HealthFile, _ kinds: Set<HistoryKind>, _ daysBefore: Int,
        _ console: inout Console
    ) throws(Failure) -> Read {
        let store = try file.openedIfThere()
        let ring = try self.ring(in: store, file, &console)
        let today = ring.lastRead.date
        let now = ring.now
        func part(
            _ kinds: Set<HistoryKind>, _ first: CivilDate, _ last: CivilDate
        ) throws(Failure) -> RingHistory {
            var part =
                try stored(store.history(kinds, of: ring.identity, since: first, through: last))
                ?? RingHistory(today: today)
            if !(first...last).contains(today) { part.totals = nil }
            return part
        }
        let kept = try stored(store.days(of: ring.identity))
        let charges = try stored(store.battery(of: ring.identity))
        // The last days are those up to the last read; words for days are those of now.
        let wanted = try period.days(
            endingOn: max(kept?.upperBound ?? today, today), from: today, today: now.date)
        let last = wanted.upperBound
        let earliest = kept?.lowerBound ?? today
        let first = last < earliest ? wanted.lowerBound : max(wanted.lowerBound, earliest)
        return Read(
            ring: ring.name ?? ring.identity.rawValue, address: ring.identity,
            history: try part(kinds, first.advanced(byDays: -daysBefore) ?? first, last),
            first: first, days: first...last,
            battery: charges.filter { (first...last).contains($0.time.date) },
            logging: ring.settings.logging, now: now
        ) { (kinds, daysBefore, body) throws(Failure) in
            var start = first
            while start <= last {
                let end = min(start.advanced(byDays: Self.daysOfPart - 1) ?? last, last)
                let earliest = start.advanced(byDays: -daysBefore) ?? start
                try body(try part(kinds, earliest, end), start...end)
                guard let next = end.advanced(byDays: 1) else { break }
                start = next
            }
        }
    }

    /// The ring that was asked for. Without a choice, it is the one of several that was read last,
    /// and a remark names the others.
    private func ring(
        in store: HealthStore, _ file: HealthFile, _ console: inout Console
    ) throws(Failure) -> HealthRing {
        let rings = try stored(store.rings())
        let others = "It has \(TextLayout.enumeration(rings.map { $0.words(among: rings) }))."
        guard !rings.isEmpty else {
            throw Failure(
                .notFound, "\(file.path.quoted) has no ring yet",
                advice: "'halo sync' adds one to it.")
        }
        let wanted = rings.filter { request.device.isRing($0) }
        // A whole name is meant, though others begin with it.
        let named = wanted.filter { request.device.isWholeName(of: $0) }
        let matches = named.isEmpty ? wanted : named
        guard let last = matches.max(by: { $0.instant < $1.instant }) else {
            throw Failure(.notFound, "\(file.path.quoted) has no such ring", advice: others)
        }
        guard matches.count > 1 else { return last }
        if case .name(let name) = request.device {
            let words = TextLayout.enumeration(matches.map { $0.words(among: rings) })
            throw Failure(
                .wrongUsage, "'\(name)' is the name of \(words)",
                advice: "A longer name or an address selects one of them.")
        }
        console.remark(
            "the file has \(rings.count) rings; this is \(last.words(among: rings)), "
                + "which was read last. --rings lists them, --device selects one")
        return last
    }

    /// The rings of the file, with the days of their values.
    func rings() throws(Failure) -> [(ring: HealthRing, days: ClosedRange<CivilDate>?)] {
        guard let file else { return [] }
        let store = try file.openedIfThere()
        var rings: [(ring: HealthRing, days: ClosedRange<CivilDate>?)] = []
        for ring in try stored(store.rings()) {
            rings.append((ring, try stored(store.days(of: ring.identity))))
        }
        return rings
    }
}

extension HealthRing {
    /// The name, or the address of a ring without one.
    var displayName: String { name ?? identity.rawValue }

    /// The name, with the address if another ring has the same name.
    fileprivate func words(among rings: [HealthRing]) -> String {
        let isUnique = rings.count { $0.displayName == displayName } == 1
        return isUnique ? displayName : "\(displayName) (\(identity.rawValue))"
    }

    /// The time of now on the ring's clock; for a virtual ring, whose time is another one, that of
    /// its last read.
    fileprivate var now: CivilDateTime {
        guard !identity.rawValue.hasPrefix("virtual-") else { return lastRead }
        let clock = SystemTime().wallClock()
        let offset = clocks.last?.secondsFromUTC
        return max(offset.map { clock.utc.advanced(bySeconds: $0) } ?? clock.local, lastRead)
    }
}

extension HealthReport {
    /// The remark on a page of a virtual ring.
    static let virtualRemark = "This is a virtual ring: its wearer and all values are made up."
}

extension DeviceRequest.Device {
    fileprivate func isRing(_ ring: HealthRing) -> Bool {
        switch self {
        case .any: return true
        case .kind(let kind): return kind == .ring
        case .address(let identity): return ring.identity == identity
        case .name(let name):
            return isWholeName(of: ring) || ring.name.map { Self.isName(name, of: $0) } ?? false
        }
    }

    /// Returns `true` for the name, or the address, of a ring without anything left out.
    fileprivate func isWholeName(of ring: HealthRing) -> Bool {
        guard case .name(let name) = self else { return false }
        return ring.identity.rawValue.lowercased() == name.lowercased()
            || ring.name?.lowercased() == name.lowercased()
    }
}

extension Console {
    mutating func remarkOnLostLinks(_ count: Int) {
        guard count > 0 else { return }
        remark("the link was lost \(count == 1 ? "once" : "\(count) times") during the read")
    }
}

extension RingHistory {
    /// Remarks on what could not be read: a line for each kind and error, with the number of days.
    func remarkOnFailures(_ console: inout Console) {
        var lines: [(kind: HistoryKind, error: String, days: Int)] = []
        for failure in failures {
            var error = failure.error
            error.command = nil
            let words = "\(error)"
            let index = lines.firstIndex { $0.kind == failure.kind && $0.error == words }
            if let index {
                lines[index].days += 1
            } else {
                lines.append((failure.kind, words, 1))
            }
        }
        for line in lines {
            let days = line.days > 1 ? " of \(line.days) days" : ""
            console.notice("not read: \(line.kind)\(days): \(line.error)")
        }
    }
}
