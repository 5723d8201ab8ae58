import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import FakeBlueZ

/// The daemon is a value: a change of one does not change its copy.
@Suite(.computes) struct DaemonValueTests {
    /// A device that neither sends nor replies.
    private final class Remote: FakeRemote {
        let services = TestDevice().services

        func start(_ perform: @escaping @Sendable (PeripheralEffect) -> Void) {}
        func receive(_ call: FakeRemoteCall) {}
    }

    /// A daemon with a running discovery and some devices in range, none of which is known yet.
    private static func daemon(devices: Int = 3) -> FakeDaemon {
        var daemon = FakeDaemon(quirks: FakeQuirks(), timing: FakeTiming(fading: nil))
        daemon.addAdapter(0)
        daemon.addAdapter(1)
        daemon.start()
        for adapter in daemon.adapters.keys { daemon.adapters[adapter]?.searchers = [":1.1"] }
        for _ in 0..<devices {
            let number = daemon.addPeripheral(
                Remote(), address: nil, isAddressRandom: true, ownAdapter: nil, rssi: -60
            ).number
            daemon.remoteDid(.advertise(TestDevice.advertisement()), number)
        }
        return daemon
    }

    /// Runs the timers and discovers services; returns the effects as text.
    private static func run(_ daemon: inout FakeDaemon) -> [String] {
        var said: [String] = []
        while let effect = daemon.effects.popFirst() {
            switch effect {
            case .alarm(let number, _): daemon.woken(number)
            case .discover(let remote, let device, let link):
                daemon.found(remote.services, device, link)
            case .remote(let remote, .read(_, _, let token)):
                daemon.remote(remote, did: .value([50], token))
            case .remote(let remote, .subscribe(_, _, let token)):
                daemon.remote(remote, did: .done(token))
            case .export(_, let path, _): said.append("export \(path.text)")
            case .unexport(let path): said.append("unexport \(path.text)")
            case .set(let values, let interface, let path):
                said.append("\(path.text) \(interface) \(values.keys.sorted())")
            default: break
            }
        }
        return said
    }

    private static func connectAll(_ daemon: inout FakeDaemon) {
        for peripheral in daemon.peripherals.inOrder {
            guard let adapter = daemon.adapters[0] else { continue }
            daemon.connectByItself(peripheral, adapter)
        }
    }

    private typealias Happening = @Sendable (inout FakeDaemon) -> Void

    private static let happenings: [(name: String, happen: Happening)] = [
        ("a search", { _ = run(&$0) }), ("links", { connectAll(&$0) }),
        ("services", { _ = run(&$0) }),
        (
            "a value",
            { daemon in
                guard let number = daemon.peripherals.keys.min() else { return }
                daemon.remoteDid(.notify(TestDevice.Attribute.battery.id, [33]), number)
            }
        ),
        ("battery", { _ = run(&$0) }),
        (
            "other services",
            { daemon in
                for device in daemon.devices.inOrder {
                    guard let link = device.link else { continue }
                    daemon.found([], device.number, link.number)
                }
            }
        ),
        (
            "out of reach",
            { daemon in
                if let number = daemon.peripherals.keys.min() { daemon.setAway(true, number) }
            }
        ),
        (
            "gone",
            { daemon in
                if let number = daemon.peripherals.keys.max() { daemon.removePeripheral(number) }
            }
        ),
        ("a client leaves", { $0.clientDisconnected(":1.1") }),
        ("switched off", { $0.setPowered(false, 0) }), ("pulled out", { $0.removeAdapter(0) }),
        ("killed", { _ = $0.kill() }),
    ]

    private func text(_ daemon: FakeDaemon) -> String {
        var text = ""
        dump(daemon, to: &text)
        return text
    }

    @Test func aCopyDoesNotChange() {
        var daemon = Self.daemon()
        for (name, happen) in Self.happenings {
            let copy = daemon
            let before = text(copy)
            happen(&daemon)
            #expect(text(copy) == before, "\(name)")
            #expect(text(daemon) != before, "\(name)")
        }
    }

    /// The daemon's only references are handles of devices.
    @Test func nothingInItIsShared() {
        var daemon = Self.daemon()
        _ = Self.run(&daemon)
        Self.connectAll(&daemon)
        _ = Self.run(&daemon)
        #expect(daemon.devices.values.contains { $0.isResolved && $0.battery != nil })
        var objects: Set<String> = []
        func look(at value: Any) {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class {
                objects.insert("\(mirror.subjectType)")
                return
            }
            for child in mirror.children { look(at: child.value) }
        }
        look(at: daemon)
        #expect(objects == ["Remote"])
    }

    /// Iterations have a fixed order, independent of the dictionary's.
    @Test func twoDaemonsDoTheSame() {
        let runs = (0..<4).map { _ in
            var daemon = Self.daemon(devices: 12)
            return Self.happenings.flatMap { _, happen in
                happen(&daemon)
                return Self.run(&daemon)
            }
        }
        #expect(runs[0].count > 100)
        for run in runs { #expect(run == runs[0]) }
    }
}
