import Foundation
import HaloProtocol
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// What a hosted device advertises, and what the system leaves out of it.
@Suite struct SystemAdvertisementTests {
    private static let long = BluetoothUUID(high: 0x6E40_FFF0_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    private static let otherLong = BluetoothUUID(high: 1, low: 2)

    private static func data(_ contents: AdvertisingStructure.Content...) throws -> AdvertisingData
    {
        try AdvertisingData(structures: contents.map { try AdvertisingStructure($0) })
    }

    /// An advertisement of a name and services; a name that is longer than a packet is in the scan
    /// response.
    private static func advertisement(
        name: String?, short: Int = 0, long: [BluetoothUUID] = []
    ) throws -> SystemAdvertisement {
        var contents: [AdvertisingStructure.Content] = []
        if short > 0 {
            let numbers = (0..<short).map { UInt16(0xA000 + $0) }
            contents.append(.services(.short(numbers), isComplete: true))
        }
        if !long.isEmpty { contents.append(.services(.long(long), isComplete: true)) }
        let structures = try contents.map { try AdvertisingStructure($0) }
        let response = try name.map { try data(.name(AdvertisedName($0), isComplete: true)) }
        return SystemAdvertisement(
            PeripheralAdvertisement(
                try AdvertisingData(structures: structures), scanResponse: response))
    }

    private static func texts(_ advertisement: SystemAdvertisement) -> [String] {
        advertisement.notes.map(\.text)
    }

    /// There is a note exactly if the phone cuts the name: checked with each length of a name
    /// beside each list of services that fits.
    @Test func aNameThatIsCutHasANote() throws {
        for (short, long) in [
            (0, []), (0, [Self.long]), (1, []), (2, [Self.long]), (3, []), (13, []),
        ] {
            for length in 1...29 {
                let name = String(repeating: "n", count: length)
                let advertisement = try Self.advertisement(name: name, short: short, long: long)
                let onAir = HostedAdvertisement(name: name, services: advertisement.services).onAir
                let sent = onAir.data.name ?? onAir.scanResponse?.name
                let isCut = sent?.bytes.count != length
                let notes =
                    isCut ? ["the name has \(length) bytes, and the system cuts it"] : []
                #expect(
                    Self.texts(advertisement) == notes, "\(short) \(long.count) \(length)")
            }
        }
    }

    /// There is a note exactly if the phone leaves a service out.
    @Test func servicesThatDoNotFitHaveANote() throws {
        for (short, long) in [
            (13, []), (14, []), (0, [Self.long]), (4, [Self.long]), (5, [Self.long]),
            (0, [Self.long, Self.otherLong]),
        ] {
            let advertisement = try Self.advertisement(name: nil, short: short, long: long)
            let onAir = HostedAdvertisement(name: nil, services: advertisement.services).onAir
            let isHidden = onAir.data.services.count != advertisement.services.count
            #expect(
                Self.texts(advertisement).contains { $0.hasSuffix("the system hides some") }
                    == isHidden, "\(short) \(long.count)")
        }
    }

    /// The name of the advertising data counts, and otherwise that of the scan response; services
    /// of both, each once.
    @Test func theNameAndTheServicesOfBothPacketsAreAdvertised() throws {
        let data = try Self.data(
            .services(.short([0x180D, 0x180F]), isComplete: true),
            .name(AdvertisedName("first"), isComplete: true))
        let response = try Self.data(
            .services(.short([0x180F]), isComplete: false),
            .services(.long([Self.long]), isComplete: true),
            .name(AdvertisedName("second"), isComplete: true))
        let both = SystemAdvertisement(PeripheralAdvertisement(data, scanResponse: response))
        #expect(both.name == "first")
        #expect(both.services == [BluetoothUUID(0x180D), BluetoothUUID(0x180F), Self.long])
        let named = both.dictionary[CBAdvertisementDataLocalNameKey] as? String
        #expect(named == "first")
        let services = both.dictionary[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        #expect(services?.map { BluetoothUUID($0) } == both.services)
        let second = SystemAdvertisement(
            PeripheralAdvertisement(try Self.data(), scanResponse: response))
        #expect(second.name == "second")
    }

    @Test func anAdvertisementOfNothingIsEmpty() throws {
        let nothing = SystemAdvertisement(PeripheralAdvertisement(try Self.data()))
        #expect(nothing.isEmpty)
        #expect(nothing.dictionary.isEmpty)
        #expect(nothing.notes == [])
        let named = try Self.advertisement(name: "n")
        #expect(!named.isEmpty)
        #expect(Array(named.dictionary.keys) == [CBAdvertisementDataLocalNameKey])
        let serving = try Self.advertisement(name: nil, short: 1)
        #expect(!serving.isEmpty)
        #expect(Array(serving.dictionary.keys) == [CBAdvertisementDataServiceUUIDsKey])
    }

    /// What the system does not advertise is noted, each once.
    @Test func whatIsNotAdvertisedHasANote() throws {
        let data = try Self.data(
            .flags([.generalDiscoverable]), .transmitPower(4),
            .name(AdvertisedName("n"), isComplete: true),
            .manufacturerData(company: 0xFFFF, [1]), .shortServiceData(0x180D, [1]),
            .longServiceData(Self.long, [2]), .other(type: 0x19, [0, 0]))
        let response = try Self.data(.mediumServiceData(0x12345, []))
        let advertisement = SystemAdvertisement(
            PeripheralAdvertisement(data, scanResponse: response, isConnectable: false))
        let rest = " is not advertised: the system advertises a name and services only"
        #expect(
            Self.texts(advertisement) == [
                "manufacturer data" + rest, "service data" + rest,
                "the structure of type 25" + rest,
                "the system accepts connections while it advertises",
            ])
        #expect(advertisement.notes.allSatisfy { $0.kind == .advertisement })
    }
}

