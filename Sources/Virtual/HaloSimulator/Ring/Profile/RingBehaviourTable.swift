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
}

extension RingBehaviourTable {
    /// The commands that rings share; `basis` is the evidence for all other codes.
    private static func common(otherwise basis: FieldName) -> RingBehaviourTable {
        RingBehaviourTable(otherwise: .refuses, basis)
            .with(
                .answers, "captured on R02, R10 and R12",
                for: SetTime.opcode, Battery.opcode, HeartRateLog.opcode, AutoHeartRate.opcode,
                AutoBloodOxygen.opcode, AutoStress.opcode, AutoHeartRateVariability.opcode,
                ActivityLog.opcode, RealtimeMeasurement.opcode, StopMeasurement.opcode,
                UserPreferences.opcode
            )
            .with(
                .answers, "captured on R10 and R12, and taken to be so elsewhere",
                for: PhoneName.opcode, Goals.opcode, StressLog.opcode, TodayTotals.opcode,
                HeartRateVariabilityLog.opcode, TemperatureUnit.opcode
            )
            .with(
                .answers, "R10 alone was captured; taken to be so elsewhere", for: Camera.opcode
            )
            .with(
                .answers, "some firmware repeats the opcode; a choice", for: BlinkLight.opcode
            )
            .with(
                .answers, "a choice: whether a ring answers is not known", for: FindDevice.opcode
            )
            .with(
                .silent, "several sources: the link drops", for: DangerousPowerOff.opcode
            )
            .with(
                .silent, "nothing is known of an answer", for: DangerousFactoryReset.opcode
            )
            .with(
                .silent, "dangerous and not described: this ring does nothing",
                forAll: DangerousRawCommand.rows.map(\.code)
            )
            .with(
                .silent, "its refusal would read as that of another command",
                for: RawCommand.versionNumbers.code
            )
    }

    static let realtek = common(otherwise: "what captured rings say to unsupported commands")
        .with(.refuses, "captured", for: DoNotDisturb.opcode, LegacyRealtimeHeartRate.opcode)
        .with(
            .refuses, "captured on R03", for: RawCommand.personalisation.code,
            RawCommand.drinkReminderRead.code
        )
        .with(.refuses, "captured: sent as a request", for: RingNotification.opcode)
        .with(.answers, "captured on R10 and R12", for: DeviceFunctions.opcode)
        .with(.answers, "captured on R10 and R12", for: TemperatureSetting.opcode)
        .with(.answers, "captured on R10 and R12", for: TouchGesture.opcode)
        .with(.answers, "captured on R12: nothing stored", for: BloodPressureData.opcode)
        .with(
            .answers, "captured on R12", for: RawCommand.menstruation.code,
            NotificationSwitches.opcode
        )
        .with(
            .answers, "the switches are read, so a write is taken; a choice",
            for: SetNotificationSwitches.opcode
        )
        .with(.answers, "captured on R10", for: WorkoutControl.opcode)
        .with(.answers, "vendor notes alone; a choice", for: DataAvailability.opcode)
        .with(.silent, "no capture of a Realtek ring has raw values", for: RawSensors.opcode)

    static let blueX = common(otherwise: "captured rings refuse; old firmware may be silent")
        .with(
            .silent, "reported: old R02 firmware does not answer",
            for: BloodPressureData.opcode, BloodPressureConfirm.opcode,
            RawCommand.manualBloodPressure.code
        )
        .with(.answers, "captured on R02", for: DailyTotals.opcode, RawSensors.opcode)
        .with(.answers, "several sources", for: LegacyRealtimeHeartRate.opcode)
        .with(
            .answers, "several sources; this ring names the newer way and stores nothing here",
            for: OldSleep.opcode
        )
        .with(.silent, "a choice: not captured on R02", for: FindDevice.opcode)

    private static let commonRecords = RingBehaviourTable(
        otherwise: .refuses, "captured: an unknown record is answered with a zero"
    )
    .with(.answers, "captured on R02, R10 and R12", for: Sleep.requestID, BloodOxygen.requestID)
    .with(
        .answers, "captured: an empty list, or an unknown record", for: FileList.requestID
    )
    .with(.answers, "captured on R12", for: Nickname.requestID)

    static let realtekRecords = commonRecords.with(
        .answers, "captured on R10", for: WorkoutList.requestID, WorkoutDetail.requestID)

    static let blueXRecords = commonRecords
}
