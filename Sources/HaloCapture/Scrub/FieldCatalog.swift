import HaloProtocol

/// The secrecy of a field of a packet, which decides how it is replaced.
enum FieldSecrecy: Hashable, Sendable {
    /// Not secret: the field is kept.
    case harmless
    /// A field with unknown secrecy: its bytes are replaced.
    case unknown
    /// Text that a person chose, or that identifies the device.
    case name
    /// The same in UTF-16.
    case wideName
    /// The model of a device, which may be followed by a part of its address.
    case model
    /// A serial number.
    case serial
    /// A system identifier, which is often an address.
    case systemID
    /// Manufacturer data of an advertisement.
    case makersData
    /// The device's address in an unknown layout.
    case addressData
    /// Seconds since 1970.
    case seconds
    /// Year, month and day in decimal digits.
    case decimalDate
    /// Year, month and day in decimal digits, with a time of day behind them.
    case decimalDateTime
    /// A date with a field each for century, year, month, day and weekday.
    case dateInParts
    /// A sample measured on a body.
    case sample(BodySample)
    /// Pairs of the minimum and the maximum of an hour.
    case ranges(BodySample)
    /// A total that grows.
    case total(BodyTotal)
    /// A sample of the quantity in the adjacent field `quantity`.
    case measured(MeasuredIndex)
    /// A value of the kind in the adjacent field `tag`.
    case tagged
    /// The value, the maximum, the minimum and the difference of an optical sensor.
    case light
    /// One axis of an accelerometer.
    case axis
    /// The wearer's sex.
    case sex
    /// A period of sleep: its start, its end and its stages.
    case sleep
    /// A measured byte; FF stands for none, and is kept.
    case unlessNone
    /// The layout of a recording, which is kept if all of its fields are known.
    case layout

    /// The index of a byte in a live measurement.
    enum MeasuredIndex: Hashable, Sendable {
        case value, second, third
    }

    /// The kind for reports; `nil` for a field that is kept.
    var kind: ScrubKind? {
        switch self {
        case .harmless: nil
        case .unknown, .layout: .unknown
        case .name, .wideName, .model: .names
        case .serial: .serials
        case .systemID, .makersData, .addressData: .addresses
        case .seconds, .decimalDate, .decimalDateTime, .dateInParts: .dates
        case .sample, .ranges, .total, .measured, .tagged, .light, .axis, .sex, .sleep,
            .unlessNone:
            .health
        }
    }
}

/// The secrecy of every field of every packet: the only such list.
///
/// The key of a field is the name of its command, record or characteristic, and the name that
/// decoders give to the field, without indices. A value that is not in the list is
/// ``FieldSecrecy/unknown``.
enum FieldCatalog {
    /// Returns the secrecy of a field.
    static func secrecy(of field: DecodedField, in subject: String?) -> FieldSecrecy {
        if let subject, let listed = listed(path(field.name), in: subject) { return listed }
        return switch field.role {
        case .framing, .structure: .harmless
        case .value, .unclaimed: .unknown
        }
    }

    /// Returns the secrecy of a field in the list; `nil` if the field is not in it.
    static func listed(_ path: String, in subject: String) -> FieldSecrecy? {
        let name = "\(subject).\(path)"
        return secrets[name] ?? (harmless.contains(name) ? .harmless : nil)
    }

    /// All fields of the list, as `subject.path`.
    static var all: Set<String> { harmless.union(secrets.keys) }

    /// Returns a field's name without indices: `days.minimumAndMaximum`.
    static func path(_ name: String) -> String {
        var path = ""
        var isIndex = false
        for scalar in name.unicodeScalars {
            if scalar == "[" { isIndex = true }
            if !isIndex { path.unicodeScalars.append(scalar) }
            if scalar == "]" { isIndex = false }
        }
        return path
    }

    /// The packets of live values. Each of them is replaced anew, even if it equals an earlier one.
    static let live: Set<String> = [
        "HeartRateMeasurement", "LegacyRealtimeHeartRate", "RawSensors", "RealtimeMeasurement",
        "RingNotification", "StopMeasurement", "WorkoutProgress",
    ]

