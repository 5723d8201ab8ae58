import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Connections that were open when the recording began.
@Suite(.computes) struct LinkRoleTests {
    private static let mtuRequest: [UInt8] = [0x02, 0xF7, 0]
    private static let discovery: [UInt8] = [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28]
    private static let write: [UInt8] = [0x52, 3, 0, 7]
    private static let notification: [UInt8] = [0x1B, 3, 0, 7]

    private func feed(_ packets: [(HCIDirection, [UInt8])], _ roles: KnownRoles = KnownRoles())
        -> LinkFeed
    {
        var feed = LinkFeed(roles)
        for (way, packet) in packets {
            let packet =
                way == .toHost
                ? HCISamples.fromController(0x40, packet) : HCISamples.fromHost(0x40, packet)
            feed.h4(packet, way)
        }
        return feed
    }

    /// A device may ask for the maximum transfer unit, and discover the app's services, before the
    /// app does anything.
    @Test func aDeviceThatAsksFirstIsTheDevice() {
        var feed = feed([
            (.toHost, Self.mtuRequest), (.toController, [0x03, 0xF7, 0]),
            (.toHost, Self.discovery), (.toController, [0x01, 0x10, 1, 0, 0x0A]),
            (.toController, Self.write), (.toHost, Self.notification),
        ])
        #expect(feed.lines == ["0 connected - unknown"])
        feed.finish()
        #expect(
            feed.lines.dropFirst() == [
                "0 < 02 F7 00", "0 > 03 F7 00", "0 < 10 01 00 FF FF 00 28", "0 > 01 10 01 00 0A",
                "0 > 52 03 00 07", "0 < 1B 03 00 07",
            ])
        #expect(feed.probe.roles[0] == "remote likely(supporting: 2, contradicting: 1)")
        #expect(feed.probe.violations == [])
    }

    @Test func aRecorderOnTheDeviceIsFoundByItsNotifications() {
        var feed = feed([(.toController, Self.notification), (.toHost, Self.write)])
        feed.finish()
        #expect(feed.lines.dropFirst() == ["0 < 1B 03 00 07", "0 > 52 03 00 07"])
        #expect(feed.probe.roles[0] == "local likely(supporting: 2, contradicting: 0)")
    }

    /// Packets that support no role wait; enough of the others end the waiting.
    @Test func aClearLeadDecidesBeforeTheEnd() {
        var feed = feed(Array(repeating: (.toHost, Self.notification), count: 5))
        #expect(feed.lines.count == 1)
        feed.h4(HCISamples.fromController(0x40, Self.notification), .toHost)
        #expect(feed.lines.count == 7)
        feed.h4(HCISamples.fromHost(0x40, Self.notification), .toController)
        feed.finish()
        #expect(feed.lines.last == "0 > 1B 03 00 07")
        #expect(feed.probe.roles[0] == "remote likely(supporting: 6, contradicting: 1)")
    }

    @Test func heldPacketsAreBounded() {
        let most = RoleEvidence.mostPackets
        var feed = feed(Array(repeating: (.toHost, Self.mtuRequest), count: most - 1))
        #expect(feed.lines.count == 1)
        feed.h4(HCISamples.fromController(0x40, Self.mtuRequest), .toHost)
        #expect(feed.lines.count == 1 + most)
        #expect(feed.probe.roles[0] == "remote assumed")
    }

    @Test(arguments: [
        // A request for other parameters, a security request, a pairing request and its response.
        (5 as UInt16, [0x12, 1, 8, 0, 6, 0, 6, 0, 0, 0, 100, 0] as [UInt8], true),
        (6, [0x0B, 1], true), (6, [0x01, 3, 0, 1, 16, 7, 7], false),
        (6, [0x02, 3, 0, 1, 16, 7, 7], true),
    ])
    func packetsOfOneRoleDecide(channel: UInt16, payload: [UInt8], isOfPeripheral: Bool) {
        for way in [HCIDirection.toHost, .toController] {
            var feed = feed([(way.opposite, Self.mtuRequest)])
            let packet = HCISamples.l2cap(channel, payload)
            feed.h4(HCISamples.acl(0x40, way == .toHost ? 2 : 0, packet), way)
            let isRemote = (way == .toHost) == isOfPeripheral
            #expect(feed.probe.roles[0] == "\(isRemote ? "remote" : "local") certain")
            let direction = (way == .toHost) == isRemote ? ">" : "<"
            #expect(feed.lines.last == "0 \(direction) 02 F7 00")
        }
    }

    @Test(arguments: [
        ("01 19 20 1C 40 00" + String(repeating: " 00", count: 26), "remote"),
        ("01 1A 20 12 40 00" + String(repeating: " 00", count: 16), "local"),
        ("01 1B 20 02 40 00", "local"),
    ])
    func commandsForTheKeyDecide(command: String, role: String) {
        var feed = feed([(.toHost, Self.mtuRequest)])
        feed.h4(command, .toController)
        #expect(feed.probe.roles[0] == "\(role) certain")
    }

    @Test func theFirstCertainRoleCounts() {
        var feed = feed([(.toHost, Self.mtuRequest)])
        feed.h4("01 1B 20 02 40 00", .toController)
        feed.h4("01 19 20 02 40 00", .toController)
        feed.finish()
        #expect(feed.probe.roles[0] == "local certain")
    }

    @Test(arguments: ["01 0A 20 01 01", "01 39 20 02 01 00"])
    func advertisingIsAHint(command: String) {
        var feed = feed([(.toHost, Self.mtuRequest)])
        feed.h4(command, .toController)
        feed.finish()
        #expect(feed.probe.roles[0] == "local assumed")
    }

    /// The hint outweighs that of an advertisement before it.
    @Test(arguments: [
        "01 0C 20 02 01 00", "01 42 20 06 01 00 00 00 00 00", "01 0D 20 00", "01 43 20 00",
    ])
    func scanningAndConnectingAreHints(command: String) {
        var feed = feed([(.toHost, Self.mtuRequest)])
        feed.h4("01 0A 20 01 01", .toController)
        feed.h4(command, .toController)
        feed.finish()
        #expect(feed.probe.roles[0] == "remote assumed")
    }

    @Test func theOptionsDecide() {
        var options = ImportOptions()
        options.role = .local
        let feed = feed([(.toHost, Self.notification)], KnownRoles(options))
        #expect(feed.lines == ["0 connected - unknown", "0 > 1B 03 00 07"])
        #expect(feed.probe.roles[0] == "local given")
    }

    /// The role is set before the reason of the end is taken as the app's.
    @Test func theReasonOfTheEndFollowsTheDecidedRole() {
        var feed = feed([(.toController, Self.notification)])
        feed.h4(HCISamples.disconnected, .toHost)
        #expect(feed.lines.suffix(2) == ["0 < 1B 03 00 07", "0 disconnected 16"])
    }

    /// The second pass knows the roles, and emits the values in the order of the file.
    @Test func theSecondPassHoldsNothing() throws {
        var script = SnoopScript()
        script.say(.fromDevice, Self.mtuRequest)
        script.say(.toDevice, [0x03, 0xF7, 0])
        script.say(SnoopScript.conversation)
        let report = try ImportPasses.survey(script.bytes)
        let connection = try #require(report.connections.first)
        #expect(connection.role == .remote)
        #expect(connection.roleBasis == .likely(supporting: 5, contradicting: 0))
        let text = try ImportPasses.text(script.bytes)
        #expect(text.contains("> uart write \(spaced(RingSamples.question))"))
        #expect(text.contains("< uart notified \(spaced(RingSamples.answer))"))
        var options = ImportOptions()
        options.role = .local
        let reversed = try ImportPasses.survey(script.bytes, options)
        #expect(reversed.connections.first?.valueCount == 0)
        #expect(reversed.connections.first?.roleBasis == .given)
    }
}
