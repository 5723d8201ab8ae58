import HaloDevices
import HaloProtocol
import HaloTransport

/// `halo scan`: the devices around.
struct ScanVerb: Verb {
    private let request: DeviceRequest
    private let duration: Duration?
    private let showsAll: Bool

    private static let allOption = Flag(
        "all", letter: "a", "shows all devices, not only those that this package knows")

    static let syntax = VerbSyntax(
        "scan", "shows the devices around, until Ctrl-C",
        options: [CommonOptions.duration, allOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line, when a device is discovered or changes: type (device), name, \
            address, kind, model, certainty, clues, rssi, seconds
            """,
        examples: [
            "halo scan",
            "halo scan --all --for 30s",
        ],
        """
        Shows the \(DeviceKind.plurals) around: name, address, signal, kind, and for a ring a guess
        of its model, with how certain that is: only connecting proves it. A device that is
        connected to a phone does not advertise, and is not shown.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        try arguments.refuseWords()
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: CommonOptions.duration)
        showsAll = arguments.has(Self.allOption)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        ProgramEnding.cancelsTask()
        let access = try await DeviceAccess(request, isShown: duration == nil, &console)
        let time = access.transport.time
        let begun = time.now()
        let view = console.isJSON ? nil : LiveView(&console)
        defer { view?.close() }
        let isDrawn = view?.isInteractive == true
        let events = LiveEvents<Discovery>(interval: LiveView.interval)
        var progress = isDrawn ? nil : console.progress("scanning", printsLines: true)
        defer { progress?.end() }
        let scan = access.transport.scan(ScanFilter(reportsDuplicates: isDrawn))
        let scanning = Task {
            do throws(BLEError) {
                var found = scan.makeAsyncIterator()
                while let discovery = try await found.next() { events.add(discovery) }
                events.finish()
            } catch {
                events.fail(Failure(DeviceError(error)))
            }
        }
        let timer = duration.map { duration in
            time.schedule(at: begun + duration) { events.finish() }
        }
        defer {
            timer?.cancel()
            scanning.cancel()
        }
        let device = request.device
        var list = DeviceList(showsAll: showsAll) { [isNamed = request.isNamed] discovery in
            !isNamed || device.certainty(of: discovery) != nil
        }
        for await event in events.stream {
            switch event {
            case .value(let discovery):
                guard let (device, isNew) = list.receive(discovery, at: time.now()) else {
                    continue
                }
                let seconds = time.now().duration(since: begun)
                if console.isJSON {
                    console.write(type: "device", DeviceList.members(device, seconds))
                    console.flush()
                } else if isNew, !isDrawn {
                    console.write(DeviceList.line(device).text + "\n")
                    console.flush()
                }
            case .tick:
                view?.draw { list.lines(at: time.now(), $0, $1) }
                progress?.show(nil, list.countInWords)
            case .failed(let failure): throw failure
            }
        }
        view?.close()
        if isDrawn { for line in list.table { console.write(line + "\n") } }
        // A scan that was ended early has not looked long enough.
        guard list.isEmpty, ProgramEnding.endingSignal == nil else { return .success }
        throw Self.nothingFound
    }

    private static var nothingFound: Failure {
        Failure(
            .notFound, "no \(DeviceKind.words(DeviceKind.all)) was found",
            advice: """
                Is it charged, near, and not connected to a phone? --all shows every device, \
                'halo doctor' whether Bluetooth works, and --virtual virtual devices.
                """)
    }
}

/// The devices that a scan has found.
struct DeviceList {
    private let showsAll: Bool
    /// `true` for the devices that were asked for.
    private let isWanted: (Discovery) -> Bool
    private var devices: [PeripheralIdentity: (discovery: Discovery, last: Moment)] = [:]
    private var order: [PeripheralIdentity] = []

    /// The most devices that are kept: made-up addresses are endless.
    private static let limit = 1000
    private static let widths = [20, 17, 8, 14]

