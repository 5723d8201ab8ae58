public import HaloProtocol

/// The features of a virtual heart-rate sensor, and the formats of its values.
public struct VirtualHeartRateSensorOptions: Hashable, Sendable {
    /// The name that it advertises.
    public var name = "Virtual HR"
    /// The width of the heart rate, or `nil` for the smallest that fits. A rate above 255 always
    /// has two bytes.
    public var width: HeartRateMeasurement.Width?
    /// `true` if it detects skin contact.
    public var reportsContact = true
    /// `true` if it counts energy; otherwise it has no control point.
    public var countsEnergy = true
    /// The number of measurements for each one that has the energy.
    public var measurementsPerEnergy = 10
    /// `true` if it sends RR intervals.
    public var sendsIntervals = true
    /// `true` if the rate is 0 while the sensor is not worn; otherwise the last rate is repeated.
    public var reportsZeroWithoutContact = true
    /// `true` if it has a battery service.
    public var hasBattery = true
    /// The measuring time of a full battery.
    public var batteryLife: Duration = .seconds(400 * 3600)
    /// The time between measurements.
    public var interval: Duration = .seconds(1)
    /// The Device Information service; an empty one is left out.
    public var information = VirtualHeartRateSensorOptions.defaultInformation

    /// Creates the options of a chest strap with every feature.
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
