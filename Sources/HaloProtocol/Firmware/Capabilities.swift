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
    /// Whether it measures the heart rate on demand: a captured R10 and H59 say no, R02 and R12 yes.
    public var manualHeartRate: Bool?
    /// Whether sleep is stored as big data and not behind the old command.
    public var newSleepProtocol: Bool?
    /// Whether it knows touches.
    public var touch: Bool?
    /// Whether it knows gestures.
    public var gesture: Bool?
    /// Whether it wants to be bonded.
    public var pairing: Bool?
    /// Whether it can be a camera's trigger.
    public var camera: Bool?
    /// Whether it measures temperature at an interval.
    public var intervalTemperature: Bool?

    /// A ring that was not asked yet.
    public init() {}
}
