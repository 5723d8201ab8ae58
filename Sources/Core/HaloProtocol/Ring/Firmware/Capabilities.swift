/// The capabilities that a ring reports after connecting; `nil` before its reply.
///
/// Use them instead of the model, as boards are sold under many names. The meaning of the bits is
/// from vendor notes, and agrees with captured rings. A set bit is a feature of the firmware; a
/// ring may still lack the sensor for it.
public struct Capabilities: Hashable, Sendable {
    /// `true` if the ring measures skin temperature.
    public var temperature: Bool?
    public var bloodOxygen: Bool?
    public var bloodPressure: Bool?
    /// `true` if the ring has the setting for automatic blood pressure.
    public var bloodPressureSetting: Bool?
    /// `true` if the ring has a health check, which measures all values at once.
    public var healthCheck: Bool?
    public var stress: Bool?
    public var heartRateVariability: Bool?
    /// `true` if the ring claims to measure blood sugar.
    public var bloodSugar: Bool?
    /// `true` if the ring stores heart rates that were measured on demand: `false` on R10 and
    /// H59, `true` on R02 and R12.
    public var manualHeartRate: Bool?
    /// `true` if sleep is read as big data, `false` if by the old command.
    public var newSleepProtocol: Bool?
    public var touch: Bool?
    public var gesture: Bool?
    /// `true` if the ring requests a bond.
    public var pairing: Bool?
    /// `true` if touches or gestures control an app's camera.
    public var camera: Bool?
    /// `true` if the ring measures temperature at an interval.
    public var intervalTemperature: Bool?

    /// Creates the capabilities in the replies to setting the clock and to requesting the
    /// functions; without a reply they are `nil`.
    public init(_ answer: SetTime.Reply? = nil, _ functions: DeviceFunctions.Reply? = nil) {
        if let answer { update(answer) }
        if let functions { update(functions) }
    }

    package mutating func update(_ answer: SetTime.Reply) {
        temperature = Self.bool(answer.temperature)
        bloodOxygen = answer.healthFeatures.contains(.bloodOxygen)
        bloodPressure = answer.healthFeatures.contains(.bloodPressure)
        bloodPressureSetting = answer.stressFeatures.contains(.bloodPressureSetting)
        healthCheck = answer.healthFeatures.contains(.healthCheck)
        stress = answer.stressFeatures.contains(.stress)
        heartRateVariability = answer.stressFeatures.contains(.heartRateVariability)
        bloodSugar = answer.companionFeatures.contains(.bloodSugar)
        manualHeartRate = answer.companionFeatures.contains(.manualHeartRate)
        newSleepProtocol = Self.bool(answer.newSleepProtocol)
    }

    package mutating func update(_ functions: DeviceFunctions.Reply) {
        touch = functions.touchFeatures.contains(.touch)
        gesture = functions.touchFeatures.contains(.gesture)
        pairing = functions.touchFeatures.contains(.pairing)
        camera = functions.touchTargets.contains(.camera)
        intervalTemperature = functions.temperatureFeatures.contains(.intervalTemperature)
    }

    private static func bool(_ support: Reported<SetTime.Support>) -> Bool? {
        support.known.map { $0 == .supported }
    }
}

#if !hasFeature(Embedded)
extension Capabilities {
    /// The capabilities with their names in words, in a fixed order.
    public var entries: [(name: String, isSupported: Bool?)] {
        [
            ("blood oxygen", bloodOxygen), ("stress", stress),
            ("heart-rate variability", heartRateVariability), ("temperature", temperature),
            ("temperature at an interval", intervalTemperature),
            ("blood pressure", bloodPressure),
            ("blood-pressure setting", bloodPressureSetting), ("health check", healthCheck),
            ("blood sugar", bloodSugar), ("stored measurements on demand", manualHeartRate),
            ("sleep as big data", newSleepProtocol), ("touch", touch), ("gestures", gesture),
            ("pairing", pairing), ("camera", camera),
        ]
    }
}

extension Capabilities: CustomStringConvertible {
    /// The capabilities in words: `has stress, touch; lacks blood sugar; not known: camera`.
    public var description: String {
        let parts = [("has", true), ("lacks", false), ("not known:", nil)].compactMap {
            (words, isSupported) -> String? in
            let names = entries.filter { $0.isSupported == isSupported }.map(\.name)
            return names.isEmpty ? nil : "\(words) \(names.joined(separator: ", "))"
        }
        return parts.joined(separator: "; ")
    }
}
#endif