    private static let secrets: [String: FieldSecrecy] = [
        "ActivityLog.date": .decimalDate,
        "ActivityLog.energy": .sample(.slotEnergy),
        "ActivityLog.metres": .sample(.slotMetres),
        "ActivityLog.steps": .sample(.slotSteps),
        "AdvertisingData.structures.body": .unknown,
        "AdvertisingData.structures.data": .makersData,
        "AdvertisingData.structures.name": .name,
        "AutoHeartRate.high": .sample(.pulseCeiling),
        "AutoHeartRate.low": .sample(.pulseFloor),
        "BloodOxygen.days.minimumAndMaximum": .ranges(.oxygen),
        "BloodPressureData.first": .unlessNone,
        "BluetoothAddress.payload": .addressData,
        "BloodSugar.days.minimumAndMaximum": .ranges(.sugar),
        "DailyTotals.activeMinutes": .total(.minutes),
        "DailyTotals.smallCalories": .total(.calories),
        "DailyTotals.date": .decimalDate,
        "DailyTotals.metres": .total(.metres),
        "DailyTotals.runningSteps": .total(.steps),
        "DailyTotals.sleepMinutes": .sample(.nightMinutes),
        "DailyTotals.steps": .total(.steps),
        "FileList.names.name": .name,
        "Goals.smallCalories": .sample(.goalCalories),
        "Goals.metres": .sample(.goalMetres),
        "Goals.sleepMinutes": .sample(.nightMinutes),
        "Goals.sportMinutes": .sample(.goalMinutes),
        "Goals.steps": .sample(.goalSteps),
        "HeartRateLog.samples": .sample(.pulse),
        "HeartRateLog.time": .seconds,
        "HeartRateMeasurement.beatsPerMinute": .sample(.pulse),
        "HeartRateMeasurement.energyKilojoules": .total(.energy),
        "HeartRateMeasurement.rrIntervals.ticks": .sample(.beatTicks),
        "HeartRateVariabilityLog.samples": .sample(.variability),
        "HourlySeries.samples": .sample(.stress),
        "IntervalTemperature74.values.hundredthsOfCelsius": .sample(.hundredthsOfCelsius),
        "IntervalTemperature77.values.hundredthsOfCelsius": .sample(.hundredthsOfCelsius),
        "LEDStripClock.century": .dateInParts,
        "LEDStripClock.day": .dateInParts,
        "LEDStripClock.month": .dateInParts,
        "LEDStripClock.weekday": .dateInParts,
        "LEDStripClock.yearOfCentury": .dateInParts,
        "LegacyRealtimeHeartRate.beatsPerMinute": .sample(.pulse),
        "ManualHeartRate.samples.beatsPerMinute": .sample(.pulse),
        "ModelNumber.text": .model,
        "Nap.periods.end": .sleep,
        "Nap.periods.stages.minutes": .sleep,
        "Nap.periods.stages.stage": .sleep,
        "Nap.periods.start": .sleep,
        "Nickname.text": .wideName,
        "PhoneName.phoneName": .name,
        "RawSensors.difference": .light,
        "RawSensors.minimum": .light,
        "RawSensors.maximum": .light,
        "RawSensors.value": .light,
        "RawSensors.x": .axis,
        "RawSensors.y": .axis,
        "RawSensors.z": .axis,
        "RealtimeMeasurement.beatIntervalMilliseconds": .sample(.beatInterval),
        "RealtimeMeasurement.second": .measured(.second),
        "RealtimeMeasurement.third": .measured(.third),
        "RealtimeMeasurement.value": .measured(.value),
        "RingNotification.smallCalories": .total(.calories),
        "RingNotification.metres": .total(.metres),
        "RingNotification.score": .sample(.stress),
        "RingNotification.steps": .total(.steps),
        "RingNotification.tenthsOfCelsiusAbove20": .sample(.skinTemperature),
        "RingNotification.variability": .sample(.variability),
        "SerialNumber.text": .serial,
        "SetTime.time": .decimalDateTime,
        "Sleep.periods.end": .sleep,
        "Sleep.periods.stages.minutes": .sleep,
        "Sleep.periods.stages.stage": .sleep,
        "Sleep.periods.start": .sleep,
        "StopMeasurement.value": .measured(.value),
        "StressLog.samples": .sample(.stress),
        "SystemID.manufacturerIdentifier": .systemID,
        "SystemID.organizationIdentifier": .systemID,
        "TemperatureSeries.days.values": .sample(.skinTemperature),
        "TodayTotals.activeMinutes": .total(.minutes),
        "TodayTotals.smallCalories": .total(.calories),
        "TodayTotals.metres": .total(.metres),
        "TodayTotals.runningSteps": .total(.steps),
        "TodayTotals.steps": .total(.steps),
        "UserPreferences.ageYears": .sample(.age),
        "UserPreferences.diastolicMillimetresOfMercury": .sample(.diastolic),
        "UserPreferences.warningBeatsPerMinute": .sample(.pulseCeiling),
        "UserPreferences.heightCentimetres": .sample(.height),
        "UserPreferences.sex": .sex,
        "UserPreferences.systolicMillimetresOfMercury": .sample(.systolic),
        "UserPreferences.weightKilograms": .sample(.weight),
        "WorkoutControl.start": .seconds,
        "WorkoutDetail.fields.length": .layout,
        "WorkoutDetail.fields.tag": .layout,
        "WorkoutDetail.packageCount": .layout,
        "WorkoutDetail.secondsPerSample": .layout,
        "WorkoutDetail.start": .seconds,
        "WorkoutDetail.unknown": .unknown,
        "WorkoutList.after": .seconds,
        "WorkoutList.workouts.fields.value": .tagged,
        "WorkoutProgress.beatsPerMinute": .sample(.pulse),
        "WorkoutProgress.smallCalories": .total(.calories),
        "WorkoutProgress.metres": .total(.metres),
        "WorkoutProgress.steps": .total(.steps),
        "WorkoutSamples.samples": .sample(.pulse),
        "WorkoutSamples.unknown": .unknown,
    ]

