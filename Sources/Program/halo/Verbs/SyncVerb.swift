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
        forms: ["", "--import FILE", "--decode-again"],
        options: [HealthFile.option, zone, again, importOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (sync), file, ring, address, since, settings (numbers), added \
            and replaced (numbers by kind), notices, failures, isComplete; with \
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

        With -q, for cron, it says nothing when all went well: only another wearer, a reset, a
        wrong clock, and what could not be read.

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
        let sync = sync(into: old, of: found, over: transport, recorder)
        let place = console.progressPlace
        let connection = try await synced { () async throws(HealthSyncError) in
            try await waiting("connecting to \(found.nameOrAddress)", on: place) {
                () async throws(HealthSyncError) in try await sync.connect()
            }
        }
        let device = ConnectedRing(ring: connection.ring)
        return try await device.whileConnected(&console) { (console) async throws(Failure) in
            let outcome = try await Self.read(sync, connection, &console)
            return report(outcome, &console)
        }
    }

    // MARK: The ring

    /// The longest capture that is kept of a read, in bytes; a week takes some 100,000.
    private static let captureLimit = 4 << 20

    private func sync(
        into old: HealthStore?, of found: Discovery, over transport: any BLETransport,
        _ recorder: CaptureRecorder
    ) -> HealthSync {
        let path = file.path.text
        var sync = HealthSync(
            into: old,
            orInto: { () throws(HealthStoreError) in try HealthStore(filePath: path) },
            over: transport)
        sync.discovery = RingDiscovery(found)
        sync.ring = found.identity
        sync.capture = { recorder.capture().text }
        sync.readsAll = assumesZone
        if assumesZone { sync.options.earlierZone = .local }
        return sync
    }

    private static nonisolated(nonsending) func read(
        _ sync: HealthSync, _ connection: HealthSync.Connection, _ console: inout Console
    ) async throws(Failure) -> HealthSync.Outcome {
        var progress = console.progress(
            "reading what \(connection.ring.displayName) has stored")
        defer { progress.end() }
        return try await synced { () async throws(HealthSyncError) in
            try await sync.read(connection) { step in
                switch step {
                case .finding, .connecting: break
                case .reading(let part): progress.show(part.fraction, "\(part)")
                case .reconnecting: progress.show(nil, "the link was lost; reconnecting")
                }
            }
        }
    }

    // MARK: The report

    private func report(
        _ outcome: HealthSync.Outcome, _ console: inout Console
    ) -> ExitStatus {
        let (history, changes) = (outcome.read.history, outcome.changes)
        for notice in changes.notices { console.notice("\(notice)") }
        console.remarkOnLostLinks(outcome.lostLinks)
        if Task.isCancelled {
            console.remark("ended early: the next sync reads the rest")
        } else {
            history.remarkOnFailures(&console)
        }
        let all = history.isComplete ? "all that the ring holds" : "not all could be read"
        let name = (outcome.read.name ?? outcome.read.ring.rawValue).printable
        let rows = TextLayout.lines(of: Self.rows(changes)).map { "  \($0)\n" }.joined()
        let range = outcome.since.map { "since \($0)" } ?? all
        console.write(
            type: "sync", Self.members(outcome, file.path),
            unlessQuiet: "\(name): \(Self.words(changes)) (\(range))\n"
                + "\(rows)kept in \(file.path.quoted)\n")
        return history.isComplete ? .success : .difference
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
        _ outcome: HealthSync.Outcome, _ path: FilePath
    ) -> JSONObject {
        let read = outcome.read
        let settings = HealthSetting.allCases.compactMap { setting in
            read.settings[setting].map { (key: "\(setting)", value: $0 as any JSONValue) }
        }
        return [
            "file": path.text,
            "ring": read.name ?? read.ring.rawValue, "address": read.ring.rawValue,
            "since": outcome.since.map { "\($0)" }, "settings": JSONObject(settings),
        ] + members(outcome.changes) + [
            "failures": read.history.failures.map { "\($0)" },
            "isComplete": outcome.isComplete,
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
        for notice in changes.notices { console.notice("\(notice)") }
        console.write(
            type: "imported",
            ["file": file.path.text, "from": path.text] + Self.members(changes),
            unlessQuiet:
                "\(path.quoted): \(Self.words(changes))\nkept in \(file.path.quoted)\n")
        return .success
    }

    // MARK: Once more

    /// Plays each kept capture as a ring, and reads it with this version.
    private func decodeAgain(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let store = try file.openedIfThere()
        var status = ExitStatus.success
        let captures = try stored(store.captures())
        let rings = try stored(store.rings())
        for capture in captures {
            let name =
                rings.first { $0.identity == capture.ring }?.name ?? capture.ring.rawValue
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
                [
                    "ring": name, "address": capture.ring.rawValue,
                    "readAt": "\(capture.readAt)",
                ] + Self.members(changes),
                unlessQuiet: "\(name.printable) at \(capture.readAt): \(Self.words(changes))\n")
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
        var options = RingOptions()
        // The file has the values already.
        options.keepBeforeClockChange = { _ in }
        guard let ring = try? await Ring.connect(over: air, options: options) else { return nil }
        var history = try? await ring.historyAcrossLinks(
            since: first, orDays: HealthSync.mostDays, waiting: .zero, progress: { _ in },
            linkLost: {})
        if let known = history, !known.isComplete {
            history = (try? await ring.retry(known)) ?? known
        }
        await ring.disconnect()
        return history.map { ($0, ring.historyBeforeClockChange) }
    }
}
