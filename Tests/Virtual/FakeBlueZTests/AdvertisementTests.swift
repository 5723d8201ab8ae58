import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import FakeBlueZ

/// What the daemon advertises for the properties of an app's advertisement.
@Suite struct AdvertisementTests {
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

    /// Flags come first: those of the adapter, unless the advertisement has its own.
    @Test func discoverableAdaptersHaveFlags() throws {
        let discoverable = Self.flags([.generalDiscoverable, .classicNotSupported])
        let hidden = Self.flags(.classicNotSupported)
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