    /// The fields without secrets: settings, kinds, indices, and properties of the device.
    static let harmless: Set<String> = Set(
        harmlessFields.flatMap { subject, fields in
            fields.split(separator: " ").map { "\(subject).\($0)" }
        })

    private static let harmlessFields: [(subject: String, fields: String)] = [
        (
            "ActivityLog",
            "count daysAgo energyUnit firstSlot index lastSlot minutesPerSlot option "
                + "recordCount slot"
        ),
        (
            "AdvertisingData",
            "structures.company structures.flags structures.power structures.service "
                + "structures.services.uuid"
        ),
        ("AutoBloodOxygen", "enabled minutesPerMeasurement"),
        ("AutoHeartRate", "alarm enabled minimumMinutes minutesPerMeasurement start"),
        ("AutoHeartRateVariability", "enabled"),
        ("AutoStress", "enabled"),
        ("Battery", "charging percent"),
        ("BatteryLevel", "level"),
        ("BloodOxygen", "days.daysAgo selector"),
        ("BloodPressureConfirm", "action"),
        (
            "BloodPressureSetting",
            "enabled endHour endMinute minutesPerMeasurement startHour startMinute"
        ),
        ("BloodSugar", "days.daysAgo"),
        ("BodySensorLocation", "location"),
        ("Camera", "action event"),
        ("DailyTotals", "daysAgo offset"),
        ("DangerousFactoryReset", "confirmation"),
        ("DangerousFirmwareUpdateCheck", "status"),
        ("DangerousFirmwareUpdateChunk", "status"),
        ("DangerousFirmwareUpdateEnd", "status"),
        ("DangerousFirmwareUpdateInitialise", "status"),
        ("DangerousFirmwareUpdateStart", "status"),
        ("DangerousPowerOff", "action"),
        ("DataAvailability", "days"),
        (
            "DeviceFunctions",
            "reminderFeatures temperatureFeatures touchFeatures touchTargets undescribed1 "
                + "undescribed4 undescribed6"
        ),
        (
            "Display",
            "allDay brightness brightnessLimit enabled endHour endMinute hand startHour "
                + "startMinute"
        ),
        ("DoNotDisturb", "enabled endHour endMinute manual startHour startMinute"),
        ("FindPhone", "state"),
        ("FirmwareRevision", "text"),
        ("HardwareRevision", "text"),
        ("HeartRateControlPoint", "operation"),
        ("HeartRateLog", "minutesPerSample partCount"),
        ("HeartRateVariabilityLog", "daysAgo minutesPerSample partCount"),
        ("HourlySeries", "daysAgo kind minutesPerSample partCount"),
        ("IntervalTemperature74", "count day index interval"),
        ("IntervalTemperature77", "count day index interval"),
        ("LEDStripCommand", "blue green lamps mode power red speed white"),
        ("LEDStripClock", "hour minute second"),
        ("LEDStripStatus", "blue green mode power red speed type unexplained version white"),
        ("LegacyRealtimeHeartRate", "action"),
        ("ManualHeartRate", "day samples.time"),
        ("ManufacturerName", "text"),
        ("Nap", "periods.daysAgo"),
        ("Nickname", "status"),
        ("NotificationSwitches", "first second"),
        ("OldSleep", "daysAgo recordCount"),
        ("PacketSizePush", "byteCount"),
        ("PhoneName", "platform systemVersion"),
        ("PnPID", "product source vendor version"),
        ("RawSensors", "action"),
        ("RealtimeMeasurement", "action fault quantity"),
        ("Refusal", "opcode"),
        ("RegulatoryCertification", "list"),
        ("RingNotification", "charging percent"),
        (
            "SetTime",
            "companionFeatures contactTens customWatchFaceLimit healthFeatures language "
                + "mediaFeatures menstruation newSleepProtocol screenHeight screenWidth "
                + "stressFeatures temperature watchFaces"
        ),
        ("Sleep", "days flag periods.daysAgo"),
        ("SoftwareRevision", "text"),
        ("StopMeasurement", "quantity"),
        ("StressLog", "daysAgo minutesPerSample partCount"),
        ("TemperatureSeries", "days.daysAgo days.minutesPerSlot selector"),
        ("TemperatureSetting", "enabled kind"),
        ("TemperatureUnit", "enabled unit"),
        ("TouchGesture", "app parameter surface"),
        ("UserPreferences", "clock heartRateWarningEnabled units"),
        ("WearCalibration", "result"),
        ("WorkoutControl", "action sport status"),
        ("WorkoutDetail", "sport status"),
        ("WorkoutList", "workouts.fields.tag workouts.sport"),
        ("WorkoutProgress", "elapsedSeconds sport state"),
        ("WorkoutSamples", "package"),
    ]
}
