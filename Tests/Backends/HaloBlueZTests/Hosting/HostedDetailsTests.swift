import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The objects and the advertisement of a hosted device, byte for byte.
@Suite(.computes) struct HostedDetailsTests {
    private static func hosted(
        _ contents: [AdvertisingStructure.Content], isConnectable: Bool = true
    ) throws -> HostedAdvertisement {
        let data = try AdvertisingData(structures: contents.map { try AdvertisingStructure($0) })
        return HostedAdvertisement(PeripheralAdvertisement(data, isConnectable: isConnectable))
    }

    private static func short(_ count: Int) -> AdvertisingStructure.Content {
        .services(.short((0..<count).map { UInt16($0 + 1) }), isComplete: true)
    }

    private static func long(_ count: Int) -> AdvertisingStructure.Content {
        .services(
            .long((0..<count).map { BluetoothUUID(high: UInt64($0), low: 1) }), isComplete: true)
    }

    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    /// An ordinary advertisement has 31 bytes: two before each structure.
    @Test(
        arguments: [
            ([short(14)], nil), ([short(15)], "it takes 32 of 31 bytes, of which the services 32"),
            ([.flags([.generalDiscoverable]), short(13)], nil),
            (
                [.flags([.generalDiscoverable]), short(14)],
                "it takes 33 of 31 bytes, of which the services 30"
            ),
            ([long(1), short(5)], nil),
            ([long(1), short(6)], "it takes 32 of 31 bytes, of which the services 32"),
            ([long(2)], "it takes 34 of 31 bytes, of which the services 34"),
            ([short(2), short(2), short(14)], nil),
            ([.transmitPower(1), short(13)], nil),
            (
                [.transmitPower(1), short(14)], "it takes 33 of 31 bytes, of which the services 30"
            ),
            ([.manufacturerData(company: 1, bytes(27))], nil),
            (
                [.manufacturerData(company: 1, bytes(28))],
                "it takes 32 of 31 bytes, of which the companies' data 32"
            ),
            ([.shortServiceData(1, bytes(27))], nil),
            (
                [.shortServiceData(1, bytes(28))],
                "it takes 32 of 31 bytes, of which the services' data 32"
            ),
            ([.mediumServiceData(0x10000, bytes(25))], nil),
            (
                [.mediumServiceData(0x10000, bytes(26))],
                "it takes 32 of 31 bytes, of which the services' data 32"
            ),
            ([.longServiceData(BluetoothUUID(high: 1, low: 1), bytes(13))], nil),
            (
                [.longServiceData(BluetoothUUID(high: 1, low: 1), bytes(14))],
                "it takes 32 of 31 bytes, of which the services' data 32"
            ),
            ([.other(type: 0x24, bytes(29))], nil),
            (
                [.other(type: 0x24, bytes(30))],
                "it takes 32 of 31 bytes, of which structures of other types 32"
            ),
            ([.name(AdvertisedName(String(repeating: "n", count: 29)), isComplete: true)], nil),
            (
                [.name(AdvertisedName(String(repeating: "n", count: 30)), isComplete: true)],
                "the name takes 32 of 31 bytes"
            ),
        ] as [([AdvertisingStructure.Content], String?)])
    func whatDoesNotFitIsNamed(
        _ contents: [AdvertisingStructure.Content], _ excess: String?
    ) throws {
        #expect(try Self.hosted(contents).excess == excess)
    }

    /// The first entry of each kind counts; entries without data are omitted.
    @Test func eachKindIsAdvertisedOnce() throws {
        let uuid = BluetoothUUID(0x180F).busText
        let solicited: [UInt8] = [0x0D, 0x18, 0x0F, 0x18]
        let long: [UInt8] = (0..<16).map { UInt8($0) }
        let hosted = try Self.hosted([
            .manufacturerData(company: 9, [1]), .manufacturerData(company: 9, [2]),
            .manufacturerData(company: 8, []), .manufacturerData(company: 3, [3]),
            .shortServiceData(0x180F, [4]), .shortServiceData(0x180F, [5]),
            .shortServiceData(0x180D, []), .other(type: 0x24, [6]), .other(type: 0x24, [7]),
            .other(type: 0x0B, []), .other(type: 0x14, solicited),
            .other(type: 0x14, [1, 2, 3]), .other(type: 0x15, long),
            .other(type: 0x15, Array(long.dropLast())), .other(type: 0x19, [1, 2, 3]),
            Self.short(1), Self.short(2),
        ])
        let companies: [DBusEntry] = [
            DBusEntry(.uint16(3), .variant(.bytes([3]))),
            DBusEntry(.uint16(9), .variant(.bytes([1]))),
        ]
        let others: [DBusEntry] = [
            DBusEntry(.byte(0x0B), .variant(.bytes([]))),
            DBusEntry(.byte(0x24), .variant(.bytes([6]))),
        ]
        let expected: [String: DBusValue] = [
            LEAdvertisement1.type: .string(LEAdvertisement1.peripheral),
            LEAdvertisement1.minInterval: hosted.values[LEAdvertisement1.minInterval] ?? .byte(0),
            LEAdvertisement1.maxInterval: hosted.values[LEAdvertisement1.minInterval] ?? .byte(0),
            LEAdvertisement1.manufacturerData: .dictionary(
                key: .uint16, value: .variant, companies),
            LEAdvertisement1.serviceData: .properties([uuid: .bytes([4])]),
            LEAdvertisement1.data: .dictionary(key: .byte, value: .variant, others),
            LEAdvertisement1.serviceUUIDs: .strings([
                BluetoothUUID(1).busText, BluetoothUUID(2).busText,
            ]),
            LEAdvertisement1.solicitUUIDs: .strings([
                BluetoothUUID(0x180D).busText, BluetoothUUID(0x180F).busText,
                BluetoothUUID(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100).busText,
            ]),
        ]
        #expect(hosted.values == expected)
    }

