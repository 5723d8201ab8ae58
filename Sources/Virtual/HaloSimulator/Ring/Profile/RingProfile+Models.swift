internal import HaloProtocol

extension RingProfile {
    /// An R02 with a BlueX chip: raw sensors and the old realtime heart rate, no workouts.
    ///
    /// Its functions were not captured: it refuses the request. This is another firmware than the
    /// one that, by an owner's report, never stores heart rates by itself.
    public static let r02 = RingProfile(
        model: "R02", namePrefix: "R02_", firmware: "R02_3.00.17_240903",
        hardware: "R02_V3.0", manufacturer: "Bluex", capabilities: r02Capabilities,
        commands: .blueX,
        records: .blueXRecords.answers(
            "it names manual heart rates; not captured", ManualHeartRate.requestID),
        notificationLength: 241,
        retention: changed(RingRetention()) {
            $0.activityMinutes = .quarter
            $0.showsStaleSlots = true
        },
        quirks: [
            .reportsNotWorn, .endsAfterTenValues, .oddPreferencesEcho, .quietWhileWarmingUp,
        ],
        factorySettings: changed(RingSettings()) {
            $0.heartRateMinutes = 60
            $0.leastHeartRateMinutes = 0
        }, batteryMicroampereHours: 17_000)

    /// An R03 or R09 with a Realtek chip: its activity has no year.
    ///
    /// Its capabilities and functions were not captured; those of an R12 and of an R10 are used.
    public static let r03 = RingProfile(
        model: "R03", namePrefix: "R03_", firmware: "RT09_3.10.21_251107",
        hardware: "RT09_V3.1", capabilities: r12Capabilities, functions: r10Functions,
        commands: .realtek,
        records: .realtekRecords
            .answers("one source, R09", TemperatureSeries.requestID)
            .answers("as on R12, whose capabilities are taken", ManualHeartRate.requestID),
        quirks: [.activityWithoutYear, .beatIntervals, .sleepNeedsTwoBytes, .slowsTheLink],
        factorySettings: temperatureSettings, batteryMicroampereHours: 17_000)

    /// An R08: it has touch, it is a mouse for the system, and it has no second service.
    ///
    /// Everything that distinguishes it comes from one source each, none of it from a capture:
    /// touch, raw values and functions from an owner of this firmware, the missing service from
    /// `RT08_3.10.46_250621`. That this firmware lacks it too is a choice, and so is all the rest,
    /// which is as on an R12 with a chip of the same maker.
    public static let r08 = RingProfile(
        model: "R08", namePrefix: "R08_", firmware: "RT08_3.10.48_260309",
        hardware: "RT08_V3.1", capabilities: r12Capabilities, functions: r08Functions,
        commands: .realtek
            .answers("one source, R08", RawSensors.opcode)
            .refuses("one source, R08", DataAvailability.opcode),
        records: RingBehaviourTable(
            otherwise: .refuses, "one source: this ring has no service for records"),
        quirks: [.slowsTheLink, .wideRawSensors, .keepsHeartRateLogging],
        factorySettings: changed(RingSettings()) {
            // As its owner's app had left it.
            $0.touch = TouchGesture.Setting(.music, parameter: 1)
        }, hasBigData: false, isMouse: true, batteryMicroampereHours: 15_000)

    /// An R10: it measures temperature, and its workouts begin eight hours too early.
    public static let r10 = RingProfile(
        model: "R10", namePrefix: "COLMI R10_", firmware: "RT03CR_1.00.02_260319",
        hardware: "RT03CR_V1.0", capabilities: r10Capabilities, functions: r10Functions,
        commands: .realtek,
        records: .realtekRecords.answers("captured on R10", TemperatureSeries.requestID),
        quirks: [
            .workoutsInUTC8, .beatIntervals, .sleepNeedsTwoBytes, .slowsTheLink,
            .emptyTemperatureDays,
        ],
        factorySettings: changed(temperatureSettings) { $0.bloodOxygenMinutes = 30 },
        hasWeChat: true, batteryMicroampereHours: 18_000)

