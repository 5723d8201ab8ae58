#if os(Linux)
import Testing

/// Lives of links, compared whole: what is asked of the daemon and for how long, what is told, what
/// is waited for, and what is left.
@Suite struct LinkPlayTests {
    @Test(arguments: opening + ending + talking + looking + pairing)
    func aLinkLivesAsWritten(_ name: String, _ text: String) {
        let played = LinkPlay.text(text)
        #expect(played == text, "\(name) is:\n\(played)")
    }
}
#endif
