import HaloDevices

struct SettingsVerb: Verb {
    private let request: DeviceRequest
    private let setting: NamedRingSetting?
    private let change: NamedSettingChange?

    static let syntax = VerbSyntax(
        "settings", "shows and changes the settings of a ring", forms: ["[NAME [VALUE …]]"],
        words: NamedRingSetting.all.map(\.name), secondWords: switches,
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: type (setting), name, title, note, isSupported (null if the \
            ring's reply does not show it), ability (whether the ring reports that it can measure \
            this, or null), fields (name, text, number, unit, accepts, isReadOnly, note), \
            problem
            """,
        difference: """
            the ring confirmed a change but ignored it, or one of all settings could not be \
            read
            """,
        """
        Without a name, reads every setting that this package knows. With a name, shows what the
        fields accept. With a value, changes the fields that it names, and reads the setting again;
        the other fields keep their values:

          halo settings heart-rate-log on 10min
          halo settings goals steps=8000
          halo settings do-not-disturb on 22:00-07:00
        """)

    private static let switches: [String: [String]] = {
        let words = SettingNotation.onOrOff.accepts
        let switches = NamedRingSetting.all.filter { $0.fields.contains { $0.accepts == words } }
        return Dictionary(uniqueKeysWithValues: switches.map { ($0.name, ["on", "off"]) })
    }()

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        guard let name = arguments.allWords.first?.text else {
            (setting, change) = (nil, nil)
            return
        }
        let names = NamedRingSetting.all.map(\.name)
        setting = try Choice.value(name, of: "settings", from: names) {
            NamedRingSetting(named: $0)
        }
        let text = arguments.allWords.dropFirst().map(\.text).joined(separator: " ")
        guard text != "", let setting else {
            change = nil
            return
        }
        change = try setting.change(to: text)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        try await request.withRing(&console) { (ring, console) async throws(Failure) in
            guard let setting else {
                return try await SettingsPrinter.printAll(of: ring, isComplete: true, &console)
            }
            if let change { return try await make(change, of: setting, ring, &console) }
            let value = try await using { () async throws(DeviceError) in
                try await setting.read(ring)
            }
            SettingsPrinter.print(
                setting, .success(value), ability: setting.ability?(ring.capabilities),
                isAlone: true, &console)
            return .success
        }
    }

    private nonisolated(nonsending) func make(
        _ change: NamedSettingChange, of setting: NamedRingSetting, _ ring: Ring,
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let value = try await using { () async throws(DeviceError) in try await change.write(ring) }
        SettingsPrinter.print(setting, .success(value), isAlone: false, &console)
        let ignored = change.ignoredFields(in: value).map(\.name)
        guard !ignored.isEmpty else { return .success }
        throw Failure(
            .difference,
            "the ring confirmed the change, but ignored \(ignored.joined(separator: ", "))")
    }
}
