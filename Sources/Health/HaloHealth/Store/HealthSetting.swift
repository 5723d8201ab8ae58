public import HaloDevices

/// A setting of a ring that explains its values, as a number: which kinds it logs, the goals of a
/// day, and the wearer's profile.
public enum HealthSetting: String, Hashable, Sendable, Codable, CaseIterable {
    /// 1 if the ring measures the heart rate by itself, or 0.
    case heartRateLog = "heart_rate_log"
    /// The minutes between two of these measurements.
    case heartRateLogMinutes = "heart_rate_log_minutes"
    /// 1 if the ring measures heart-rate variability by itself, or 0.
    case heartRateVariabilityLog = "heart_rate_variability_log"
    /// 1 if the ring measures stress by itself, or 0.
    case stressLog = "stress_log"
    /// 1 if the ring measures blood oxygen by itself, or 0.
    case bloodOxygenLog = "blood_oxygen_log"
    /// The minutes between two of these measurements.
    case bloodOxygenLogMinutes = "blood_oxygen_log_minutes"
    /// 1 if the ring measures the temperature of the skin by itself, or 0.
    case temperatureLog = "temperature_log"
    /// The steps that are the goal of a day.
    case goalSteps = "goal_steps"
    /// The energy that is the goal of a day.
    case goalKilocalories = "goal_kilocalories"
    /// The distance that is the goal of a day.
    case goalMetres = "goal_metres"
    /// The sport that is the goal of a day.
    case goalSportMinutes = "goal_sport_minutes"
    /// The sleep that is the goal of a night.
    case goalSleepMinutes = "goal_sleep_minutes"
    /// The wearer's sex: 0 male, 1 female, 2 other.
    case wearerSex = "wearer_sex"
    /// The wearer's age.
    case wearerAgeYears = "wearer_age_years"
    /// The wearer's height.
    case wearerHeightCentimetres = "wearer_height_centimetres"
    /// The wearer's weight.
    case wearerWeightKilograms = "wearer_weight_kilograms"
}

extension [HealthSetting: Double] {
    /// The kinds that the ring logs, or does not log: for `RingHistory.freshness(logging:)`.
    public var logging: [HistoryKind: Bool] {
        HealthSetting.logs.compactMapValues { self[$0].map { $0 != 0 } }
    }
}

extension HealthSetting {
    fileprivate static let logs: [HistoryKind: HealthSetting] = [
        .heartRate: .heartRateLog, .heartRateVariability: .heartRateVariabilityLog,
        .stress: .stressLog, .bloodOxygen: .bloodOxygenLog, .temperature: .temperatureLog,
    ]
}

extension Ring {
    /// Reads the settings that explain stored values, for ``HealthRead/settings``.
    ///
    /// Settings that the ring lacks or does not report are left out, and so is the wearer's profile
    /// if no app has written one.
    public nonisolated(nonsending) func healthSettings()
        async throws(DeviceError) -> [HealthSetting: Double]
    {
        var settings = try await logSettings(of: Set(HistoryKind.allCases))
        if let goals = try await reported(.goals) {
            settings[.goalSteps] = Double(goals.steps)
            settings[.goalKilocalories] = goals.kilocalories
            settings[.goalMetres] = Double(goals.metres)
            settings[.goalSportMinutes] = goals.sport?.inMinutes
            settings[.goalSleepMinutes] = goals.sleep?.inMinutes
        }
        // An app that writes a profile writes a height.
        if let wearer = try await reported(.wearer), wearer.heightCentimetres > 0 {
            settings[.wearerSex] = wearer.sex.map { Double($0.rawValue) }
            settings[.wearerAgeYears] = Double(wearer.ageYears)
            settings[.wearerHeightCentimetres] = Double(wearer.heightCentimetres)
            settings[.wearerWeightKilograms] = Double(wearer.weightKilograms)
        }
        return settings
    }

    /// Reads whether the ring logs some kinds, and how often.
    package nonisolated(nonsending) func logSettings(
        of kinds: Set<HistoryKind>
    ) async throws(DeviceError) -> [HealthSetting: Double] {
        var settings: [HealthSetting: Double] = [:]
        if kinds.contains(.heartRate), let log = try await reported(.heartRateLog) {
            settings[.heartRateLog] = log.isOn ? 1 : 0
            settings[.heartRateLogMinutes] = log.interval.inMinutes
        }
        if kinds.contains(.bloodOxygen), capabilities.bloodOxygen != false,
            let log = try await reported(.bloodOxygenLog)
        {
            settings[.bloodOxygenLog] = log.isOn ? 1 : 0
            settings[.bloodOxygenLogMinutes] = log.interval?.inMinutes
        }
        let switches: [(HistoryKind, RingSetting<Bool>, isSupported: Bool?)] = [
            (.heartRateVariability, .heartRateVariabilityLog, capabilities.heartRateVariability),
            (.stress, .stressLog, capabilities.stress),
            (.temperature, .temperatureLog, capabilities.temperature),
        ]
        for (kind, setting, isSupported) in switches
        where kinds.contains(kind) && isSupported != false {
            guard let name = HealthSetting.logs[kind] else { continue }
            if let isOn = try await reported(setting) { settings[name] = isOn ? 1 : 0 }
        }
        return settings
    }

    /// Reads a setting; `nil` if the ring does not report it.
    private nonisolated(nonsending) func reported<Value: Sendable>(
        _ setting: RingSetting<Value>
    ) async throws(DeviceError) -> Value? {
        do throws(DeviceError) {
            return try await self.setting(setting)
        } catch {
            guard error.isOfOneRequest else { throw error }
            return nil
        }
    }
}

extension Duration {
    fileprivate var inMinutes: Double { Double(components.seconds) / 60 }
}
