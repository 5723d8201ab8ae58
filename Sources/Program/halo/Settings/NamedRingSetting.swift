import HaloDevices
import HaloProtocol

/// A setting of a ring by its name, for users who write the name and the value. The value consists
/// of fields, which are text.
struct NamedRingSetting: Sendable {
    /// The name in lower case, with hyphens: `heart-rate-log`. Names do not change.
    let name: String
    let title: String
    /// The evidence, and what is not certain of the setting; `nil` for a setting that was captured.
    let note: String?
    let fields: [Field]
    /// The ring's ability that the setting is about; `nil` for a setting of another kind.
    let ability: (@Sendable (Capabilities) -> Bool?)?
    /// `true` if the meaning of the values is a guess, and is not shown among known ones.
    let isUncertain: Bool

    typealias Request =
        nonisolated(nonsending) @Sendable (Ring) async throws(DeviceError) -> NamedSettingValue

    let read: Request
    private let makeChange: @Sendable (_ text: String) throws(Failure) -> NamedSettingChange

    struct Field: Hashable, Sendable {
        let name: String
        /// The accepted texts, in words: `1 to 255 min`.
        let accepts: String
        /// `true` if the ring reports the field, and apps cannot change it.
        let isReadOnly: Bool
        /// The evidence, and what is not certain of the field; `nil` if there is no more than the
        /// setting's own ``NamedRingSetting/note``.
        let note: String?
        /// The word before the value in descriptions; `nil` for a value that stands alone.
        let word: String?

        /// Returns `true` if a text may call the field so.
        func isNamed(_ text: String) -> Bool { text == name || text == word }
    }

    /// The maximum length of a text, in bytes of UTF-8.
    static let longestText = 1000

    /// Creates the setting with a name, in upper or lower case and with hyphens or underscores.
    /// A kind of values stands for its log, in any spelling of ``HistoryKind``: `hr`, `hr-log`,
    /// `spo2`. `nil` if there is none.
    init?(named name: String) {
        let word = name.lowercased().replacing("_", with: "-")
        let kind = HistoryKind(named: word.hasSuffix("-log") ? String(word.dropLast(4)) : word)
        let log = kind.map { $0.name(separator: "-") + "-log" }
        let setting =
            Self.all.first { $0.name == word } ?? Self.all.first { $0.name == log }
        guard let setting else { return nil }
        self = setting
    }

    /// Parses a text that changes fields; the other fields keep their values.
    ///
    /// Spaces or commas separate the words of a text. A change is `steps=8000` or `steps 8000`. The
    /// name may be left out if only one field accepts the value: `on`, `10 min`, `22:00-07:00`,
    /// `left`. The description of a ``NamedSettingValue`` is such a text, unless it is empty.
    func change(to text: String) throws(Failure) -> NamedSettingChange {
        try makeChange(text)
    }
}

// MARK: - The fields of a type

/// A field of a setting, with its place in the type of the setting's value.
private struct SettingRow<Value: Sendable>: Sendable {
    let field: NamedRingSetting.Field
    let format: @Sendable (Value) -> NamedSettingValue.Field
    let parse: @Sendable (String) -> ParsedSetting<Edit>

    typealias Edit = (
        field: NamedSettingValue.Field, apply: @Sendable (inout SettingChange<Value>) -> Void
    )

    /// - Parameter word: The word before the value in descriptions; `nil` for none.
    init<Part: Sendable>(
        _ name: String, word: String?, _ notation: SettingNotation<Part>,
        _ path: any WritableKeyPath<Value, Part> & Sendable, note: String? = nil
    ) {
        let field = NamedRingSetting.Field(
            name: name, accepts: notation.accepts, isReadOnly: false, note: note, word: word)
        self.field = field
        format = { field.value($0[keyPath: path], notation) }
        parse = { text in
            notation.parse(text).map { part in
                (field.value(part, notation), { $0.set(path, to: part) })
            }
        }
    }

    init<Part: Sendable>(
        _ name: String, _ notation: SettingNotation<Part>,
        _ path: any WritableKeyPath<Value, Part> & Sendable, note: String? = nil
    ) {
        self.init(name, word: name, notation, path, note: note)
    }

    init<Part: Sendable>(
        reported name: String, _ notation: SettingNotation<Part>,
        _ path: any KeyPath<Value, Part> & Sendable, note: String? = nil
    ) {
        let field = NamedRingSetting.Field(
            name: name, accepts: notation.accepts, isReadOnly: true, note: note, word: nil)
        self.field = field
        format = { field.value($0[keyPath: path], notation) }
        parse = { _ in .failure(.otherNotation) }
    }

    /// The switch of a setting: `on` or `off`, without a name in descriptions.
    static func state(_ path: any WritableKeyPath<Value, Bool> & Sendable) -> SettingRow {
        SettingRow("state", word: nil, .onOrOff, path)
    }
}

