/// The fields that give nothing away: settings, kinds, places in a list, and the device's own.
extension FieldCensus {
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
        ("AutoHeartRate", "alarm enabled leastMinutes minutesPerMeasurement start"),
        ("AutoHeartRateVariability", "enabled"),
        ("AutoStress", "enabled"),
        ("Battery", "charging percent"),
        ("BatteryLevel", "level"),
        ("BloodOxygen", "days.daysAgo selector"),
        ("BloodPressureConfirm", "code"),
        (
            "BloodPressureSetting",
            "enabled endHour endMinute minutesPerMeasurement startHour startMinute"
        ),
        ("BloodSugar", "days.daysAgo"),
        ("BodySensorLocation", "place"),
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
            "functions2 functions3 functions5 functions9 undescribed1 undescribed4 "
                + "undescribed6"
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
        ("HeartRateControlPoint", "order"),
        ("HeartRateLog", "minutesPerSample partCount"),
        ("HeartRateVariabilityLog", "daysAgo minutesPerSample partCount"),
        ("HourlySeries", "daysAgo kind minutesPerSample partCount"),
        ("IntervalTemperature74", "count day index interval"),
        ("IntervalTemperature77", "count day index interval"),
        ("LEDStrip", "blue green lamps mode power red speed white"),
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
            "contactTens customWatchFaceLimit features11 features12 features14 features4 "
                + "language menstruation newSleepProtocol screenHeight screenWidth temperature "
                + "watchFaces"
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
        ("WorkoutDetail", "fields.length fields.tag packages secondsPerSample sport status"),
        ("WorkoutList", "workouts.fields.tag workouts.sport"),
        ("WorkoutProgress", "elapsedSeconds sport state"),
        ("WorkoutSamples", "package"),
    ]
}
