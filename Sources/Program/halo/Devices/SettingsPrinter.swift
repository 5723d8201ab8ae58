import HaloDevices
import HaloProtocol

extension Result<NamedSettingValue, DeviceError> {
    /// `true` if the setting could not be read; a ring that does not have it is no failure.
    var isFailure: Bool {
        if case .failure(let error) = self { error.kind != .notSupported } else { false }
    }
}

enum SettingsPrinter {
    private static let nameWidth = (NamedRingSetting.all.map(\.name.count).max() ?? 0) + 2

    /// Reads and prints every setting, and reports those that could not be read.
    ///
    /// - Parameter isComplete: `true` if the text also has the settings that the ring does not
    ///   have, and those whose meaning is a guess.
    static nonisolated(nonsending) func printAll(
        of ring: Ring, isComplete: Bool, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        var failures: [String] = []
        var cause: DeviceError.Kind?
        for setting in NamedRingSetting.all {
            let result = await Result.catching { () async throws(DeviceError) in
                try await setting.read(ring)
            }
            var isLacking = false
            if case .failure(let error) = result {
                // A refusal is a result, and so is a reply that is wrong or did not come; a lost
                // link is not.
                guard error.isOfOneRequest else { throw Failure(error) }
                isLacking = !result.isFailure
                if !isLacking { (failures, cause) = (failures + [setting.name], error.kind) }
            }
            if setting.isUncertain || isLacking, !isComplete, !console.isJSON { continue }
            let ability = setting.ability?(ring.capabilities)
            print(setting, result, ability: ability, isAlone: false, &console)
            console.flush()
        }
        guard !failures.isEmpty else { return .success }
        var failure = Failure(.difference, "not read: \(failures.joined(separator: ", "))")
        failure.cause = cause
        return console.report(failure)
    }

    /// Prints a setting on a line; alone, also what it takes.
    ///
    /// - Parameter ability: The ring's word on whether it can do what the setting is about.
    static func print(
        _ setting: NamedRingSetting, _ result: Result<NamedSettingValue, DeviceError>,
        ability: Bool? = nil, isAlone: Bool, _ console: inout Console
    ) {
        if console.isJSON { return writeJSON(setting, result, ability, &console) }
        let style = console.style
        let gap = String(repeating: " ", count: nameWidth - setting.name.count)
        let name = style.strong(setting.name) + gap
        switch result {
        case .success(let value):
            var notes: [String] = []
            if setting.isUncertain { notes.append("(uncertain)") }
            if ability == false, value["state"]?.text == "on" {
                notes.append("(the ring reports that it cannot measure this)")
            }
            let lines = lines(of: value, notes, &console)
            console.write(name + lines.joined(separator: "\n" + indent) + "\n")
            var rows: [[String]] = []
            for field in value.fields
            where isAlone || field.text != nil && !field.isInDescription {
                let accepts = setting.fields.first { $0.name == field.name }
                let taken = accepts.map { $0.isReadOnly ? "read only" : $0.accepts } ?? ""
                let text = field.text ?? "not reported"
                rows.append([field.name, text.printable, isAlone ? taken : ""])
            }
            let width = console.tableWidth - 2
            for line in TextLayout.lines(of: rows, width: width) { console.write("  \(line)\n") }
            if isAlone {
                console.write(style.faint(setting.title) + "\n")
                if let note = setting.note { console.write(style.faint(note) + "\n") }
                for field in setting.fields {
                    guard let note = field.note else { continue }
                    console.write(style.faint("\(field.name): \(note)") + "\n")
                }
            }
        case .failure(let error):
            let words = result.isFailure ? "\(error.kind)" : "this ring does not have it"
            let lines = TextLayout.wrapped(words, width: Self.room(console)).map {
                result.isFailure ? style.bad($0) : style.faint($0)
            }
            console.write(name + lines.joined(separator: "\n" + indent) + "\n")
        }
    }

    private static let indent = String(repeating: " ", count: nameWidth)

    private static func lines(
        of value: NamedSettingValue, _ notes: [String], _ console: inout Console
    ) -> [String] {
        var parts = "\(value)".printable.replacing(", ", with: ",\n").split(separator: "\n")
            .map(String.init)
        parts += notes.flatMap { $0.split(separator: " ").map(String.init) }
        return TextLayout.wrapped(parts, separator: " ", width: room(console))
    }

    private static func room(_ console: Console) -> Int {
        max(console.tableWidth - nameWidth, TextLayout.leastRoom)
    }

    private static func writeJSON(
        _ setting: NamedRingSetting, _ result: Result<NamedSettingValue, DeviceError>,
        _ ability: Bool?, _ console: inout Console
    ) {
        let value = try? result.get()
        let fields = JSONObject.list(setting.fields) { field in
            let present = value?[field.name]
            return [
                "name": field.name, "text": present?.text, "number": present?.number,
                "unit": present?.unit, "accepts": field.accepts, "isReadOnly": field.isReadOnly,
                "note": field.note,
            ]
        }
        var problem: String?
        if case .failure(let error) = result { problem = "\(error)" }
        console.write(
            type: "setting",
            [
                "name": setting.name, "title": setting.title, "note": setting.note,
                "isSupported": result.isFailure ? nil : value != nil, "ability": ability,
                "fields": fields, "problem": problem,
            ])
    }
}
