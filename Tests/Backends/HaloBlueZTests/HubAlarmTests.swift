import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The only alarm of a transport, on a clock that a test sets.
@Suite(.computes) struct HubAlarmTests {
    private static let nobody = DBusError(.unreachable)

    private static func hub(_ time: ManualTime) -> BlueZHub {
        BlueZHub(options: BlueZOptions(), time: time) { _ throws(DBusError) in throw nobody }
    }

    private static func wait(_ hub: BlueZHub, _ duration: Duration, _ rung: Heard<Int>, _ id: Int) {
        hub.update { session in
            _ = session.after(duration) { _ in rung.append(id) }
        }
    }

    @Test func theAlarmIsSetForTheEarliestTimer() {
        let (time, rung) = (ManualTime(), Heard<Int>())
        let hub = Self.hub(time)
        #expect(time.due == [])
        Self.wait(hub, .seconds(2), rung, 2)
        #expect(time.due == [2_000_000])
        Self.wait(hub, .seconds(5), rung, 5)
        Self.wait(hub, .seconds(2), rung, 3)
        #expect(time.due == [2_000_000])
        Self.wait(hub, .seconds(1), rung, 1)
        #expect(time.due == [1_000_000])
        time.pass(.milliseconds(999))
        #expect(rung.all == [])
        time.pass(.milliseconds(1))
        #expect(rung.all == [1])
        #expect(time.due == [2_000_000])
        time.pass(.seconds(1))
        #expect(rung.all == [1, 2, 3])
        #expect(time.due == [5_000_000])
        time.pass(.seconds(3))
        #expect(rung.all == [1, 2, 3, 5])
        #expect(time.due == [])
    }

    /// Resetting an alarm would cost more than firing early.
    @Test func anAlarmMayFireEarly() {
        let (time, rung) = (ManualTime(), Heard<Int>())
        let hub = Self.hub(time)
        let number = hub.update { session in
            session.after(.seconds(1)) { _ in rung.append(1) }
        }
        hub.update { $0.cancel(number) }
        #expect(time.due == [1_000_000])
        Self.wait(hub, .seconds(4), rung, 4)
        #expect(time.due == [1_000_000])
        time.pass(.seconds(1))
        #expect(rung.all == [])
        #expect(time.due == [4_000_000])
        time.pass(.seconds(3))
        #expect(rung.all == [4])
    }

    /// A cancelled alarm may still fire once.
    @Test func aReplacedAlarmIsIgnored() {
        let (time, rung) = (ManualTime(), Heard<Int>())
        let hub = Self.hub(time)
        Self.wait(hub, .seconds(2), rung, 2)
        let old = time.actions
        #expect(old.count == 1)
        Self.wait(hub, .seconds(1), rung, 1)
        for action in old { action() }
        #expect(time.due == [1_000_000])
        time.pass(.seconds(1))
        for action in old { action() }
        #expect(rung.all == [1])
        #expect(time.due == [2_000_000])
    }

    @Test func theAlarmEndsWithItsTransport() {
        let (time, rung) = (ManualTime(), Heard<Int>())
        do {
            let hub = Self.hub(time)
            Self.wait(hub, .seconds(1), rung, 1)
            #expect(time.due == [1_000_000])
        }
        #expect(time.due == [])
        #expect(rung.all == [])
    }

    @Test func timeDoesNotGoBack() {
        let time = ManualTime()
        let hub = Self.hub(time)
        let third = Moment.origin + .seconds(3)
        time.pass(.seconds(3))
        #expect(hub.update { $0.now } == third)
        time.pass(.seconds(-2))
        #expect(hub.update { $0.now } == third)
        time.pass(.seconds(3))
        #expect(hub.update { $0.now } == third + .seconds(1))
    }

    /// Without a bus, each request ends, every time.
    @Test func withoutABusEverythingEnds() {
        let (time, ends) = (ManualTime(), Heard<AdapterState>())
        let failed = Heard<BLEError.Kind>()
        let hub = Self.hub(time)
        hub.update { session in _ = session.observeAdapter { ends.append($0) } }
        for round in 1...2 {
            hub.update { session in
                session.whenUsable { _, result in
                    if case .failure(let outage) = result { failed.append(outage.kind) }
                }
            }
            #expect(failed.all == [BLEError.Kind](repeating: .backend, count: round))
            #expect(hub.connection() == nil)
        }
        let answers = Heard<DBusError.Kind?>()
        hub.update { session in
            let call = DBusCall("Ping", of: "a.b", at: .root, on: "a.b")
            _ = session.call(call) { _, answer in
                if case .failure(let error) = answer { answers.append(error.kind) }
            }
        }
        #expect(answers.all == [.disconnected])
    }

    /// Pending callers get the end even without any reply.
    @Test func pendingCallersGetTheEnd() async throws {
        let ends = try DBusDescriptor.socketPair()
        guard let near = ends.take(0) else {
            Issue.record("there is no socket")
            return
        }
        let time = ManualTime()
        let connection = try DBusConnection(owning: near, in: time.loop)
        let told = Heard<BLEError.Kind>()
        do {
            let hub = BlueZHub(options: BlueZOptions(), time: time) { _ in connection }
            hub.update { session in
                session.whenUsable { session, result in
                    guard case .failure(let outage) = result else { return }
                    session.callBack { told.append(outage.kind) }
                }
                _ = session.beginScan(ScanFilter()) { result in
                    if case .failure(let error) = result { told.append(error.kind) }
                }
            }
            #expect(told.all == [])
        }
        #expect(try await eventually { told.all == [.cancelled, .cancelled] })
        withExtendedLifetime((ends, connection)) {}
    }
}
