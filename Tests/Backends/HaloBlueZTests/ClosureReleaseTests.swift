import BlueZVocabulary
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ
@testable import HaloDBus

/// Closures are released only after a change of the session has ended, because their `deinit` may
/// call back.
@Suite(.computes) struct ClosureReleaseTests {
    /// Records its release.
    private final class Probe: Sendable {
        private let log: Heard<String>

        init(_ log: Heard<String>) { self.log = log }

        deinit { log.append("released") }

        func touch() {}
    }

    private static let call = DBusCall("Ping", of: "a.b", at: .root, on: "a.b")

    /// Expects that a closure from `begin` is released after the change in which `end` drops it.
    private func expectRelease<Number>(
        _ what: Comment, _ begin: (inout BlueZSession, Probe) -> Number,
        _ end: (inout BlueZSession, Number) -> Void
    ) {
        var script = ScriptedSession.loaded()
        let log = Heard<String>()
        let number: Number
        do {
            let probe = Probe(log)
            number = script.change { begin(&$0, probe) }
        }
        #expect(log.take() == [], what)
        script.change { session in
            end(&session, number)
            log.append("changed")
        }
        #expect(log.take() == ["changed", "released"], what)
    }

    @Test func closuresAreReleasedOutsideOfTheSession() {
        expectRelease(
            "a reply", { session, probe in session.call(Self.call) { _, _ in probe.touch() } },
            { $0.answered($1, .success(DBusReply())) })
        expectRelease(
            "a forgotten call",
            { session, probe in session.call(Self.call) { _, _ in probe.touch() } },
            { $0.forget($1) })
        expectRelease(
            "a cancelled timer",
            { session, probe in session.after(.seconds(1)) { _ in probe.touch() } },
            { $0.cancel($1) })
        expectRelease(
            "a timer", { session, probe in session.after(.seconds(1)) { _ in probe.touch() } },
            { session, _ in
                session.now = session.now + .seconds(1)
                session.tick()
            })
        expectRelease(
            "an observer", { session, probe in session.observeAdapter { _ in probe.touch() } },
            { $0.unobserveAdapter($1) })
        expectRelease(
            "a scan", { session, probe in session.beginScan(ScanFilter()) { _ in probe.touch() } },
            { $0.endScan($1) })
        expectRelease(
            "the end", { session, probe in session.after(.seconds(1)) { _ in probe.touch() } },
            { session, _ in session.end() })
        expectRelease(
            "a wait for an adapter",
            { session, probe in
                session.daemon.phase = .loading
                session.whenUsable { _, _ in probe.touch() }
            },
            { session, _ in
                session.daemon.phase = .loaded
                session.reviewUsability()
            })
    }

    /// Only the property `Value` of the characteristic's own interface is its value.
    @Test func onlyAValueIsAValue() {
        var link = LinkScript.established()
        _ = link.subscribe(GATTTree.beat)
        _ = link.script.log.take()
        let name = GattCharacteristic1.interfaceName
        let rows = [
            ("Other", name), (GattCharacteristic1.value, Device1.interfaceName),
            (GattCharacteristic1.value, name),
        ]
        for (property, interface) in rows {
            let source = DBusPropertySource(GATTTree.beat.path, interface, property)
            let values = DBusPropertyValues(source: source, values: [[1], [2]])
            link.script.change { $0.received(values, from: 1) }
        }
        #expect(link.script.log.take() == ["told value 01", "told value 02"])
        // Of a connection that was let go of nothing counts.
        let source = DBusPropertySource(GATTTree.beat.path, name, GattCharacteristic1.value)
        let late = DBusPropertyValues(source: source, values: [[3]])
        link.script.change { $0.received(late, from: 2) }
        #expect(link.script.log.take() == [])
    }
}
