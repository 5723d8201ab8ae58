#if os(Linux)
import Testing

/// Lives of hosted devices, compared as a whole: calls to the daemon with their timeouts, replies,
/// events of the device, and timers.
@Suite struct HostPlayTests {
    @Test(arguments: beginning + living)
    func aHostedDeviceFollowsTheScenario(_ name: String, _ text: String) {
        let played = HostPlay.text(text)
        #expect(played == text, "\(name) is:\n\(played)")
    }
}
#endif