    /// An R12: it has a screen, manual heart rates, and naps.
    public static let r12 = RingProfile(
        model: "R12", namePrefix: "COLMI R12_", firmware: "RT11CR_1.00.08_250514",
        hardware: "RT11CR_V1.0", capabilities: r12Capabilities, functions: r12Functions,
        commands: .realtek.answers(
            "captured on R12", Display.opcode, BloodPressureSetting.opcode, HourlySeries.opcode),
        records: .realtekRecords.answers("captured on R12", ManualHeartRate.requestID),
        quirks: [
            .napsBeforeNights, .oddBloodPressureSetting, .beatIntervals, .sleepNeedsTwoBytes,
            .slowsTheLink,
        ], batteryMicroampereHours: 18_000)

    /// An H59: a wrist band with the same protocol, and with blood pressure.
    public static let h59 = RingProfile(
        model: "H59", namePrefix: "H59_", firmware: "H59_2.20.02_260319",
        hardware: "H59_V2.2", capabilities: h59Capabilities, functions: h59Functions,
        commands: .realtek
            .answers("one source, H59", BloodPressureSetting.opcode)
            .silent("one source, H59", RawCommand.manualBloodPressure.code)
            .refuses(
                "a choice: no source on H59", TouchGesture.opcode, RawCommand.menstruation.code,
                TemperatureSetting.opcode, WorkoutControl.opcode),
        records: RingBehaviourTable.blueXRecords
            .answers("one source, H59", RawRecord.storedAlarms.code, RawRecord.undescribed5A.code),
        quirks: [.beatIntervals], hasWeChat: true, batteryMicroampereHours: 60_000)

    private static let temperatureSettings = changed(RingSettings()) {
        $0.temperature = Reported(.on)
    }

    // MARK: Captured capabilities

    /// Bit 5, which every captured ring sets, with unknown meaning.
    private static let undescribed11 = SetTime.MediaFeatures(rawValue: 1 << 5)

    private static let r02Capabilities = changed(SetTime.Reply()) {
        $0.watchFaces = Reported(.supported)
        $0.healthFeatures = [.bloodOxygen, .weather]
        $0.newSleepProtocol = Reported(.supported)
        $0.mediaFeatures = undescribed11.union([.jieLiMusic])
        $0.companionFeatures = [.manualHeartRate]
        $0.stressFeatures = [.stress]
    }

    private static let r10Capabilities = changed(r12Capabilities) {
        $0.temperature = Reported(.supported)
        $0.companionFeatures = []
    }

    private static let r12Capabilities = changed(SetTime.Reply()) {
        $0.healthFeatures = [.bloodOxygen]
        $0.newSleepProtocol = Reported(.supported)
        $0.mediaFeatures = undescribed11
        $0.companionFeatures = [.manualHeartRate]
        $0.stressFeatures = [.stress, .heartRateVariability]
    }

    private static let h59Capabilities = changed(SetTime.Reply()) {
        $0.menstruation = Reported(.supported)
        $0.healthFeatures = [.bloodOxygen, .bloodPressure, .healthCheck]
        $0.newSleepProtocol = Reported(.supported)
        $0.mediaFeatures = undescribed11
        $0.stressFeatures = [.stress, .heartRateVariability]
    }

    private static func changed<Value>(
        _ value: Value, _ change: (inout Value) -> Void
    ) -> Value {
        var value = value
        change(&value)
        return value
    }

    /// Bit 5, bit 7 and the undescribed byte are as one source has them.
    private static let r08Functions = changed(
        DeviceFunctions.Reply(
            touchFeatures: DeviceFunctions.TouchFeatures(rawValue: 1 << 5)
                .union([.touch, .muslimCounter, .appRevision, .pairing]),
            touchTargets: DeviceFunctions.TouchTargets(rawValue: 1 << 7)
                .union([.music, .video, .electronicBook, .camera, .game]))
    ) {
        $0.undescribed4 = 1 << 5 | 14
    }

    private static let r10Functions = DeviceFunctions.Reply(
        touchFeatures: DeviceFunctions.TouchFeatures(rawValue: 1 << 5)
            .union([.appRevision, .pairing, .gesture]),
        touchTargets: [.music, .video, .electronicBook, .game])

    private static let r12Functions = DeviceFunctions.Reply(
        touchFeatures: [.appRevision, .pairing, .gesture],
        touchTargets: [.music, .video, .electronicBook, .game],
        reminderFeatures: DeviceFunctions.ReminderFeatures(rawValue: 1 << 5)
            .union([.drinkReminder]),
        undescribed6: [1 << 7])

    private static let h59Functions = changed(DeviceFunctions.Reply(touchFeatures: [.noScreen])) {
        $0.undescribed4 = 1 << 5
    }
}
