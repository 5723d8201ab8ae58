#if os(Linux)
import Testing

/// Lives of hosted devices, compared whole: what is asked of the daemon and for how long, what is
/// answered, what the device is told, what is waited for.
@Suite struct HostPlayTests {
    @Test(arguments: beginning + living)
    func aDeviceLivesAsWritten(_ name: String, _ text: String) {
        let played = HostPlay.text(text)
        #expect(played == text, "\(name) is:\n\(played)")
    }
}
#endif
