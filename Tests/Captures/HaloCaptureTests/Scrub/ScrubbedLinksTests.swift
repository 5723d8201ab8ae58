import TestSupport
import Testing

@testable import HaloCapture

/// The connections of a capture with several of them.
@Suite(.computes) struct ScrubbedLinksTests {
    private static let capture = """
        halo-capture 2
        # address: D0:11:22:33:44:77 (random) on strap
        # name: Annas Pulse on strap
        # address: C1:22:33:44:55:A6 (random) on ring
        # name: R12_55A6 on ring
        # clock: 2025-12-11 21:54:14 +00:00
        * strap/connected
        * ring/connected
        < strap/2a00 41 6E 6E 61 73 20 50 75 6C 73 65
        > ring/uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        < ring/2a00 52 31 32 5F 35 35 41 36

        """

    private func comments(_ capture: Capture) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for case .comment(let text) in capture.lines {
            found[text.tag ?? "", default: []].append(text.tagged ?? "")
        }
        return found
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func tagsHoldForTheSameConnection(seed: UInt64) throws {
        let scrubbed = try Capture(reading: Self.capture).scrubbed(seed: seed).capture
        let comments = comments(scrubbed)
        let addresses = try #require(comments["address"])
        try #require(addresses.count == 2)
        #expect(addresses[0].hasSuffix(" (random) on link-1"))
        #expect(addresses[1].hasSuffix(" (random) on link-2"))
        #expect(!scrubbed.text.contains("strap") && !scrubbed.text.contains("ring"))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aNameIsTheSameInItsTagAndInPackets(seed: UInt64) throws {
        let scrubbed = try Capture(reading: Self.capture).scrubbed(seed: seed).capture
        let names = try #require(comments(scrubbed)["name"])
        let packets = scrubbed.packets.filter { $0.channel != .uart }
        try #require(packets.count == 2 && names.count == 2)
        #expect(names[0] == String(decoding: packets[0].bytes, as: UTF8.self) + " on link-1")
        #expect(names[1] == String(decoding: packets[1].bytes, as: UTF8.self) + " on link-2")
        #expect(!scrubbed.text.contains("Annas Pulse") && !scrubbed.text.contains("55A6"))
    }

    /// A name that only a tag contains is also replaced in unknown packets.
    @Test func aNameOfATagIsLookedForInPackets() throws {
        let text = Self.capture.replacing("< strap/2a00", with: "< strap/fff1")
        let options = ScrubOptions(keeping: [.unknown])
        let scrubbed = try Capture(reading: text).scrubbed(seed: 5, options).capture
        #expect(!scrubbed.text.contains("41 6E 6E 61 73"))
    }

    /// A name that only its characteristic contains is replaced in unknown packets, too, also
    /// before it was read.
    @Test func aNameOfACharacteristicIsLookedForInPackets() throws {
        let text = """
            halo-capture 2
            < fff1 41 6E 6E 61 73 20 50 75 6C 73 65
            < 2a00 41 6E 6E 61 73 20 50 75 6C 73 65

            """
        let scrubbed = try Capture(reading: text).scrubbed(
            seed: 5, ScrubOptions(keeping: [.unknown])
        ).capture
        #expect(!scrubbed.text.contains("41 6E 6E 61 73"))
        let packets = scrubbed.packets
        try #require(packets.count == 2)
        #expect(packets[0].bytes == packets[1].bytes)
    }

    @Test func replacedTagsAreCountedByTheirKind() throws {
        let report = try Capture(reading: Self.capture).scrubbed(seed: 1).report
        #expect(report.replaced[.addresses] == 2)
        #expect(report.replaced[.names] == 4)
        #expect(report.replaced[.dates] == 1)
        #expect(report.replaced[.comments] == nil)
    }

    /// If no connection has that name, the ending belongs to the device's name.
    @Test func aNameMayEndLikeATag() throws {
        let text = """
            halo-capture 2
            # name: Watch on arm
            < 2a00 57 61 74 63 68 20 6F 6E 20 61 72 6D

            """
        let scrubbed = try Capture(reading: text).scrubbed(seed: 1).capture
        let packet = try #require(scrubbed.packets.first)
        #expect(comments(scrubbed)["name"] == [String(decoding: packet.bytes, as: UTF8.self)])
    }
}
