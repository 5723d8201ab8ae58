#if os(Linux)
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

@Suite("What is under way with the daemon")
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

    @Test("timers fire in order, and cancelled ones do not")
    func timers() {
        var session = BlueZSession(options: BlueZOptions())
        let order = Locked<[Int]>([])
        _ = session.after(.seconds(2)) { _ in order.withLock { $0.append(2) } }
        _ = session.after(.seconds(1)) { _ in order.withLock { $0.append(1) } }
        let third = session.after(.milliseconds(500)) { _ in order.withLock { $0.append(3) } }
        session.cancel(third)
        session.tick()
        #expect(order.withLock { $0 } == [])
        session.now = .origin + .seconds(3)
        session.tick()
        #expect(order.withLock { $0 } == [1, 2])
        #expect(session.nextTimer == nil)
    }
}
#endif
