import TestSupport
import Testing

@testable import HaloBlueZ

@Suite(.computes) struct DaemonSettingsTests {
    @Test func readsGroupsAndKeys() {
        let settings = DaemonSettings(
            """
            # a comment
            Early = 1
            [General]
            #DeviceID = bluetooth:1234:5678:abcd
            Name = a = b
              AutoEnable\t=\ttrue\t

            [GATT]\r
            Cache=no\r
            Channels = 3
            Channels = 1
            [Empty]
            nothing
            =
            """)
        #expect(settings["General", "DeviceID"] == nil)
        #expect(settings["General", "Name"] == "a = b")
        #expect(settings.flag("General", "AutoEnable") == true)
        #expect(settings["GATT", "Cache"] == "no")
        #expect(settings["GATT", "Channels"] == "1")
        #expect(settings["", "Early"] == "1")
        #expect(settings.groups == ["General", "GATT", "Empty"])
        #expect(settings.access == .usable)
    }

    @Test(arguments: ["", "[", "]", "[]", "=", "==", "#", "[a", "a]\n=", "\u{0}\n\u{FFFD}=["])
    func readsAnything(text: String) {
        #expect(DaemonSettings(text)["GATT", "Cache"] == nil)
    }
}
