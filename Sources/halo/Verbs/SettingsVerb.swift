import HaloDevices

/// `halo settings`: shows and changes the settings of a ring.
struct SettingsVerb: Verb {
    private let request: DeviceRequest
    private let setting: NamedRingSetting?
    private let change: NamedSettingChange?

    static let syntax = VerbSyntax(
        "settings", "shows and changes the settings of a ring", forms: ["[NAME [VALUE …]]"],
        words: NamedRingSetting.all.map(\.name), options: DeviceRequest.options,
        json: """
            one JSON object a line: type (setting), name, title, note, isSupported (null if the \
            ring's reply does not tell), fields (name, text, number, unit, accepts, isReadOnly), \
            problem
            """,
        difference: """
            the ring has confirmed a change, and ignored it, or one of all settings could not be \
            read
            """,
        """
        Without a name, reads every setting that this package knows. With a name, shows what its
        fields take. With a value, changes the fields that it names, and reads the setting again;
        the other fields keep their values:

          halo settings heart-rate-log on 10min
          halo settings goals steps=8000
          halo settings do-not-disturb on 22:00-07:00
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        request = try DeviceRequest(arguments)
        guard let name = arguments.allWords.first?.text else {
            (setting, change) = (nil, nil)
            return
        }
        let names = NamedRingSetting.all.map(\.name)
        setting = try Choice.value(name, of: "halo settings", from: names) {
            NamedRingSetting(named: $0)
        }
        let text = arguments.allWords.dropFirst().map(\.text).joined(separator: " ")
        guard text != "", let setting else {
            change = nil
            return
        }
        change = try mapError({ (error: SettingTextError) -> ArgumentError in
            .wrongUsage("\(error)")
        }) {
            () throws(SettingTextError) in try setting.change(to: text)
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        try await request.withRing(&console) { (ring, console) async throws(Failure) in
            if let change { return try await make(change, ring, &console) }
            guard let setting else {
                return try await SettingsPrinter.printAll(of: ring, showsLacking: true, &console)
            }
            let value = try await using { () async throws(DeviceError) in
                try await ring.value(of: setting)
            }
            SettingsPrinter.print(setting, .success(value), isAlone: true, &console)
            return .success
        }
    }

    private nonisolated(nonsending) func make(
        _ change: NamedSettingChange, _ ring: Ring, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let value = try await using { () async throws(DeviceError) in try await ring.set(change) }
        SettingsPrinter.print(change.setting, .success(value), isAlone: false, &console)
        let ignored = change.ignoredFields(in: value).map(\.name)
        guard !ignored.isEmpty else { return .success }
        throw Failure(
            .difference,
            "the ring has confirmed the change, and ignored \(ignored.joined(separator: ", "))")
    }
}

extension Result<NamedSettingValue, DeviceError> {
    /// `true` if the setting could not be read; a ring that does not have it is no failure.
    var isFailure: Bool {
        if case .failure(let error) = self { error.kind != .notSupported } else { false }
    }
}

/// Reads and prints settings, for `halo settings` and `halo info`.
enum SettingsPrinter {
    private static let nameWidth = (NamedRingSetting.all.map(\.name.count).max() ?? 0) + 2

    /// Reads and prints every setting, and reports those that could not be read.
    ///
    /// - Parameter showsLacking: `true` if settings that the ring does not have are in the text.
    static nonisolated(nonsending) func printAll(
        of ring: Ring, showsLacking: Bool, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        var failures: [String] = []
        for setting in NamedRingSetting.all {
            let result = try await read(setting, of: ring)
            if result.isFailure { failures.append(setting.name) }
            if case .failure = result, !result.isFailure, !showsLacking, !console.isJSON {
                continue
            }
            print(setting, result, isAlone: false, &console)
            console.flush()
        }
        guard !failures.isEmpty else { return .success }
        return console.report(
            Failure(.difference, "not read: \(failures.joined(separator: ", "))"))
    }

    /// Reads a setting; a refusal is a result, and so is a reply that is wrong or did not come. A
    /// lost link is not.
    static nonisolated(nonsending) func read(
        _ setting: NamedRingSetting, of ring: Ring
    ) async throws(Failure) -> Result<NamedSettingValue, DeviceError> {
        do throws(DeviceError) {
            return .success(try await ring.value(of: setting))
        } catch {
            guard [.notSupported, .noData, .timedOut, .badAnswer].contains(error.kind) else {
                throw Failure(error)
            }
            return .failure(error)
        }
    }

    /// Prints a setting on a line; alone, also what it takes.
    static func print(
        _ setting: NamedRingSetting, _ result: Result<NamedSettingValue, DeviceError>,
        isAlone: Bool, _ console: inout Console
    ) {
        if console.isJSON { return writeJSON(setting, result, &console) }
        let style = console.style
        let name = style.strong(setting.name) + spaces(nameWidth - setting.name.count)
        switch result {
        case .success(let value):
            console.write("\(name)\("\(value)".printable)\n")
            var rows: [[String]] = []
            for field in value.fields where isAlone || isOnlyReported(field) {
                let accepts = setting.fields.first { $0.name == field.name }
                let taken = accepts.map { $0.isReadOnly ? "reported" : $0.accepts } ?? ""
                let text = field.text ?? "not reported"
                rows.append([field.name, text.printable, isAlone ? taken : ""])
            }
            for line in TextLayout.lines(of: rows) { console.write("  \(line)\n") }
            if isAlone {
                console.write(style.faint(setting.title) + "\n")
                if let note = setting.note { console.write(style.faint(note) + "\n") }
            }
        case .failure(let error):
            let words =
                result.isFailure
                ? style.bad("\(error)".printable) : style.faint("this ring does not have it")
            console.write("\(name)\(words)\n")
        }
    }

    /// Returns `true` for a value that the line of the setting does not have: no text changes the
    /// field to it.
    private static func isOnlyReported(_ field: NamedSettingValue.Field) -> Bool {
        field.text != nil && !field.isInDescription
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 1))
    }

    private static func writeJSON(
        _ setting: NamedRingSetting, _ result: Result<NamedSettingValue, DeviceError>,
        _ console: inout Console
    ) {
        let value = try? result.get()
        let fields = JSONValue.objects(setting.fields) { field in
            let present = value?[field.name]
            return [
                ("name", .string(field.name)), ("text", .text(present?.text)),
                ("number", present?.number.map { .decimal($0) } ?? .null),
                ("unit", .text(present?.unit)), ("accepts", .string(field.accepts)),
                ("isReadOnly", .boolean(field.isReadOnly)),
            ]
        }
        var problem: String?
        if case .failure(let error) = result { problem = "\(error)" }
        console.write(
            type: "setting",
            [
                ("name", .string(setting.name)), ("title", .string(setting.title)),
                ("note", .text(setting.note)),
                ("isSupported", result.isFailure ? .null : .boolean(value != nil)),
                ("fields", fields), ("problem", .text(problem)),
            ])
    }
}
