import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

@Suite("What the daemon is told of a device", .computes)
struct HostedPropertiesTests {
    @Test("refusals that the daemon can pass on keep their code; others become unlikely")
    func refusals() {
        for code in 1...UInt8.max {
            let error = ATTError(code: code)
            let refusal = DeviceRefusal.refusal(error)
            for onReading in [true, false] {
                let heard = DeviceRefusal.error(
                    name: refusal.name, text: refusal.details, onReading: onReading)
                switch code {
                case 0x02, 0x03:
                    #expect(heard == (onReading ? .readNotPermitted : .writeNotPermitted))
                case 0x06, 0x07, 0x08, 0x0D, 0x80...0x9F, 0xFE: #expect(heard == error)
                default: #expect(heard == .unlikely)
                }
            }
        }
        let words = [
            ("no number", 0x80), ("ATT error: 0x81", 0x80), ("0x81 and more", 0x80),
            ("0x7F", 0x0E), ("129", 0x81), ("0x1234", 0x0E), ("0xA0", 0x0E), ("", 0x0E),
        ]
        for (text, code) in words {
            let heard = DeviceRefusal.error(
                name: BlueZErrorName.failed, text: text, onReading: true)
            #expect(heard == ATTError(code: UInt8(code)), "\(text)")
        }
        let others = [
            BlueZErrorName.invalidArguments, BlueZErrorName.notReady, BlueZErrorName.rejected,
            DBusErrorName.unknownMethod, DBusErrorName.noReply,
        ]
        for name in others {
            let heard = DeviceRefusal.error(name: name, text: "0x81", onReading: false)
            #expect(heard == .unlikely, "\(name)")
        }
    }

    @Test("flags survive both directions")
    func flags() {
        for bits in 0...UInt8.max {
            let properties = GATTProperties(rawValue: bits)
            #expect(
                AttributeFlags.properties(of: AttributeFlags.words(for: properties))
                    == properties)
        }
        let demanding = AttributeFlags.words(
            for: [.read, .write, .notify],
            requiring: [.readEncrypted, .writeEncrypted, .subscribeEncrypted])
        #expect(demanding == ["encrypt-read", "encrypt-write", "encrypt-notify"])
        #expect(AttributeFlags.properties(of: demanding) == [.read, .write, .notify])
        #expect(
            AttributeFlags.permissions(of: demanding)
                == [.readEncrypted, .writeEncrypted, .subscribeEncrypted])
        #expect(AttributeFlags.properties(of: ["unheard-of"]) == [])
    }

    @Test("a UUID is written whole, in lower case")
    func identifiers() {
        #expect(BluetoothUUID(0x2A37).busText == "00002a37-0000-1000-8000-00805f9b34fb")
        let long = BluetoothUUID(high: 0x6E40_FFF0_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
        #expect(long.busText == "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e")
    }

    @Test("an advertisement becomes properties")
    func advertisement() throws {
        let structures: [AdvertisingStructure.Content] = [
            .flags([.limitedDiscoverable]), .services(.short([0x180D, 0x180F]), isComplete: false),
            .transmitPower(4), .shortServiceData(0x180F, [9]),
            .other(type: 0x14, [0x0D, 0x18]), .other(type: 0x19, [0x41, 0x03]),
            .other(type: 0x24, [1, 2]), .other(type: 0x12, [6, 0, 8, 0]),
        ]
        let data = try AdvertisingData(structures: structures.map { try AdvertisingStructure($0) })
        let hosted = HostedAdvertisement(
            PeripheralAdvertisement(data, interval: .milliseconds(1)))
        #expect(hosted.values[LEAdvertisement1.minInterval] == .uint32(20))
        #expect(hosted.values[LEAdvertisement1.includes] == .strings(["tx-power"]))
        #expect(
            hosted.values[LEAdvertisement1.solicitUUIDs]
                == .strings([BluetoothUUID(0x180D).busText]))
        #expect(hosted.values[LEAdvertisement1.appearance] == .uint16(0x0341))
        // The daemon would refuse 12.
        let others = hosted.values[LEAdvertisement1.data]?.entries ?? []
        #expect(others.map(\.key) == [.byte(0x24)])
        #expect(hosted.values[LEAdvertisement1.discoverable] == .boolean(true))
        #expect(
            hosted.values[LEAdvertisement1.serviceData]?[BluetoothUUID(0x180F).busText]?.bytes
                == [9])
        for (name, value) in hosted.values {
            let property = LEAdvertisement1.interface.properties.first { $0.name == name }
            #expect(property?.type == value.type, "\(name)")
        }
        let silent = HostedAdvertisement(PeripheralAdvertisement(data, isConnectable: false))
        #expect(silent.values[LEAdvertisement1.type] == .string(LEAdvertisement1.broadcast))
        #expect(silent.values[LEAdvertisement1.discoverable] == nil)
    }

    @Test("reserved services are left out")
    func leavesOut() {
        let switching = GATTDescriptor(AttributeID(9), BluetoothUUID(0x2902))
        let characteristic = GATTCharacteristic(
            AttributeID(1), BluetoothUUID(0x2A37), .notify, descriptors: [switching])
        let services = HostedApplication.hostable([
            GATTService(BluetoothUUID(0x1800), characteristics: []),
            GATTService(BluetoothUUID(0x1801), characteristics: []),
            GATTService(BluetoothUUID(0x180D), characteristics: [characteristic]),
        ])
        let application = HostedApplication(services, at: HostingDaemon.path("/halo/test"))
        #expect(application.objects.count == 3)
        #expect(application.attributes.count == 1)
    }
}
