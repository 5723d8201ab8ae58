import HaloDevices
import HaloProtocol
import HaloTransport

struct ScanVerb: Verb {
    private let request: DeviceRequest
    private let duration: Duration?
    private let showsAll: Bool

    private static let allOption = Flag(
        "all", letter: "a", "shows all devices, not only those that this package knows")

    static let syntax = VerbSyntax(
        "scan", "shows nearby devices, until Ctrl-C",
        options: [CommonOptions.duration, allOption],
        deviceOptions: DeviceRequest.optionsWithoutWait,
        json: """
            one JSON object a line, when a device is discovered or changes: type (device), name, \
            address, kind, model, confidence, clues, rssi, seconds
            """,
        examples: [
            "halo scan",
            "halo scan --all --for 30s",
        ],
        """
        Shows nearby \(DeviceKind.plurals): name, address, signal, kind, and for a ring a guess
        of its model, and how certain that is: only connecting proves it. A device that is
        connected to a phone does not advertise, and is not shown.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: CommonOptions.duration)
        showsAll = arguments.has(Self.allOption)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let access = try await DeviceAccess(request, isShown: duration == nil, &console)
        let time = access.transport.time
        let begun = time.now()
        let view = LiveView(&console)
        let isDrawn = view != nil
        let events = LiveEvents<Discovery>(interval: LiveView.interval)
        var progress = isDrawn ? nil : console.progress("scanning", printsLines: true)
        defer { progress?.end() }
        let scan = access.transport.scan(ScanFilter(reportsDuplicates: isDrawn))
        let scanning = events.run { () async throws(DeviceError) in
            do throws(BLEError) {
                var found = scan.makeAsyncIterator()
                while let discovery = try await found.next() { events.add(discovery) }
            } catch {
                throw DeviceError(error)
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
            !isNamed || device.confidence(of: discovery) != nil
        }
        var failure: Failure?
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
                    console.write(DeviceList.line(device, width: console.tableWidth) + "\n")
                    console.flush()
                }
            case .tick:
                view?.draw { list.lines(at: time.now(), $0, $1) }
                progress?.show(nil, list.countInWords)
            case .failed(let error): failure = error
            }
        }
        view?.close()
        if let failure { throw failure }
        if isDrawn { for line in list.table(console.width) { console.write(line + "\n") } }
        // A scan that was ended early has not looked long enough.
        guard list.isEmpty, ProgramEnding.endingSignal == nil else { return .success }
        throw nothingFound
    }

    private var nothingFound: Failure {
        let words = request.isNamed ? request.device.words() : DeviceKind.words(DeviceKind.all)
        let all = showsAll ? "" : "--all shows every device. "
        return Failure(
            .notFound, "no \(words) was found",
            advice: all + request.place.adviceOnNothingFound(inScan: true))
    }
}

struct DeviceList {
    private let showsAll: Bool
    private let isWanted: (Discovery) -> Bool
    /// The devices in the order in which they were discovered.
    private var devices: [(discovery: Discovery, last: Moment)] = []
    /// The places of the devices in the list.
    private var places: [PeripheralIdentity: Int] = [:]

    /// The most devices that are kept: made-up addresses are endless.
    private static let limit = 1000

    private enum Column: Int, CaseIterable {
        case name = 18, address = 17, signal = 8, kind = 10

        var title: String { "\(self)".uppercased() }

        /// The columns that have room in a line: the kind of a device says more than its signal,
        /// and that more than its address.
        static func fitting(_ width: Int) -> [Column] {
            let some: [[Column]] = [allCases, [.name, .signal, .kind]]
            // As `COLMI R12, possible`: a terminal of 80 columns shows all.
            let ofModel = 19
            return some.first { $0.reduce(ofModel) { $0 + $1.rawValue + 2 } <= width }
                ?? [.name, .kind]
        }
    }

    init(showsAll: Bool, _ isWanted: @escaping (Discovery) -> Bool) {
        self.showsAll = showsAll
        self.isWanted = isWanted
    }

    var isEmpty: Bool { devices.isEmpty }
    var countInWords: String { TextLayout.count(devices.count, "device") }

    /// Adds a device. Returns it with its known name, and `true` if it is new in the list; `nil` if
    /// it is not shown.
    mutating func receive(
        _ discovery: Discovery, at now: Moment
    ) -> (device: Discovery, isNew: Bool)? {
        let known = places[discovery.identity]
        var device = discovery
        // Not every advertisement of a device has its name, which may be all that tells its kind.
        if device.name == nil { device.name = known.flatMap { devices[$0].discovery.name } }
        let kind = device.recognition.classification
        guard showsAll || kind != .unknown, isWanted(device) else { return nil }
        if let known {
            devices[known] = (device, now)
        } else if devices.count < Self.limit {
            places[discovery.identity] = devices.count
            devices.append((device, now))
            return (device, true)
        }
        return (device, false)
    }

    func lines(at now: Moment, _ size: TerminalSize, _ glyphs: GlyphSet) -> [StyledText] {
        let columns = Column.fitting(size.columns)
        var lines = [Self.heading(columns)]
        for (discovery, last) in devices.prefix(max(size.rows - 3, 1)) {
            let age = now.duration(since: last)
            var line = Self.line(discovery, columns, glyphs)
            if age > .seconds(10) {
                line = StyledText(line.text, .faint) + StyledText("  \(age.roughWords) ago", .faint)
            }
            lines.append(line)
        }
        lines.append(StyledText())
        lines.append(StyledText("\(countInWords); Ctrl-C to quit", .faint))
        return lines
    }

    func table(_ width: Int) -> [String] {
        devices.map { Self.line($0.discovery, width: width) }
    }

    private static func heading(_ columns: [Column]) -> StyledText {
        let cells = columns.map { $0.title.padded(toColumns: $0.rawValue) }
        return StyledText(cells.joined(separator: "  ") + "  MODEL", .strong)
    }

    /// The line of a device with the columns that fit into a width.
    static func line(_ discovery: Discovery, width: Int) -> String {
        line(discovery, Column.fitting(width)).text
    }

    private static func line(
        _ discovery: Discovery, _ columns: [Column], _ glyphs: GlyphSet = .braille
    ) -> StyledText {
        let address = discovery.identity.rawValue
        let unnamed = columns.contains(.address) ? "(no name)" : address
        let cells = columns.map { column in
            let cell =
                switch column {
                case .name: discovery.name ?? unnamed
                case .address: address
                case .signal: discovery.rssi.map { "\($0) dBm" } ?? ""
                case .kind: kind(discovery.recognition, isShort: true)
                }
            return cell.printable.truncated(toColumns: column.rawValue, glyphs: glyphs)
                .padded(toColumns: column.rawValue)
        }
        return StyledText(cells.joined(separator: "  ") + "  ") + StyledText(model(discovery))
    }

    /// - Parameter isShort: `true` if the name of another ring has a column of its own.
    private static func kind(_ recognition: RingRecognition, isShort: Bool = false) -> String {
        switch recognition.classification {
        case .ring: "ring"
        case .lookAlike(let other): isShort ? "not COLMI" : "not COLMI: \(other)"
        case .family(let family): family.title.description
        case .heartRateSensor: "strap"
        case .unknown: "unknown"
        }
    }

    private static func model(_ discovery: Discovery) -> String {
        let recognition = discovery.recognition
        guard recognition.classification != .unknown else { return "" }
        let model: String? =
            if case .lookAlike(let other) = recognition.classification { "\(other)" } else {
                RingDiscovery(discovery)?.model.map { "\($0)" }
            }
        return (model.map { "\($0), " } ?? "") + "\(recognition.confidence)"
    }

    static func members(_ discovery: Discovery, _ seconds: Duration) -> JSONObject {
        let recognition = discovery.recognition
        return [
            "name": discovery.name, "address": discovery.identity.rawValue,
            "kind": DeviceKind.of(discovery)?.name ?? kind(recognition),
            "model": RingDiscovery(discovery)?.model, "confidence": "\(recognition.confidence)",
            "clues": recognition.clues.map { "\($0)" }, "rssi": discovery.rssi.map { Double($0) },
            "seconds": seconds / .seconds(1),
        ]
    }
}
