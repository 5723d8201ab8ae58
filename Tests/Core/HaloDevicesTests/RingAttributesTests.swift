import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// The characteristics of a ring, and the ways in which they are written.
@Suite(.passesTime) struct RingAttributesTests {
    private static func characteristic(
        _ number: UInt32, _ uuid: BluetoothUUID, _ properties: GATTProperties
    ) -> GATTCharacteristic {
        GATTCharacteristic(AttributeID(number), uuid, properties)
    }

    private static func uart(
        write: GATTProperties? = .write, notify: GATTProperties? = .notify, from number: UInt32 = 1
    ) -> GATTService {
        GATTService(
            RingServices.uart,
            characteristics: [
                write.map { characteristic(number, RingServices.uartWrite, $0) },
                notify.map { characteristic(number + 1, RingServices.uartNotify, $0) },
            ].compactMap { $0 })
    }

    private static func bigData(
        write: GATTProperties? = .writeWithoutResponse, notify: GATTProperties? = .notify
    ) -> GATTService {
        GATTService(
            RingServices.bigData,
            characteristics: [
                write.map { characteristic(11, RingServices.bigDataWrite, $0) },
                notify.map { characteristic(12, RingServices.bigDataNotify, $0) },
            ].compactMap { $0 })
    }

    /// Frames are written with response where that is possible, records without.
    @Test(
        arguments: [
            (.write, .withResponse, .withResponse),
            (.writeWithoutResponse, .withoutResponse, .withoutResponse),
            ([.write, .writeWithoutResponse], .withResponse, .withoutResponse),
            ([.write, .read], .withResponse, .withResponse), (.read, nil, nil), ([], nil, nil),
        ] as [(GATTProperties, WriteMode?, WriteMode?)])
    func theWayOfWritingIsWhatTheDeviceTakes(
        _ properties: GATTProperties, frames: WriteMode?, records: WriteMode?
    ) throws {
        let uart = try? RingAttributes([Self.uart(write: properties)])
        #expect(uart?.uartWrite.mode == frames)
        let attributes = try RingAttributes([Self.uart(), Self.bigData(write: properties)])
        #expect(attributes.bigDataWrite?.mode == records)
        #expect(attributes.bigDataNotify?.id == AttributeID(12))
    }

    @Test(arguments: [(GATTProperties.notify, true), (.indicate, true), (.read, false)])
    func repliesComeFromCharacteristicsThatCanBeSubscribedTo(
        _ properties: GATTProperties, canBe: Bool
    ) throws {
        let uart = try? RingAttributes([Self.uart(notify: properties)])
        #expect((uart != nil) == canBe)
        let attributes = try RingAttributes([Self.uart(), Self.bigData(notify: properties)])
        #expect((attributes.bigDataNotify != nil) == canBe)
    }

    @Test func aDeviceWithoutTheFirstServiceIsNoRing() {
        for services in [
            [], [Self.bigData()], [Self.uart(write: nil)], [Self.uart(notify: nil)],
        ] {
            #expect {
                try RingAttributes(services)
            } throws: { error in
                let error = error as? DeviceError
                return error?.kind == .wrongDevice && error?.bleError?.operation == .discover
                    && error?.bleError?.uuid == RingServices.uart
            }
        }
    }

    @Test func theSecondServiceMayBeMissing() throws {
        let attributes = try RingAttributes([Self.uart()])
        #expect(attributes.bigDataWrite == nil && attributes.bigDataNotify == nil)
    }

    @Test func aServiceMayBeListedTwice() throws {
        let attributes = try RingAttributes([Self.uart(write: nil), Self.uart(from: 5)])
        #expect(attributes.uartWrite.characteristic.id == AttributeID(5))
        #expect(attributes.uartNotify.id == AttributeID(2))
    }

    @Test func aCharacteristicMayBeListedTwice() throws {
        let attributes = try RingAttributes([
            Self.uart(write: .read, notify: .read), Self.uart(from: 5),
        ])
        #expect(attributes.uartWrite.characteristic.id == AttributeID(5))
        #expect(attributes.uartNotify.id == AttributeID(6))
    }

    @Test func aStrapMayListItsMeasurementsTwice() throws {
        let uuid = CharacteristicCatalog.heartRateMeasurement.uuid
        let heartRate = GATTService(
            StandardServices.heartRate,
            characteristics: [
                Self.characteristic(1, uuid, .read), Self.characteristic(2, uuid, .notify),
            ])
        var client = HeartRateSensorClient(HeartRateSensorOptions())
        try client.found([heartRate])
        #expect(client.source(of: .measurement)?.id == AttributeID(2))
        #expect(throws: DeviceError.self) {
            try client.found([
                GATTService(
                    StandardServices.heartRate, characteristics: [Self.characteristic(1, uuid, [])])
            ])
        }
    }
}