    /// The flag of discoverable devices, except for broadcasters; the bounds of intervals.
    @Test func flagsAndIntervalsAreAdvertised() throws {
        for (flags, isConnectable, isFound) in [
            ([.generalDiscoverable], true, true), ([.limitedDiscoverable], true, true),
            ([], true, false), ([.generalDiscoverable], false, false),
        ] as [(AdvertisingFlags, Bool, Bool)] {
            let hosted = try Self.hosted([.flags(flags)], isConnectable: isConnectable)
            #expect((hosted.values[LEAdvertisement1.discoverable] == .boolean(true)) == isFound)
        }
        for (interval, milliseconds) in [
            (.milliseconds(19), 20), (.milliseconds(20), 20), (.milliseconds(21), 21),
            (.microseconds(152_500), 152), (.seconds(10_485), 10_485_000),
            (.seconds(10_486), 10_485_000),
        ] as [(Duration, UInt32)] {
            let hosted = HostedAdvertisement(
                PeripheralAdvertisement(try AdvertisingData(structures: []), interval: interval))
            #expect(hosted.values[LEAdvertisement1.minInterval] == .uint32(milliseconds))
            #expect(hosted.values[LEAdvertisement1.maxInterval] == .uint32(milliseconds))
        }
    }

    private static func request(_ options: [String: DBusValue]) -> HostedRequest {
        HostedRequest(
            number: 1, path: .root, interface: "", member: "",
            arguments: [.bytes([1]), .properties(options)], sender: nil)
    }

    @Test(
        arguments: [
            (.uint16(22), nil, 22), (.uint16(23), 23, 23), (.uint16(65_535), 65_535, 65_535),
            (.uint32(65_536), nil, 0), (.int32(-1), nil, 0), (.string("x"), nil, 0),
            (.uint16(0), nil, 0),
        ] as [(DBusValue, Int?, Int)])
    func numbersOfARequestAreBounded(_ value: DBusValue, _ mtu: Int?, _ offset: Int) {
        let request = Self.request([AttributeOption.mtu: value, AttributeOption.offset: value])
        #expect(request.mtu == mtu)
        #expect(request.offset == offset)
        #expect(Self.request([:]).mtu == nil && Self.request([:]).offset == 0)
        #expect(request.value == [1])
    }

    /// Object paths keep the order of the device: their numbers have equal length.
    @Test func placesKeepTheirOrder() throws {
        let services = (0..<12).map { GATTService(BluetoothUUID($0), characteristics: []) }
        let application = HostedApplication(services, at: HostingDaemon.path("/halo"))
        let paths = application.objects.map(\.path.text)
        #expect(
            paths == (0..<12).map { $0 < 10 ? "/halo/service00\($0)" : "/halo/service0\($0)" }
                + ["/halo"])
        #expect(DBusObjectPath.root.appending("a").text == "/a")
        #expect(HostingDaemon.path("/a").appending("b").text == "/a/b")
        #expect(HostingDaemon.path("/a").appending("-").text == "/a")
    }

    /// The longest value beside a packet's three bytes; at most 512.
    @Test(arguments: [
        (0, 0), (2, 0), (3, 0), (4, 1), (23, 20), (514, 511), (515, 512), (516, 512), (65535, 512),
    ])
    func aPacketHasRoomForAValue(_ mtu: Int, _ length: Int) {
        #expect(HostedCentrals.maximumLength(mtu) == length)
    }
}