extension NamedRingSetting.Field {
    fileprivate func value<Part>(
        _ part: Part, _ notation: SettingNotation<Part>
    ) -> NamedSettingValue.Field {
        let text = notation.format(part)
        var change: String?
        // A ring may report a number beyond the limits, which is no change.
        if !isReadOnly, let text, case .success = notation.parse(text.text) {
            change = [word, text.text].compactMap(\.self).joined(separator: " ")
        }
        return NamedSettingValue.Field(
            name: name, text: text?.text, number: text?.number, unit: text?.unit, change: change)
    }
}

extension NamedRingSetting {
    private init<Value: Sendable>(
        _ name: String, _ title: String, _ setting: RingSetting<Value>,
        _ rows: [SettingRow<Value>], note: String? = nil, isUncertain: Bool = false,
        ability: (@Sendable (Capabilities) -> Bool?)? = nil
    ) {
        (self.ability, self.isUncertain) = (ability, isUncertain)
        self.name = name
        self.title = title
        self.note = note
        fields = rows.map(\.field)
        let read: Request = { (ring) async throws(DeviceError) in
            let value = try await ring.setting(setting)
            return NamedSettingValue(setting: name, fields: rows.map { $0.format(value) })
        }
        self.read = read
        makeChange = { (text: String) throws(Failure) in
            var parser = SettingTextParser(name, rows.map { ($0.field, $0.parse) })
            let edits = try parser.parse(text)
            return NamedSettingChange(fields: edits.map(\.field)) {
                (ring) async throws(DeviceError) in
                try await ring.change(setting) { change in
                    for edit in edits { edit.apply(&change) }
                }
                return try await read(ring)
            }
        }
    }
}

// MARK: - All settings

extension NamedRingSetting {
    /// First what a ring measures by itself, then its screen and its controls, then the wearer.
    static let all: [NamedRingSetting] =
        [
            heartRateLog, heartRateVariabilityLog, stressLog, bloodOxygenLog, temperatureLog,
            bloodPressureLog, bloodSugarLog, bloodLipidsLog,
        ] + [display, touch, gesture] + [goals, wearer, doNotDisturb, temperatureUnit]

    static let heartRateLog = NamedRingSetting(
        "heart-rate-log", "Regular measurement of the heart rate", .heartRateLog,
        [
            .state(\.isOn),
            SettingRow(
                "interval", word: "every", .minutes(HeartRateLogging.intervalMinutes), \.interval,
                note: "the vendor's app offers 5, 10, 15, 20, 30, 45 and 60 min"),
            SettingRow(
                reported: "shortest-interval",
                .orUnknown(.minutes(HeartRateLogging.intervalMinutes)), \.shortestInterval),
        ], note: "some rings lose it at their midnight, or when the battery is empty")

    static let heartRateVariabilityLog = NamedRingSetting(
        "heart-rate-variability-log", "Regular measurement of heart-rate variability",
        .heartRateVariabilityLog, [.state(\.self)], ability: { $0.heartRateVariability })

    static let stressLog = NamedRingSetting(
        "stress-log", "Regular measurement of stress", .stressLog, [.state(\.self)],
        ability: { $0.stress })

    static let bloodOxygenLog = NamedRingSetting(
        "blood-oxygen-log", "Regular measurement of blood oxygen", .bloodOxygenLog,
        [
            .state(\.isOn),
            SettingRow(
                "interval", word: "every",
                .orUnknown(.minutes(BloodOxygenLogging.intervalMinutes.withoutZero)), \.interval,
                note: "apps do not write it; it is not known whether rings accept it"),
        ], ability: { $0.bloodOxygen })

    static let temperatureLog = NamedRingSetting(
        "temperature-log", "Regular measurement of the skin's temperature", .temperatureLog,
        [.state(\.self)], note: "writing is known from one source, on an R09",
        ability: { $0.temperature })

    private static let bloodPressureLog = NamedRingSetting(
        "blood-pressure-log", "Regular measurement of blood pressure", .bloodPressureLog,
        [
            .state(\.isOn),
            SettingRow(
                "interval", word: "every", .minutes(BloodPressureLogging.intervalMinutes),
                \.interval),
            SettingRow("hours", .hours, \.hours),
        ], note: "one source, on an H59 band; writing is known from the layout only",
        ability: { $0.bloodPressure })

    private static let bloodSugarLog = NamedRingSetting(
        "blood-sugar-log", "Regular measurement of blood sugar", .bloodSugarLog,
        [.state(\.self)], note: vendorNotes, ability: { $0.bloodSugar })

    private static let bloodLipidsLog = NamedRingSetting(
        "blood-lipids-log", "Regular measurement of blood lipids", .bloodLipidsLog,
        [.state(\.self)], note: vendorNotes)

