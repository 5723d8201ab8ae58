import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

@Suite("What is under way with the daemon", .computes)
struct BlueZSessionTests {
    private static let call = DBusCall("Ping", of: "org.example", at: .root, on: "org.example")

    @Test("a reply goes to its caller, once")
    func answersOnce() throws {
        var session = BlueZSession(options: BlueZOptions())
        let heard = Locked(0)
        let number = session.call(Self.call) { _, _ in heard.withLock { $0 += 1 } }
        guard case .call(number, Self.call, _)? = session.nextEffect() else {
            Issue.record("nothing was asked")
            return
        }
        session.answered(number, .success(DBusReply()))
        session.answered(number, .success(DBusReply()))
        #expect(heard.withLock { $0 } == 1)
    }
}
