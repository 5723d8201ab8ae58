import HaloProtocol

/// What every field of every packet may give away: the only list of it.
///
/// A field is listed under the name of its command, record or characteristic, with its own name
/// as decoders say it and without indices. A field that is not listed is taken for one that may
/// give anything away.
enum FieldCensus {
    /// What a field gives away.
    static func secrecy(of field: DecodedField, in subject: String?) -> FieldSecrecy {
        if let subject, let listed = listed(path(field.name), in: subject) { return listed }
        return switch field.role {
        case .framing, .structure: .harmless
        case .value, .unclaimed: .unknown
        }
    }

    /// What the list says of a field; nothing where it does not say anything.
    static func listed(_ path: String, in subject: String) -> FieldSecrecy? {
        let name = "\(subject).\(path)"
        return secrets[name] ?? (harmless.contains(name) ? .harmless : nil)
    }

    /// Everything that is listed, as `subject.path`.
    static var all: Set<String> { harmless.union(secrets.keys) }

    /// A field's name without indices: `days.leastAndMost`.
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

    /// What a packet reports while something is measured: two that are alike say nothing.
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
        "BloodOxygen.days.leastAndMost": .ranges(.oxygen),
        "BloodPressureData.first": .unlessNone,
        "BloodSugar.days.leastAndMost": .ranges(.sugar),
        "DailyTotals.activeMinutes": .total(.minutes),
        "DailyTotals.calories": .total(.calories),
        "DailyTotals.date": .decimalDate,
        "DailyTotals.metres": .total(.metres),
        "DailyTotals.runningSteps": .total(.steps),
        "DailyTotals.sleepMinutes": .sample(.nightMinutes),
        "DailyTotals.steps": .total(.steps),
        "FileList.names.name": .name,
        "Goals.calories": .sample(.goalCalories),
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
        "IntervalTemperature74.values.hundredths": .sample(.hundredthsOfCelsius),
        "IntervalTemperature77.values.hundredths": .sample(.hundredthsOfCelsius),
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
        "Nickname.text": .name,
        "PhoneName.phoneName": .name,
        "RawSensors.difference": .light,
        "RawSensors.least": .light,
        "RawSensors.most": .light,
        "RawSensors.value": .light,
        "RawSensors.x": .axis,
        "RawSensors.y": .axis,
        "RawSensors.z": .axis,
        "RealtimeMeasurement.beatInterval": .sample(.beatInterval),
        "RealtimeMeasurement.second": .measured(.second),
        "RealtimeMeasurement.third": .measured(.third),
        "RealtimeMeasurement.value": .measured(.value),
        "RingNotification.calories": .total(.calories),
        "RingNotification.metres": .total(.metres),
        "RingNotification.score": .sample(.stress),
        "RingNotification.steps": .total(.steps),
        "RingNotification.tenthsAbove20": .sample(.skinTemperature),
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
        "TodayTotals.calories": .total(.calories),
        "TodayTotals.metres": .total(.metres),
        "TodayTotals.runningSteps": .total(.steps),
        "TodayTotals.steps": .total(.steps),
        "UserPreferences.ageYears": .sample(.age),
        "UserPreferences.diastolic": .sample(.diastolic),
        "UserPreferences.heartRateWarning": .sample(.pulseCeiling),
        "UserPreferences.heightCentimetres": .sample(.height),
        "UserPreferences.sex": .sex,
        "UserPreferences.systolic": .sample(.systolic),
        "UserPreferences.weightKilograms": .sample(.weight),
        "WorkoutControl.start": .seconds,
        "WorkoutDetail.start": .seconds,
        "WorkoutDetail.unknown": .unknown,
        "WorkoutList.after": .seconds,
        "WorkoutList.workouts.fields.value": .tagged,
        "WorkoutProgress.beatsPerMinute": .sample(.pulse),
        "WorkoutProgress.calories": .total(.calories),
        "WorkoutProgress.metres": .total(.metres),
        "WorkoutProgress.steps": .total(.steps),
        "WorkoutSamples.samples": .sample(.pulse),
        "WorkoutSamples.unknown": .unknown,
    ]
}
