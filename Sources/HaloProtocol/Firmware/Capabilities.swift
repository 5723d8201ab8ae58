/// What a ring says that it can do, in the words of the answers it gives after connecting.
///
/// Programs ask here and not for the model: boards are sold under many names. Each answer is
/// nothing until the ring was asked. What the bits mean is known from vendor notes, and agrees
/// with the rings that were captured; a set bit says what the firmware offers, not that every
/// ring with it has the part.
public struct Capabilities: Hashable, Sendable {
    /// Whether it measures skin temperature.
    public var temperature: Bool?
    /// Whether it measures blood oxygen.
    public var bloodOxygen: Bool?
    /// Whether it measures blood pressure.
    public var bloodPressure: Bool?
    /// Whether it has the setting for measuring blood pressure by itself.
    public var bloodPressureSetting: Bool?
    /// Whether it measures everything in one go.
    public var healthCheck: Bool?
    /// Whether it measures stress.
    public var stress: Bool?
    /// Whether it measures heart-rate variability.
    public var heartRateVariability: Bool?
    /// Whether it measures blood sugar, or says so.
    public var bloodSugar: Bool?
    /// Whether it measures the heart rate on demand: captured R10 and H59 say no, R02 and R12 yes.
    public var manualHeartRate: Bool?
    /// Whether sleep is stored as big data and not behind the old command.
    public var newSleepProtocol: Bool?
    /// Whether it knows touches.
    public var touch: Bool?
    /// Whether it knows gestures.
    public var gesture: Bool?
    /// Whether it wants to be bonded.
    public var pairing: Bool?
    /// Whether touch or gestures can control an app's camera.
    public var camera: Bool?
    /// Whether it measures temperature at an interval.
    public var intervalTemperature: Bool?

    /// A ring that was not asked yet.
    public init() {}

    /// What a ring answered to its clock being set, and to being asked for its functions.
    public init(_ answer: SetTime.Reply?, _ functions: DeviceFunctions.Reply? = nil) {
        if let answer { update(answer) }
        if let functions { update(functions) }
    }

    /// Takes in what a ring answered to its clock being set.
    public mutating func update(_ answer: SetTime.Reply) {
        temperature = Self.bool(answer.temperature)
        bloodOxygen = answer.features4.contains(.bloodOxygen)
        bloodPressure = answer.features4.contains(.bloodPressure)
        bloodPressureSetting = answer.features14.contains(.bloodPressureSetting)
        healthCheck = answer.features4.contains(.healthCheck)
        stress = answer.features14.contains(.stress)
        heartRateVariability = answer.features14.contains(.heartRateVariability)
        bloodSugar = answer.features12.contains(.bloodSugar)
        manualHeartRate = answer.features12.contains(.manualHeartRate)
        newSleepProtocol = Self.bool(answer.newSleepProtocol)
    }

    /// Takes in what a ring answered to being asked for its functions.
    public mutating func update(_ functions: DeviceFunctions.Reply) {
        touch = functions.functions2.contains(.touch)
        gesture = functions.functions2.contains(.gesture)
        pairing = functions.functions2.contains(.pairing)
        camera = functions.functions3.contains(.camera)
        intervalTemperature = functions.functions9.contains(.intervalTemperature)
    }

    private static func bool(_ support: Reported<SetTime.Support>) -> Bool? {
        support.known.map { $0 == .supported }
    }
}
