import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import FakeBlueZ

/// What the daemon advertises for the properties of an app's advertisement.
@Suite(.computes) struct AdvertisementTests {
    private static func structures(
        _ more: [String: DBusValue], onDiscoverableAdapter isOnDiscoverable: Bool = false
    ) throws -> [String] {
        var values: [String: DBusValue] = [LEAdvertisement1.serviceUUIDs: .strings(["180d"])]
        values.merge(more) { $1 }
        let advertisement = try RegisteredAdvertisement(
            .properties(values), alias: "Host", onDiscoverableAdapter: isOnDiscoverable)
        return advertisement.content.data.structures.map { "\($0.content)" }
    }

    private static let services =
        "\(AdvertisingStructure.Content.services(.short([0x180D]), isComplete: true))"

    private static func flags(_ flags: AdvertisingFlags) -> String {
        "\(AdvertisingStructure.Content.flags(flags))"
    }

    private static func data(_ key: DBusValue, _ data: [UInt8]) -> DBusValue {
        .dictionary(key: key.type, value: .variant, [DBusEntry(key, .variant(.bytes(data)))])
    }

    /// Each property has its structure, in this order.
    @Test func eachPropertyHasItsStructure() throws {
        let long = "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"
        let uuid = try BluetoothUUID(parsing: long)
        let cases: [([String: DBusValue], [AdvertisingStructure.Content])] = [
            (
                [
                    LEAdvertisement1.serviceUUIDs: .strings([long, "180d"]),
                    LEAdvertisement1.serviceData: .properties(["180f": .bytes([1])]),
                    LEAdvertisement1.includes: .strings([LEAdvertisement1.includesPower]),
                ],
                [
                    .services(.short([0x180D]), isComplete: true),
                    .services(.long([uuid]), isComplete: true), .shortServiceData(0x180F, [1]),
                    .transmitPower(0),
                ]
            ),
            (
                [
                    LEAdvertisement1.serviceUUIDs: .strings([String]()),
                    LEAdvertisement1.manufacturerData: Self.data(.uint16(1), [2]),
                    LEAdvertisement1.serviceData: .properties([long: .bytes([3])]),
                    LEAdvertisement1.data: Self.data(.byte(0x26), [4]),
                ],
                [
                    .manufacturerData(company: 1, [2]), .longServiceData(uuid, [3]),
                    .other(type: 0x26, [4]),
                ]
            ),
        ]
        for (values, contents) in cases {
            #expect(try Self.structures(values) == contents.map { "\($0)" })
        }
    }

    /// A structure may fill the advertisement.
    @Test func anAdvertisementHas31Bytes() throws {
        let data = [UInt8](repeating: 7, count: 27)
        let advertisement = try RegisteredAdvertisement(
            .properties([LEAdvertisement1.manufacturerData: Self.data(.uint16(1), data)]),
            alias: "Host")
        #expect(advertisement.content.data.bytes.count == 31)
        #expect(advertisement.content.interval == .milliseconds(1280))
    }

    /// Flags come first: those of the adapter, unless the advertisement has its own.
    @Test func discoverableAdaptersHaveFlags() throws {
        let discoverable = Self.flags([.generalDiscoverable, .classicNotSupported])
        let hidden = Self.flags([.classicNotSupported])
        #expect(try Self.structures([:]) == [Self.services])
        #expect(
            try Self.structures([:], onDiscoverableAdapter: true) == [discoverable, Self.services])
        for (own, flags) in [(true, discoverable), (false, hidden)] {
            for isOnDiscoverable in [true, false] {
                let values: [String: DBusValue] = [LEAdvertisement1.discoverable: .boolean(own)]
                #expect(
                    try Self.structures(values, onDiscoverableAdapter: isOnDiscoverable)
                        == [flags, Self.services])
            }
        }
        let broadcast: [String: DBusValue] = [
            LEAdvertisement1.type: .string(LEAdvertisement1.broadcast)
        ]
        #expect(
            try Self.structures(broadcast, onDiscoverableAdapter: true) == [Self.services])
    }
}
