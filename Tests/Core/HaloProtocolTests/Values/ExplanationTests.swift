import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct ExplanationTests {
    @Test func headingsNameThePacket() throws {
        let unknown = Explanation(of: try BigDataFrame(id: 0x8C, payload: [1, 2]))
        #expect(unknown.heading == "an unknown record")
        let battery = Explanation(of: Battery.Request().frame)
        #expect(battery.heading == "Battery.Request: battery level, to the device")
        let sleep = Explanation(of: Sleep.Request.allNights.frame)
        #expect(sleep.heading == "Sleep.Request: sleep, to the device")
    }

    @Test func kindsHaveTheirNamesInAnyCase() {
        for kind in PacketKind.all {
            #expect(PacketKind(name: kind.name) == kind)
            #expect(PacketKind(name: kind.name.uppercased()) == kind)
        }
        #expect(PacketKind(name: "2a38 ") == nil)
    }
}
