import HaloCapture
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloSimulator
import HaloTransport

struct SyncVerb: Verb {
    private let request: DeviceRequest
    private let file: HealthFile
    private let assumesZone: Bool
    private let decodesAgain: Bool
    private let clientFile: FilePath?

    private static let zone = Flag(
        "assume-zone",
        """
        assumes this computer's time zone for values from before the first sync. Without it, \
        they have no time in UTC
        """)
    private static let again = Flag(
        "decode-again",
        "decodes the stored replies of all rings again, with this version; needs no ring")

    private static let importOption = Option.file(
        "import", "adds the database of the Python client colmi_r02_client; needs no ring")

    static let syntax = VerbSyntax(
        "sync", "reads what a ring has stored, and keeps it in a file of your own",
        options: [HealthFile.option, zone, again, importOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (sync), file, ring (name, address), since, settings (numbers), \
            added and replaced (numbers by kind), notices, failures, isComplete; with \
            --decode-again one of type decoded for each capture; with --import one of type imported
            """,
        difference: "something could not be read from the ring",
        examples: ["halo sync", "halo sync --virtual=r12 --file week.db"],
        """
        Reads all that a ring still holds, a week at most, and adds it to an SQLite database. A
        second sync reads only what is new. The same values twice change nothing; a value that
        the ring has corrected is replaced, and the old one kept. Days that the ring has
        overwritten stay in the file. Several rings can share a file. The ring's clock is set, as
        apps do: times in UTC need it.

        The ring's replies are stored beside the values, as a capture: a later version of this
        program can decode them again. Only its owner can read the file.

        'halo history --stored' shows the file, 'halo report' makes a page of it, and any program
        that reads SQLite can use it: the page "Health data" describes its tables.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        decodesAgain = arguments.has(Self.again)
        assumesZone = arguments.has(Self.zone)
        clientFile = try arguments.value(of: Self.importOption)
        if decodesAgain, clientFile != nil {
            throw .wrongUsage("give either --decode-again or --import")
        }
        let needsRing = !decodesAgain && clientFile == nil
        if !needsRing, request.isNamed || request.isVirtualByOption {
            let word = decodesAgain ? Self.again.facts.word : Self.importOption.facts.word
            throw .wrongUsage("\(word) needs no ring, so no --device, --virtual or --replay")
        }
        file = try HealthFile(arguments, isOfRealRings: !needsRing || request.place.isReal)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if decodesAgain { return try await decodeAgain(&console) }
        if let clientFile { return try addClientFile(clientFile, &console) }
        let old = try file.openedUnlessNew()
        let access = try await DeviceAccess(request, isShown: false, &console)
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: Self.captureLimit))
        let transport = DeviceAccess.recording(access.transport, to: recorder)
        let found = try await access.find([.ring], for: "a sync", over: transport)
        let known: HealthRing? = if let old { try stored(old.ring(found.identity)) } else { nil }
        let ring = try await connect(to: found, known, access, over: transport)
        let day = assumesZone ? nil : known?.nextDay
        let device = ConnectedRing(ring: ring)
        let read = try await device.whileConnected(&console) { (console) async throws(Failure) in
            do throws(Failure) {
                return try await Self.read(ring, since: day, &console)
            } catch {
                try keepOldClock(of: ring, in: old)
                throw error
            }
        }
        let store = if let old { old } else { try file.opened() }
        return try keep(read, of: recorder, since: day, in: store, &console)
    }

    // MARK: The ring

    /// The longest capture that is kept of a read, in bytes; a week takes some 100,000.
    private static let captureLimit = 4 << 20
    /// The days that are asked for in a first sync. Days that no ring is known to hold are
    /// requested only until the first one without values.
    private static let mostDays = 30

    private nonisolated(nonsending) func connect(
        to found: Discovery, _ known: HealthRing?, _ access: DeviceAccess,
        over transport: any BLETransport
    ) async throws(Failure) -> Ring {
        var options = RingOptions()
        options.earlierClocks = known?.clocks ?? []
        if assumesZone {
            // Known clocks count, and the assumed one for the time before them.
            let offset = transport.time.wallClock().secondsFromUTC
            if options.earlierClocks.first?.since != nil {
                options.earlierClocks.insert(
                    RingClock(secondsFromUTC: offset, wasSet: false), at: 0)
            }
            options.earlierZone = .local
        }
        return try await access.connecting(to: found) { () async throws(DeviceError) in
            try await Ring.connect(to: found, over: transport, options)
        }
    }

    private static nonisolated(nonsending) func read(
        _ ring: Ring, since day: CivilDate?, _ console: inout Console
    ) async throws(Failure) -> HealthRead {
        var progress = console.progress("reading what \(ring.displayName) has stored")
        defer { progress.end() }
        return try await using { () async throws(DeviceError) in
            let history = try await history(of: ring, since: day) {
                progress.show($0.fraction, "\($0)")
            }
            let battery = try? await ring.battery()
            // A link that is lost here has brought the values.
            let settings = (try? await ring.healthSettings()) ?? [:]
            return HealthRead(ring, history, battery: battery, settings: settings)
        }
    }

    private static nonisolated(nonsending) func history(
        of ring: Ring, since day: CivilDate?, _ show: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        let history = try await ring.historyUntilCancelled(
            since: day, orDays: mostDays, progress: show)
        return history.isComplete ? history : (try? await ring.retry(history)) ?? history
    }

    // MARK: The file

    private func keep(
        _ read: HealthRead, of recorder: CaptureRecorder, since day: CivilDate?,
        in store: HealthStore, _ console: inout Console
    ) throws(Failure) -> ExitStatus {
        var read = read
        read.capture = recorder.capture().text
        let changes = try stored(store.add(read))
        let history = read.history
        for notice in changes.notices { console.remark("\(notice)") }
        if Task.isCancelled {
            console.remark("ended early: the next sync reads the rest")
        } else {
            history.remarkOnFailures(&console)
        }
        let all = history.isComplete ? "all that the ring holds" : "not all could be read"
        let name = (read.name ?? read.ring.rawValue).printable
        let rows = TextLayout.lines(of: Self.rows(changes)).map { "  \($0)\n" }.joined()
        console.write(
            type: "sync", Self.members(read, changes, since: day, file.path),
            or: "\(name): \(Self.words(changes)) (\(day.map { "since \($0)" } ?? all))\n"
                + "\(rows)kept in \(file.path.quoted)\n")
        return history.isComplete ? .success : .difference
    }

    /// Keeps what a wrong clock had stored, if the read after it fails: its dates are lost once the
    /// clock is set.
    private func keepOldClock(of ring: Ring, in store: HealthStore?) throws(Failure) {
        guard let old = ring.historyBeforeClockChange else { return }
        let store = if let store { store } else { try file.opened() }
        _ = try stored(store.add(HealthRead(ring, old)))
    }

    private static func words(_ changes: HealthChanges) -> String {
        let (added, replaced) = (
            changes.added.values.reduce(0, +), changes.replaced.values.reduce(0, +)
        )
        let corrected = replaced == 0 ? "" : ", \(ReportText.grouped(replaced)) corrected"
        return added == 0 && replaced == 0
            ? "nothing new"
            : "\(ReportText.grouped(added)) new \(added == 1 ? "value" : "values")" + corrected
    }

    private static func rows(_ changes: HealthChanges) -> [[String]] {
        HistoryKind.allCases.compactMap { kind in
            let (added, replaced) = (changes.added[kind] ?? 0, changes.replaced[kind] ?? 0)
            guard added + replaced > 0 else { return nil }
            return [
                "\(kind)", ReportText.grouped(added),
                replaced > 0 ? "\(ReportText.grouped(replaced)) corrected" : "",
            ]
        }
    }

    private static func members(
        _ read: HealthRead, _ changes: HealthChanges, since day: CivilDate?, _ path: FilePath
    ) -> JSONObject {
        let settings = HealthSetting.allCases.compactMap { setting in
            read.settings[setting].map { (key: setting.rawValue, value: $0 as any JSONValue) }
        }
        return [
            "file": path.text,
            "ring": ["name": read.name, "address": read.ring.rawValue] as JSONObject,
            "since": day.map { "\($0)" }, "settings": JSONObject(settings),
        ] + members(changes) + [
            "failures": read.history.failures.map { "\($0)" },
            "isComplete": read.history.isComplete,
        ]
    }

    private static func members(_ changes: HealthChanges) -> JSONObject {
        func numbers(_ counts: [HistoryKind: Int]) -> JSONObject {
            JSONObject(
                HistoryKind.allCases.compactMap { kind in
                    counts[kind].map { (kind.rawValue, $0) }
                })
        }
        return [
            "added": numbers(changes.added), "replaced": numbers(changes.replaced),
            "notices": changes.notices.map { "\($0)" },
        ]
    }

    private func addClientFile(
        _ path: FilePath, _ console: inout Console
    ) throws(Failure) -> ExitStatus {
        let store = try file.opened()
        let changes = try stored(store.addClientFile(at: path.text))
        for notice in changes.notices { console.remark("\(notice)") }
        console.write(
            type: "imported",
            ["file": file.path.text, "from": path.text] + Self.members(changes),
            or: "\(path.quoted): \(Self.words(changes))\nkept in \(file.path.quoted)\n")
        return .success
    }

    // MARK: Once more

    /// Plays each kept capture as a ring, and reads it with this version.
    private func decodeAgain(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let store = try file.openedIfThere()
        var status = ExitStatus.success
        let captures = try stored(store.captures())
        for capture in captures {
            guard let text = try stored(store.text(of: capture)),
                let (history, before) = await Self.histories(decodedFrom: text, capture.firstDay)
            else {
                console.remark(
                    "the capture of \(capture.ring.rawValue) of \(capture.readAt) has no history")
                status = .difference
                continue
            }
            let changes = try stored(
                store.add(history, historyBeforeClockChange: before, decodedAgainFrom: capture))
            history.remarkOnFailures(&console)
            if !history.isComplete { status = .difference }
            console.write(
                type: "decoded",
                ["ring": capture.ring.rawValue, "readAt": "\(capture.readAt)"]
                    + Self.members(changes),
                or: "\(capture.ring.rawValue.printable) at \(capture.readAt): "
                    + "\(Self.words(changes))\n")
        }
        if captures.isEmpty { console.remark("\(file.path.quoted) has no stored replies") }
        return status
    }

    /// The history in a capture, and the one before its clock was set.
    private static nonisolated(nonsending) func histories(
        decodedFrom text: String, _ first: CivilDate?
    ) async -> (RingHistory, before: RingHistory?)? {
        guard let capture = try? Capture(reading: text) else { return nil }
        let air = VirtualBluetooth(ReplayDevice(capture))
        guard let ring = try? await Ring.connect(over: air) else { return nil }
        let history = try? await history(of: ring, since: first) { _ in }
        await ring.disconnect()
        return history.map { ($0, ring.historyBeforeClockChange) }
    }
}
