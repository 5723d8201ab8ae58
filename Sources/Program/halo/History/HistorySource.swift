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
        /// The charges of the battery, the earliest first.
        let battery: [TimedSample<BatteryCharge>]
        let logging: [HistoryKind: Bool]
        /// A remark on the dates of the history; `nil` if they are right.
        var remark: String?
        /// Calls a function with each part of some kinds by the month, the earliest first.
        let parts:
            (_ kinds: Set<HistoryKind>, _ body: (RingHistory) throws(Failure) -> Void)
                throws(Failure) -> Void
    }

    private let request: DeviceRequest
    private let days: Int?
    private let since: CivilDate?
    private let file: HealthFile?

    private static let usualDays = 7
    private static let daysOfPart = 30

    private static let daysOption = Option.number(
        "days", "N", in: 1...36_600,
        "the number of days, including the last one (default: \(usualDays))")
    private static let sinceOption = Option<CivilDate>(
        "since", .text("DATE"), "the values since a day, like 2026-01-05, instead of --days"
    ) { (argument) throws(Failure) in
        guard let date = CivilDate(text: argument.text[...]) else {
            throw .wrongUsage("--since takes a date like 2026-01-05, not '\(argument.text)'")
        }
        return date
    }
    private static let storedOption = Flag(
        "stored", "the values that 'halo sync' has kept, instead of those of a ring")

    static let options: [any VerbOption] = [
        daysOption, sinceOption, storedOption, HealthFile.option, DeviceRequest.setClock,
    ]

    var isStored: Bool { file != nil }

    var input: FilePath? {
        if case .replay(let capture) = request.place { return capture }
        return file?.path
    }

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        days = try arguments.value(of: Self.daysOption)
        since = try arguments.value(of: Self.sinceOption)
        if days != nil, since != nil { throw .wrongUsage("give either --days or --since") }
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
        if let file { return try readFile(file, kinds, daysBefore) }
        let values = try await request.withRing(&console) {
            (ring, console) async throws(Failure) in
            try await read(kinds, of: ring, &console)
        }
        if let remark = values.remark { console.remark(remark) }
        return values
    }

    private nonisolated(nonsending) func read(
        _ kinds: Set<HistoryKind>, of ring: Ring, _ console: inout Console
    ) async throws(Failure) -> Read {
        var progress = console.progress("reading what \(ring.displayName) has stored")
        defer { progress.end() }
        var history = try await using { () async throws(DeviceError) in
            let show = { (step: HistoryProgress) in progress.show(step.fraction, "\(step)") }
            if let since { return try await ring.history(kinds, since: since, progress: show) }
            return try await ring.history(kinds, days: days ?? Self.usualDays, progress: show)
        }
        try checkSince(last: history.today)
        var remark = history.clockShift.map { "the ring's clock is \($0), and so are all dates" }
        if let before = ring.historyBeforeClockChange {
            let first = since ?? history.today.advanced(byDays: 1 - (days ?? Self.usualDays))
            history.addValues(
                storedBefore: before, of: kinds, since: first ?? history.today)
            remark = before.clockShift.map { "\(HealthChanges.Notice.clockWasWrong($0))" }
        }
        var battery: [TimedSample<BatteryCharge>] = []
        if let readAt = history.readAt, let charge = try? await ring.battery() {
            battery.append(
                TimedSample(
                    time: readAt, minutes: 0, secondsFromUTC: history.secondsFromUTC,
                    value: charge))
        }
        let logs = try await using { () async throws(DeviceError) in
            try await ring.logSettings(of: kinds)
        }
        return Read(
            ring: ring.displayName, address: ring.identity, history: history, first: nil,
            battery: battery, logging: logs.logging, remark: remark
        ) { [history] (_, body) throws(Failure) in try body(history) }
    }

    /// Throws for a day that is still to come: the values of another one would take its place.
    private func checkSince(last: CivilDate) throws(Failure) {
        guard let since, since > last else { return }
        throw Failure(.wrongUsage, "--since \(since) is later than the last day, \(last)")
    }

    private func readFile(
        _ file: HealthFile, _ kinds: Set<HistoryKind>, _ daysBefore: Int
    ) throws(Failure) -> Read {
        let store = try file.openedIfThere()
        let ring = try self.ring(in: store, file)
        let today = ring.lastRead.date
        func part(
            _ kinds: Set<HistoryKind>, _ first: CivilDate, _ last: CivilDate
        ) throws(Failure) -> RingHistory {
            try stored(store.history(kinds, of: ring.identity, since: first, through: last))
                ?? RingHistory(today: today)
        }
        let kept = try stored(store.days(of: ring.identity))
        let charges = try stored(store.battery(of: ring.identity))
        let wanted = since ?? today.advanced(byDays: 1 - (days ?? Self.usualDays)) ?? today
        let last = max(kept?.upperBound ?? today, today)
        try checkSince(last: last)
        let first = min(max(wanted, kept?.lowerBound ?? today), last)
        return Read(
            ring: ring.name ?? ring.identity.rawValue, address: ring.identity,
            history: try part(kinds, first.advanced(byDays: -daysBefore) ?? first, last),
            first: first,
            battery: charges.filter { $0.time.date >= first }, logging: ring.settings.logging
        ) { (kinds, body) throws(Failure) in
            var start = first
            while start <= last {
                let end = min(start.advanced(byDays: Self.daysOfPart - 1) ?? last, last)
                var history = try part(kinds, start, end)
                if !(start...end).contains(today) { history.totals = nil }
                try body(history)
                guard let next = end.advanced(byDays: 1) else { break }
                start = next
            }
        }
    }

    /// The ring that was asked for, or of several the one that was read last.
    private func ring(
        in store: HealthStore, _ file: HealthFile
    ) throws(Failure) -> HealthRing {
        let rings = try stored(store.rings())
        let wanted = rings.filter { request.device.isRing($0) }
        if let ring = wanted.max(by: { $0.instant < $1.instant }) { return ring }
        let names = rings.map { $0.name ?? $0.identity.rawValue }
        if rings.isEmpty {
            throw Failure(
                .notFound, "\(file.path.quoted) has no ring yet",
                advice: "'halo sync' adds one to it.")
        }
        throw Failure(
            .notFound, "\(file.path.quoted) has no such ring",
            advice: "It has \(TextLayout.enumeration(names)).")
    }
}

extension DeviceRequest.Device {
    fileprivate func isRing(_ ring: HealthRing) -> Bool {
        switch self {
        case .any: return true
        case .kind(let kind): return kind == .ring
        case .address(let identity): return ring.identity == identity
        case .name(let name):
            return ring.identity.rawValue.lowercased() == name.lowercased()
                || ring.name.map { Self.isName(name, of: $0) } ?? false
        }
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
            console.remark("not read: \(line.kind)\(days): \(line.error)")
        }
    }
}
