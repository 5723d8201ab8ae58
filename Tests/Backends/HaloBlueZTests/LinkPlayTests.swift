#if os(Linux)
import Testing

/// Lives of links, compared as a whole: calls to the daemon with their timeouts, events, timers,
/// and the remaining state.
@Suite struct LinkPlayTests {
    @Test(arguments: opening + ending + talking + looking + pairing)
    func aLinkFollowsTheScenario(_ name: String, _ text: String) {
        let played = LinkPlay.text(text)
        #expect(played == text, "\(name) is:\n\(played)")
    }
}
#endif