/// What a scan reports.
@Suite struct DiscoveryTests {
    private static func discovery(
        _ advertisement: [String: Any], name: String? = "known", rssi: NSNumber? = -50
    ) -> Discovery {
        let phone = Phone()
        let peripheral = CBPeripheral(UUID(), name: name, manager: nil, system: phone.system)
        return Discovery(peripheral, advertisement, rssi: rssi)
    }

    /// The system's name may be one of an earlier connection.
    @Test func theAdvertisedNameIsNewerThanTheKnownOne() {
        let advertised = [CBAdvertisementDataLocalNameKey: "advertised"]
        #expect(Self.discovery(advertised).name == "advertised")
        #expect(Self.discovery([:]).name == "known")
        #expect(Self.discovery(advertised, name: nil).name == "advertised")
        #expect(Self.discovery([:], name: nil).name == nil)
    }

    @Test func manufacturerDataBeginsWithTheCompany() {
        let key = CBAdvertisementDataManufacturerDataKey
        #expect(
            Self.discovery([key: Data([0x34, 0x12, 7, 8])]).manufacturerData
                == [ManufacturerData(company: 0x1234, bytes: [7, 8])])
        #expect(
            Self.discovery([key: Data([0x34, 0x12])]).manufacturerData
                == [ManufacturerData(company: 0x1234, bytes: [])])
        #expect(Self.discovery([key: Data([0x34])]).manufacturerData == [])
        // A slice begins elsewhere than at 0.
        #expect(
            Self.discovery([key: Data([9, 9, 1, 0, 5]).dropFirst(2)]).manufacturerData
                == [ManufacturerData(company: 1, bytes: [5])])
    }

    @Test func servicesAreThoseOfBothLists() {
        let found = Self.discovery([
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
            CBAdvertisementDataOverflowServiceUUIDsKey: [CBUUID(string: "180F")],
        ])
        #expect(found.services == [BluetoothUUID(0x180D), BluetoothUUID(0x180F)])
    }

    /// The dictionary is the system's: a value of another type counts as none.
    @Test func valuesOfOtherTypesAreNone() {
        let found = Self.discovery([
            CBAdvertisementDataServiceUUIDsKey: ["180D"],
            CBAdvertisementDataManufacturerDataKey: [1, 2],
            CBAdvertisementDataIsConnectable: "yes", CBAdvertisementDataLocalNameKey: 7,
        ])
        #expect(found.services == [])
        #expect(found.manufacturerData == [])
        #expect(found.isConnectable == nil)
        #expect(found.name == "known")
    }

    @Test(arguments: [true, false]) func connectableIsWhatTheSystemSays(_ isConnectable: Bool) {
        let found = Self.discovery([
            CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)
        ])
        #expect(found.isConnectable == isConnectable)
        #expect(found.rssi == -50)
        #expect(Self.discovery([:], rssi: nil).rssi == nil)
    }
}