    init(showsAll: Bool, _ isWanted: @escaping (Discovery) -> Bool) {
        self.showsAll = showsAll
        self.isWanted = isWanted
    }

    var isEmpty: Bool { order.isEmpty }
    var countInWords: String { TextLayout.count(order.count, "device") }

    /// Adds a device. Returns it with its known name, and `true` if it is new in the list; `nil` if
    /// it is not shown.
    mutating func receive(
        _ discovery: Discovery, at now: Moment
    ) -> (device: Discovery, isNew: Bool)? {
        let known = devices[discovery.identity]
        var device = discovery
        // Not every advertisement of a device has its name, which may be all that tells its kind.
        if device.name == nil { device.name = known?.discovery.name }
        let kind = device.recognition.classification
        guard showsAll || kind != .unknown, isWanted(device) else { return nil }
        guard known != nil || devices.count < Self.limit else { return (device, false) }
        devices[device.identity] = (device, now)
        if known == nil { order.append(device.identity) }
        return (device, known == nil)
    }

    /// The lines of the live picture.
    func lines(at now: Moment, _ size: TerminalSize, _ glyphs: GlyphSet) -> [StyledText] {
        var lines = [Self.heading]
        for identity in order.prefix(max(size.rows - 3, 1)) {
            guard let device = devices[identity] else { continue }
            let age = now.duration(since: device.last)
            var line = Self.line(device.discovery, glyphs)
            if age > .seconds(10) {
                line = StyledText(line.text, .faint) + StyledText("  \(age.roughWords) ago", .faint)
            }
            lines.append(line)
        }
        lines.append(StyledText())
        lines.append(StyledText("\(countInWords); Ctrl-C ends", .faint))
        return lines
    }

    /// The lines that stay on the terminal.
    var table: [String] {
        order.compactMap { devices[$0].map { Self.line($0.discovery).text } }
    }

    private static var heading: StyledText {
        let titles = ["NAME", "ADDRESS", "SIGNAL", "KIND"]
        let cells = zip(titles, widths).map { $0.padded(toColumns: $1) }
        return StyledText(cells.joined(separator: "  ") + "  MODEL", .strong)
    }

    static func line(_ discovery: Discovery, _ glyphs: GlyphSet = .braille) -> StyledText {
        let recognition = discovery.recognition
        let cells = [
            discovery.name ?? "(no name)", discovery.identity.rawValue,
            discovery.rssi.map { "\($0) dBm" } ?? "", kind(recognition),
        ].map(\.printable)
        var text = ""
        for (cell, width) in zip(cells, widths) {
            text +=
                cell.truncated(toColumns: width, glyphs: glyphs).padded(toColumns: width) + "  "
        }
        return StyledText(text) + StyledText(model(discovery))
    }

    private static func kind(_ recognition: RingRecognition) -> String {
        switch recognition.classification {
        case .ring: "ring"
        case .lookAlike(let other): "not COLMI: \(other)"
        case .family(let family): family.title.description
        case .heartRateSensor: "strap"
        case .unknown: "unknown"
        }
    }

    private static func model(_ discovery: Discovery) -> String {
        let recognition = discovery.recognition
        let model = RingDiscovery(discovery)?.model.map { "\($0), " } ?? ""
        return recognition.classification == .unknown ? "" : "\(model)\(recognition.confidence)"
    }

    static func members(_ discovery: Discovery, _ seconds: Duration) -> JSONValue.Members {
        let recognition = discovery.recognition
        return [
            ("name", .text(discovery.name)), ("address", .string(discovery.identity.rawValue)),
            ("kind", .string(DeviceKind.of(discovery)?.name ?? kind(recognition))),
            ("model", .text(RingDiscovery(discovery)?.model)),
            ("certainty", .string("\(recognition.confidence)")),
            ("clues", .strings(recognition.clues.map { "\($0)" })),
            ("rssi", discovery.rssi.map { .decimal(Double($0)) } ?? .null),
            ("seconds", .decimal(seconds / .seconds(1))),
        ]
    }
}
