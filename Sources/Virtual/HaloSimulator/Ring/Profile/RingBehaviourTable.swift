package import HaloProtocol

/// The behaviour of a ring for each opcode or record id, with the evidence.
package struct RingBehaviourTable: Hashable, Sendable {
    private var entries: [UInt8: RingFact<RingBehaviour>] = [:]
    private let otherwise: RingFact<RingBehaviour>

    /// Creates a table with one behaviour for every code without an entry.
    package init(otherwise behaviour: RingBehaviour, _ basis: FieldName) {
        otherwise = RingFact(behaviour, basis)
    }

    package subscript(_ code: UInt8) -> RingBehaviour { fact(code).value ?? .silent }

    package func fact(_ code: UInt8) -> RingFact<RingBehaviour> { entries[code] ?? otherwise }

    package func with(
        _ behaviour: RingBehaviour, _ basis: FieldName, for codes: UInt8...
    ) -> RingBehaviourTable {
        with(behaviour, basis, forAll: codes)
    }

    private func with(
        _ behaviour: RingBehaviour, _ basis: FieldName, forAll codes: [UInt8]
    ) -> RingBehaviourTable {
        var table = self
        for code in codes { table.entries[code] = RingFact(behaviour, basis) }
        return table
    }

    func answers(_ basis: FieldName, _ codes: UInt8...) -> Self {
        with(.answers, basis, forAll: codes)
    }
    func refuses(_ basis: FieldName, _ codes: UInt8...) -> Self {
        with(.refuses, basis, forAll: codes)
    }
    func silent(_ basis: FieldName, _ codes: UInt8...) -> Self {
        with(.silent, basis, forAll: codes)
    }
}

extension RingBehaviourTable {
    /// The commands that rings share; `basis` is the evidence for all other codes.
    private static func common(otherwise basis: FieldName) -> RingBehaviourTable {
        RingBehaviourTable(otherwise: .refuses, basis)
            .answers(
                "captured on R02, R10 and R12", SetTime.opcode, Battery.opcode, HeartRateLog.opcode,
                AutoHeartRate.opcode, AutoBloodOxygen.opcode, AutoStress.opcode,
                AutoHeartRateVariability.opcode, ActivityLog.opcode, RealtimeMeasurement.opcode,
                StopMeasurement.opcode, UserPreferences.opcode
            )
            .answers(
                "captured on R10 and R12, and taken to be so elsewhere", PhoneName.opcode,
                Goals.opcode, StressLog.opcode, TodayTotals.opcode, HeartRateVariabilityLog.opcode,
                TemperatureUnit.opcode
            )
            .answers("R10 alone was captured; taken to be so elsewhere", Camera.opcode)
            .answers("some firmware repeats the opcode; a choice", BlinkLight.opcode)
            .answers("a choice: whether a ring answers is not known", FindDevice.opcode)
            .silent("several sources: the link drops", DangerousPowerOff.opcode)
            .silent("nothing is known of an answer", DangerousFactoryReset.opcode)
            .with(
                .silent, "dangerous and not described: this ring does nothing",
                forAll: DangerousRawCommand.rows.map(\.code)
            )
            .silent(
                "its refusal would read as that of another command", RawCommand.versionNumbers.code)
    }

    static let realtek = common(otherwise: "what captured rings say to unsupported commands")
        .refuses("captured", DoNotDisturb.opcode, LegacyRealtimeHeartRate.opcode)
        .refuses(
            "captured on R03", RawCommand.personalisation.code, RawCommand.drinkReminderRead.code
        )
        .refuses("captured: sent as a request", RingNotification.opcode)
        .answers("captured on R10 and R12", DeviceFunctions.opcode)
        .answers("captured on R10 and R12", TemperatureSetting.opcode)
        .answers("captured on R10 and R12", TouchGesture.opcode)
        .answers("captured on R12: nothing stored", BloodPressureData.opcode)
        .answers("captured on R12", RawCommand.menstruation.code, NotificationSwitches.opcode)
        .answers(
            "the switches are read, so a write is taken; a choice", SetNotificationSwitches.opcode
        )
        .answers("captured on R10", WorkoutControl.opcode)
        .answers("vendor notes alone; a choice", DataAvailability.opcode)
        .silent("no capture of a Realtek ring has raw values", RawSensors.opcode)

    static let blueX = common(otherwise: "captured rings refuse; old firmware may be silent")
        .silent(
            "reported: old R02 firmware does not answer", BloodPressureData.opcode,
            BloodPressureConfirm.opcode, RawCommand.manualBloodPressure.code
        )
        .answers("captured on R02", DailyTotals.opcode, RawSensors.opcode)
        .answers("several sources", LegacyRealtimeHeartRate.opcode)
        .answers(
            "several sources; this ring names the newer way and stores nothing here",
            OldSleep.opcode
        )
        .silent("a choice: not captured on R02", FindDevice.opcode)

    static let blueXRecords = RingBehaviourTable(
        otherwise: .refuses, "captured: an unknown record is answered with a zero"
    )
    .answers("captured on R02, R10 and R12", Sleep.requestID, BloodOxygen.requestID)
    .answers("captured: an empty list, or an unknown record", FileList.requestID)
    .answers("captured on R12", Nickname.requestID)

    static let realtekRecords = blueXRecords.answers(
        "captured on R10", WorkoutList.requestID, WorkoutDetail.requestID)
}
