public import HaloProtocol

/// What a virtual heart-rate sensor is able to, and how it says things.
public struct VirtualHeartRateSensorOptions: Hashable, Sendable {
    /// The name that it advertises.
    public var name = "Virtual HR"
    /// How many bytes a heart rate takes; nothing means as few as it can. A rate that does not
    /// fit in one byte gets two.
    public var width: HeartRateMeasurement.Width?
    /// Whether it can tell that it touches the skin.
    public var tellsContact = true
    /// Whether it counts energy; without, it has no control point.
    public var countsEnergy = true
    /// In which of its measurements energy stands: in each one of so many.
    public var measurementsPerEnergy = 10
    /// Whether it sends the times between beats.
    public var sendsIntervals = true
    /// Whether the rate is 0 while it is not worn; without, it repeats the last one.
    public var saysZeroWithoutContact = true
    /// Whether it has a battery that can be asked.
    public var hasBattery = true
    /// For how long of measuring a full battery lasts.
    public var batteryLife: Duration = .seconds(400 * 3600)
    /// How long it is from one measurement to the next.
    public var interval: Duration = .seconds(1)
    /// What stands in its Device Information service; without anything, it has none.
    public var information = VirtualHeartRateSensorOptions.defaultInformation

    /// A chest strap that can everything.
    public init() {}

    private static var defaultInformation: DeviceInformation {
        var information = DeviceInformation()
        information.systemID = SystemID(address: 1)
        information.modelNumber = try? DeviceInformationText("Virtual heart-rate sensor")
        information.serialNumber = try? DeviceInformationText("000001")
        information.firmwareRevision = try? DeviceInformationText("1.0.0")
        information.hardwareRevision = try? DeviceInformationText("1")
        information.softwareRevision = try? DeviceInformationText("1.0.0")
        information.manufacturerName = try? DeviceInformationText("HaloProtocol")
        information.regulatoryCertification = RegulatoryCertification(list: [0, 0])
        if let version = try? PnPID.Version(major: 1, minor: 0, patch: 0) {
            information.pnpID = PnPID(
                source: .bluetooth, vendor: .max, product: 1, version: version)
        }
        return information
    }
}
