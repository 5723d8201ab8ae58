internal import HaloProtocol
internal import HaloTransport

/// The services of a virtual heart-rate sensor, and the numbers of what changes in them.
struct HeartRateSensorAttributes: Sendable {
    private(set) var database = GATTDatabase()
    let measurement: AttributeID
    let controlPoint: AttributeID?
    let battery: AttributeID?

    init(location: BodySensorLocation.Place?, options: VirtualHeartRateSensorOptions) {
        (measurement, controlPoint) = database.add(StandardServices.heartRate) { service in
            let measurement = service.add(
                CharacteristicCatalog.heartRateMeasurement.uuid, .notify)
            if let location {
                service.add(
                    CharacteristicCatalog.bodySensorLocation.uuid, .read,
                    value: BodySensorLocation(location).bytes)
            }
            guard options.countsEnergy else { return (measurement, nil) }
            return (
                measurement, service.add(CharacteristicCatalog.heartRateControlPoint.uuid, .write)
            )
        }
        battery =
            options.hasBattery
            ? database.add(StandardServices.battery) { service in
                service.add(CharacteristicCatalog.batteryLevel.uuid, [.read, .notify])
            } : nil
        let information = options.information.values
        guard !information.isEmpty else { return }
        database.add(StandardServices.deviceInformation) { service in
            for value in information { service.add(value.uuid, .read, value: value.bytes) }
        }
    }
}

/// What a virtual heart-rate sensor knows of the central that is connected to it.
struct HeartRateSensorLink: Hashable, Sendable {
    /// How long one notification can be.
    var maximumLength = defaultMaximumLength
    /// Whether the central wants to hear of the battery.
    var wantsBattery = false
    /// When the next measurement is due, if the central wants any.
    var nextMeasurement: Moment?

    /// What the MTU of 23 leaves, which holds until another is agreed on.
    private static let defaultMaximumLength = 20
}