    private static let display = NamedRingSetting(
        "display", "The screen", .display,
        [
            .state(\.isOn), SettingRow("hand", .orUnknown(.label), \.hand),
            SettingRow("brightness", .number(DisplaySettings.brightnesses), \.brightness),
            SettingRow(
                reported: "brightness-limit", .number(UInt8.min ... .max), \.brightnessLimit,
                note: "5 in every capture"),
            SettingRow("all-day", .yesOrNo, \.isAllDay),
            SettingRow("hours", .orUnknown(.hours), \.hours),
        ], note: "reading was captured on an R12; two apps are known to write it")

    private static let touch = NamedRingSetting(
        "touch", "The app on the phone that is controlled by touch", .touch,
        [
            SettingRow("app", .label, \.app),
            SettingRow("sleeps-after", .minutes(TouchControl.sleepMinutes), \.sleepsAfter),
        ], note: writingFromVendorNotes)

    private static let gesture = NamedRingSetting(
        "gesture", "The app on the phone that is controlled by gestures of the hand", .gesture,
        [
            SettingRow("app", .label, \.app),
            SettingRow("strength", .number(GestureControl.strengths), \.strength),
        ], note: writingFromVendorNotes)

    private static let goals = NamedRingSetting(
        "goals", "The goals of a day", .goals,
        [
            SettingRow("steps", .number(DailyGoals.amounts, .steps), \.steps),
            SettingRow("energy", .kilocalories(DailyGoals.amounts), \.kilocalories),
            SettingRow("distance", .number(DailyGoals.amounts, .metres), \.metres),
            SettingRow("sport", .orNone(.minutes(DailyGoals.timeMinutes.withoutZero)), \.sport),
            SettingRow("sleep", .orNone(.minutes(DailyGoals.timeMinutes.withoutZero)), \.sleep),
        ])

    private static let wearer: NamedRingSetting = {
        let numbers = WearerProfile.numbers
        return NamedRingSetting(
            "wearer", "The wearer, and the units of the ring", .wearer,
            [
                SettingRow(
                    "sex", .orUnknown(.label), \.sex, note: "one source swaps male and female"),
                SettingRow("age", .numberOrNotSet(numbers, .years), \.ageYears),
                SettingRow(
                    "height", .numberOrNotSet(numbers, .centimetres), \.heightCentimetres),
                SettingRow("weight", .numberOrNotSet(numbers, .kilograms), \.weightKilograms),
                SettingRow("blood-pressure", .orNone(.bloodPressure(numbers)), \.bloodPressure),
                SettingRow(
                    "heart-rate-warning", .orNone(.number(numbers.withoutZero, .beatsPerMinute)),
                    \.warningBeatsPerMinute, note: "its switch is known from vendor notes only"),
                SettingRow(
                    "clock",
                    .choice([(true, ["24-hour", "24h", "24"]), (false, ["12-hour", "12h", "12"])]),
                    \.uses24HourClock),
                SettingRow(
                    "units", .choice([(true, ["metric"]), (false, ["imperial"])]),
                    \.usesMetricUnits),
            ], note: "an R12 reports zeros")
    }()

    private static let doNotDisturb = NamedRingSetting(
        "do-not-disturb", "The daily hours of quiet", .doNotDisturb,
        [.state(\.isOn), SettingRow("hours", .hours, \.hours)],
        note: "every captured ring refuses it; the layout is from other sources")

    private static let temperatureUnit = NamedRingSetting(
        "temperature-unit", "The unit in which temperatures are shown", .temperatureUnit,
        [
            SettingRow(
                "unit", word: nil,
                .choice([
                    (.celsius, ["celsius", "c", "°c"]), (.fahrenheit, ["fahrenheit", "f", "°f"]),
                ]),
                \.self)
        ], note: "\(vendorNotes): neither the units nor the effect of writing is certain",
        isUncertain: true)

    private static let vendorNotes = "known from vendor notes only"
    private static let writingFromVendorNotes = "writing is known from vendor notes only"
}

struct NamedSettingChange: Sendable {
    /// The fields with their new values, in the order of ``NamedRingSetting/fields``.
    let fields: [NamedSettingValue.Field]
    /// Changes the fields, and returns the value that the ring has then.
    ///
    /// Rings have no request for a single field. So the setting is read, written with the changes,
    /// and read again; a change by another task in between is lost. The bytes of the other fields
    /// are written as they were read, also those without a description and beyond the limits.
    let write: NamedRingSetting.Request

    /// Returns the changed fields that have other values all the same: some rings confirm a write,
    /// and ignore it.
    func ignoredFields(in value: NamedSettingValue) -> [NamedSettingValue.Field] {
        fields.compactMap { new in
            value[new.name].flatMap { $0.text == new.text ? nil : $0 }
        }
    }
}

extension NamedSettingChange: CustomStringConvertible {
    /// The new values, as a text for ``NamedRingSetting/change(to:)``.
    var description: String { fields.compactMap(\.change).joined(separator: ", ") }
}
