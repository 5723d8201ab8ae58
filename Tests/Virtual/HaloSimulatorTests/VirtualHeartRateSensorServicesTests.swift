import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The other services of a virtual strap: location, control point, battery, information,
/// advertisement.
@Suite(.passesTime) struct VirtualHeartRateSensorServicesTests {
    private var probe = PeripheralProbe(Self.strap())

    private static func strap(
        _ change: (inout VirtualHeartRateSensorOptions) -> Void = { _ in }
    ) -> VirtualHeartRateSensor {
        var options = VirtualHeartRateSensorOptions()
        change(&options)
        return VirtualHeartRateSensor(beatsPerMinute: 60, options: options)
    }

    @Test func itsCharacteristicsHaveThePropertiesOfTheirServices() {
        let probe = PeripheralProbe(Self.strap())
        let properties: [(CharacteristicCatalog.Entry, GATTProperties)] = [
            (CharacteristicCatalog.heartRateMeasurement, .notify),
            (CharacteristicCatalog.bodySensorLocation, .read),
            (CharacteristicCatalog.heartRateControlPoint, .write),
            (CharacteristicCatalog.batteryLevel, [.read, .notify]),
        ]
        for (entry, expected) in properties {
            #expect(probe.characteristic(entry)?.properties == expected, "\(entry.title)")
        }
        #expect(
            probe.device.services.map(\.uuid) == [
                StandardServices.heartRate, StandardServices.battery,
                StandardServices.deviceInformation,
            ])
    }

    @Test(arguments: BodySensorLocation.Location.allCases)
    func saysWhereItIsWorn(place: BodySensorLocation.Location) throws {
        var probe = PeripheralProbe(VirtualHeartRateSensor(location: place, beatsPerMinute: 60))
        probe.handle(.connected)
        #expect(
            try probe.read(CharacteristicCatalog.bodySensorLocation) == .value([place.rawValue]))
    }

    @Test func mayKeepToItselfWhereItIsWorn() {
        let probe = PeripheralProbe(VirtualHeartRateSensor(location: nil, beatsPerMinute: 60))
        #expect(probe.characteristic(CharacteristicCatalog.bodySensorLocation) == nil)
    }

    @Test func countsEnergyFromZeroWhenTold() throws {
        var probe = try StrapProbe.measuring(Self.strap())
        probe.modify { $0.setEnergy(kilojoules: 500) }
        #expect(probe.device.energyKilojoules == 500)
        let answer = try probe.write(
            HeartRateControlPoint.resetEnergy.bytes, to: CharacteristicCatalog.heartRateControlPoint
        )
        #expect(answer == .done)
        #expect(probe.device.energyKilojoules == 0)
        let energies = try probe.measurements(for: .seconds(10)).compactMap(\.energyKilojoules)
        #expect(energies == [0])
    }

    @Test mutating func refusesEveryOtherOrderWithItsOwnError() throws {
        probe.handle(.connected)
        probe.modify { $0.setEnergy(kilojoules: 500) }
        let others = (0...UInt8.max).filter { $0 != 1 }.map { [$0] } + [[], [1, 0]]
        for value in others {
            let answer = try probe.write(value, to: CharacteristicCatalog.heartRateControlPoint)
            #expect(answer == .refused(ATTError(code: 0x80)), "\(value)")
        }
        #expect(probe.device.energyKilojoules == 500)
    }

    @Test func hasAControlPointOnlyIfItCountsEnergy() {
        let probe = PeripheralProbe(Self.strap { $0.countsEnergy = false })
        #expect(probe.characteristic(CharacteristicCatalog.heartRateControlPoint) == nil)
    }

    @Test mutating func saysHowFullItsBatteryIs() throws {
        probe.handle(.connected)
        #expect(try probe.read(CharacteristicCatalog.batteryLevel) == .value([100]))
        probe.modify { $0.setBattery(percent: 42) }
        #expect(try probe.read(CharacteristicCatalog.batteryLevel) == .value([42]))
        probe.modify { $0.setBattery(percent: -1) }
        #expect(try probe.read(CharacteristicCatalog.batteryLevel) == .value([0]))
        probe.modify { $0.setBattery(percent: 255) }
        #expect(try probe.read(CharacteristicCatalog.batteryLevel) == .value([100]))
        #expect(probe.sent.isEmpty, "nobody has subscribed")
    }

    @Test mutating func tellsOfItsBatteryApartFromItsMeasurements() throws {
        probe.handle(.connected)
        try probe.subscribe(CharacteristicCatalog.batteryLevel)
        #expect(!probe.device.isMeasuring)
        probe.modify { $0.setBattery(percent: 50) }
        probe.modify { $0.setBattery(percent: 50) }
        probe.modify { $0.setBattery(percent: 49) }
        #expect(probe.takeSent(CharacteristicCatalog.batteryLevel).map(\.bytes) == [[50], [49]])
        try probe.subscribe(CharacteristicCatalog.batteryLevel, isOn: false)
        probe.modify { $0.setBattery(percent: 48) }
        #expect(probe.sent.isEmpty)
    }

    @Test func itsBatteryDrainsWhileItMeasures() throws {
        var probe = try StrapProbe.measuring(Self.strap { $0.batteryLife = .seconds(1000) })
        try probe.subscribe(CharacteristicCatalog.batteryLevel)
        probe.advance(by: .seconds(30))
        #expect(
            probe.takeSent(CharacteristicCatalog.batteryLevel).map(\.bytes) == [[99], [98], [97]])
        probe.advance(by: .seconds(2000))
        #expect(probe.device.batteryPercent == 0)
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement, isOn: false)
        probe.modify { $0.setBattery(percent: 80) }
        probe.advance(by: .seconds(2000))
        #expect(probe.device.batteryPercent == 80)
    }

    @Test func mayBeWithoutABattery() {
        let probe = PeripheralProbe(Self.strap { $0.hasBattery = false })
        #expect(probe.characteristic(CharacteristicCatalog.batteryLevel) == nil)
    }

    @Test mutating func saysWhoMadeItAndMore() throws {
        probe.handle(.connected)
        var information = DeviceInformation()
        for entry in CharacteristicCatalog.entries
        where DeviceInformation.characteristics.contains(entry.uuid) {
            guard case .value(let bytes) = try probe.read(entry) else {
                Issue.record("\(entry.title) cannot be read")
                continue
            }
            information.receive(bytes, of: entry.uuid)
        }
        #expect(information == VirtualHeartRateSensorOptions().information)
        #expect(information.values.count == DeviceInformation.characteristics.count)
    }

    @Test func hasNoInformationServiceWithoutInformation() {
        let probe = PeripheralProbe(Self.strap { $0.information = DeviceInformation() })
        #expect(!probe.device.services.contains { $0.uuid == StandardServices.deviceInformation })
    }

    @Test func advertisesItsServiceAndItsName() throws {
        let probe = PeripheralProbe(Self.strap { $0.name = "Strap 7" })
        let advertisement = try #require(probe.advertisement)
        #expect(advertisement.isConnectable)
        #expect(advertisement.data.services == [StandardServices.heartRate])
        #expect(advertisement.data.name?.text == "Strap 7")
        #expect(advertisement.data.fitsLegacy)
    }

    @Test mutating func answersReadsFromAPlaceOn() throws {
        probe.handle(.connected)
        let entry = CharacteristicCatalog.modelNumber
        #expect(try probe.read(entry, offset: 8) == .value(Array("heart-rate sensor".utf8)))
        #expect(try probe.read(entry, offset: 25) == .value([]))
        #expect(try probe.read(entry, offset: 26) == .refused(.invalidOffset))
        #expect(try probe.read(entry, offset: -1) == .refused(.invalidOffset))
    }

    @Test mutating func refusesWhatItsPropertiesDoNotAllow() throws {
        probe.handle(.connected)
        let measurement = CharacteristicCatalog.heartRateMeasurement
        #expect(try probe.read(measurement) == .refused(.readNotPermitted))
        #expect(try probe.write([1], to: measurement) == .refused(.writeNotPermitted))
        let point = CharacteristicCatalog.heartRateControlPoint
        #expect(try probe.read(point) == .refused(.readNotPermitted))
    }

    @Test mutating func ignoresOrdersThatWantNoAnswer() throws {
        probe.handle(.connected)
        probe.modify { $0.setEnergy(kilojoules: 5) }
        let point = try #require(probe.characteristic(CharacteristicCatalog.heartRateControlPoint))
        probe.handle(.write(point.id, [1], token: nil))
        #expect(probe.device.energyKilojoules == 5)
    }
}
