import BlueZVocabulary
import HaloProtocol
import HaloTransport

@testable import FakeBlueZ
@testable import HaloDBus

/// A daemon without a bus, in its own time: clients call it, devices answer, and all that it does
/// is written down, one line each.
struct DaemonStory {
    /// A device whose answers the story gives: it only receives calls.
    final class Remote: FakeRemote {
        let name: String
        private let current: Locked<[GATTService]>

        init(_ name: String, _ services: [GATTService]) {
            self.name = name
            current = Locked(services)
        }

        var services: [GATTService] { current.withLock { $0 } }

        func change(to services: [GATTService]) { current.withLock { $0 = services } }

        func start(_ perform: @escaping @Sendable (PeripheralEffect) -> Void) {}
        func receive(_ call: FakeRemoteCall) {}
    }

    var daemon: FakeDaemon
    private(set) var lines: [String] = []
    /// What became of each request: `reply`, `refuse`, `drop` … in order.
    private(set) var outcomes: [Int: [String]] = [:]
    /// The answer of the agent; `nil` for none.
    var agent: Bool? = true
    /// `true` to write down the values of services, characteristics and descriptors, too.
    var showsServices = false

    private let hub: DBusHub
    private var now: Duration = .zero
    private var alarms: [(moment: Duration, number: UInt64)] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var names: [Int: String] = [:]
    private(set) var requestCount = 0

    init(
        quirks: FakeQuirks = FakeQuirks(), timing: FakeTiming = FakeTiming(), adapters: Int = 1
    ) throws {
        hub = try DBusHub(in: TransportLoop(), timeout: .seconds(1))
        daemon = FakeDaemon(quirks: quirks, timing: timing)
        for number in 0..<adapters { daemon.addAdapter(number) }
        daemon.start()
        carryOut()
        lines = []
    }

    // MARK: What happens

    /// Adds a device, which advertises.
    mutating func add(
        _ name: String, _ services: [GATTService] = [],
        address: String? = "C0:00:00:00:00:01", ownAdapter: Int? = nil, rssi: Int16 = -60,
        advertising advertisement: PeripheralAdvertisement? = TestDevice.advertisement()
    ) -> Int {
        let remote = Remote(name, services)
        let number = daemon.addPeripheral(
            remote, address: address, isAddressRandom: address == nil, ownAdapter: ownAdapter,
            rssi: rssi
        ).number
        tell("\(name) is there")
        daemon.remoteDid(.advertise(advertisement), number)
        carryOut()
        return number
    }

    /// A client's call.
    mutating func call(
        _ member: String, _ interface: String, _ target: FakeTarget, _ arguments: DBusValue...,
        by client: String = ":1.1"
    ) {
        receive(.method([]), member, interface, target, arguments, client)
    }

    /// A client's write of a property.
    mutating func set(
        _ name: String, _ interface: String, _ target: FakeTarget, _ value: DBusValue
    ) {
        receive(.property(name, value), "Set \(name)", interface, target, [value], ":1.1")
    }

    private mutating func receive(
        _ subject: DBusObjectRequest.Subject, _ member: String, _ interface: String,
        _ target: FakeTarget, _ arguments: [DBusValue], _ client: String
    ) {
        requestCount += 1
        let request = DBusRequest(
            DBusObjectRequest(
                id: UInt64(requestCount), subject: subject, path: .root, interface: interface,
                member: member, arguments: arguments, sender: client, serial: 1, wantsReply: true),
            hub)
        numbers[ObjectIdentifier(request)] = requestCount
        names[requestCount] = "\(member) #\(requestCount)"
        let words = ([Self.short(interface), member] + arguments.map(Self.text))
        tell("\(client) > \(words.joined(separator: " ")) #\(requestCount)")
        daemon.receive(request, target)
        carryOut()
    }

    /// Anything else that changes the daemon.
    mutating func happens(_ what: String, _ change: (inout FakeDaemon) -> Void) {
        tell(what)
        change(&daemon)
        carryOut()
    }

    /// Lets time pass, and the timers fire.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let next = alarms.enumerated().min(by: {
            ($0.element.moment, $0.element.number) < ($1.element.moment, $1.element.number)
        }), next.element.moment <= end {
            now = next.element.moment
            alarms.remove(at: next.offset)
            daemon.woken(next.element.number)
            carryOut()
        }
        now = end
    }

    /// Kills the daemon; the requests that it still held are dropped. Timers that run still fire.
    mutating func kill() {
        tell("killed")
        let rest = daemon.kill()
        for effect in rest.effects { note(effect) }
        for request in rest.requests { end(request, "drop") }
        carryOut()
    }

    // MARK: What the daemon does

    private mutating func tell(_ words: String) {
        lines.append("\(now.wholeMicroseconds / 1000) ms: \(words)")
    }

    private mutating func carryOut() {
        while let effect = daemon.effects.popFirst() {
            note(effect)
            switch effect {
            case .alarm(let number, let delay):
                alarms.append((now + max(delay, .zero), number))
                if delay <= .zero { pass(.zero) }
            case .discover(let remote, let device, let link):
                daemon.found(remote.services, device, link)
            case .remote(let remote, let call): answer(call, of: remote)
            case .authorize(_, _, let id): if let agent { daemon.authorized(id, agent) }
            default: break
            }
        }
    }

    /// Answers as ``TestDevice`` does.
    private mutating func answer(_ call: FakeRemoteCall, of remote: any FakeRemote) {
        switch call {
        case .read(let attribute, let offset, let token):
            switch TestDevice.Attribute(rawValue: attribute.rawValue) {
            case .silent, .encryptedSilent: break
            case .refusesReads: daemon.remote(remote, did: .refuse(.readNotPermitted, token))
            case .long:
                daemon.remote(
                    remote, did: .value(Array(TestDevice.long.dropFirst(offset)), token))
            default:
                daemon.remote(
                    remote, did: .value([UInt8(truncatingIfNeeded: 50 + offset)], token))
            }
        case .write(_, let attribute, _, let token?):
            switch TestDevice.Attribute(rawValue: attribute.rawValue) {
            case .refusesWrites:
                daemon.remote(remote, did: .refuse(.insufficientAuthorization, token))
            case .silent: break
            default: daemon.remote(remote, did: .done(token))
            }
        case .subscribe(_, _, let token): daemon.remote(remote, did: .done(token))
        default: break
        }
    }

    private mutating func end(_ request: DBusRequest, _ how: String) {
        let number = numbers[ObjectIdentifier(request)] ?? 0
        outcomes[number, default: []].append(how)
        tell("\(how) \(names[number] ?? "?")")
    }

    private mutating func note(_ effect: FakeEffect) {
        switch effect {
        case .export(let object, let path, _):
            tell("+\(Self.short(path))")
            guard showsServices || !path.text.contains("/service") else { return }
            for interface in object.interfaces {
                let values = Self.text(object.values[interface.name] ?? [:])
                tell("  \(Self.short(interface.name))\(values)")
            }
        case .unexport(let path): tell("-\(Self.short(path))")
        case .set(let values, let interface, let path):
            tell("\(Self.short(path)) \(Self.short(interface))\(Self.text(values))")
        case .setSilently(let values, let path):
            tell("\(Self.short(path)) silently\(Self.text(values))")
        case .value(let value, let path): tell("\(Self.short(path)) value \(value.suffix(8))")
        case .signal(let signal):
            let values = signal.values.map(Self.text).joined(separator: " ")
            tell("\(Self.short(signal.path)) \(signal.member) \(values)")
        case .add(let interface, let values, let path):
            tell("+\(Self.short(path)) \(Self.short(interface.name))\(Self.text(values))")
        case .remove(let interface, let path):
            tell("-\(Self.short(path)) \(Self.short(interface))")
        case .reply(let request, let values):
            end(request, (["reply"] + values.map(Self.text)).joined(separator: " "))
        case .refuse(let request, let refusal):
            let details = refusal.details.replacing("\n", with: "\\n")
            end(request, "refuse \(refusal.name): \(details)")
        case .accept(let request): end(request, "accept")
        case .acknowledge(let request): end(request, "acknowledge")
        case .drop(let requests): for request in requests { end(request, "drop") }
        case .register(let request, let adapter):
            end(request, "register with \(adapter.map { "hci\($0)" } ?? "the daemon")")
        case .authorize(let path, let isMeant, _):
            tell("\(Self.short(path)) may pair? \(isMeant ? "asked for" : "needed")")
        case .clientDisconnected(let client): tell("\(client) is gone")
        case .adapterRemoved(let number): tell("hci\(number) is gone")
        case .discoverabilityChanged(let number): tell("hci\(number) discoverability")
        case .die: tell("dies")
        case .alarm(_, let delay):
            if delay > .zero { tell("in \(delay.wholeMicroseconds / 1000) ms") }
        case .remote(let remote, let call):
            tell("\((remote as? Remote)?.name ?? "?") < \(Self.text(call))")
        case .discover(let remote, _, _):
            tell("\((remote as? Remote)?.name ?? "?") < discover")
        case .openSocket(let request, let place, let mtu):
            end(request, "socket \(Self.text(place)) of \(mtu)")
        case .send(let value, let place): tell("socket \(Self.text(place)) \(value)")
        case .closeSocket(let place): tell("socket \(Self.text(place)) closed")
        }
    }

    // MARK: Words

    private static func short(_ name: String) -> String {
        name.replacing("org.bluez.", with: "")
    }

    private static func short(_ path: DBusObjectPath) -> String {
        path.text.replacing("/org/bluez/", with: "")
    }

    private static func text(_ place: FakeCharacteristic.Socket) -> String {
        "\(place.characteristic) \(place.isNotify ? "out" : "in")"
    }

    private static func text(_ call: FakeRemoteCall) -> String {
        switch call {
        case .connect(let link):
            "connect from \(link.centralAddress), \(link.mtu) bytes, met in \(link.meeting),"
                + " answers for programs \(link.answersForPrograms)"
        case .disconnect: "disconnect"
        case .read(let attribute, let offset, _): "read \(attribute.rawValue) from \(offset)"
        case .write(let value, let attribute, let offset, let token):
            "write \(attribute.rawValue) \(value.suffix(8)) from \(offset) "
                + (token == nil ? "withoutResponse" : "withResponse, answered")
        case .subscribe(let attribute, let isOn, _):
            "subscribe \(attribute.rawValue) \(isOn ? "on" : "off")"
        case .confirm(let attribute): "confirm \(attribute.rawValue)"
        case .stop: "stop"
        }
    }

    private static func text(_ values: [String: DBusValue?]) -> String {
        values.sorted { $0.key < $1.key }.map { name, value in
            " \(name)=\(value.map(text) ?? "nothing")"
        }.joined()
    }

    private static func text(_ values: [String: DBusValue]) -> String {
        text(values.mapValues { Optional($0) })
    }

    private static func text(_ value: DBusValue) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .string(let text): text.replacing("-0000-1000-8000-00805f9b34fb", with: "-…")
        case .objectPath(let path): short(path)
        case .bytes(let bytes): "\(bytes.suffix(8))"
        case .variant(let value): text(value)
        case .array(_, let values): "[\(values.map(text).joined(separator: ", "))]"
        case .dictionary(_, _, let entries):
            "{"
                + entries.map { "\(text($0.key)): \(text($0.value))" }.sorted()
                .joined(separator: ", ") + "}"
        default: value.integer.map { "\($0)" } ?? "…"
        }
    }
}

extension FakeDaemon {
    /// An effect of a device within reach.
    mutating func remote(_ remote: any FakeRemote, did effect: PeripheralEffect) {
        let peripheral = peripherals.inOrder.first { $0.remote === remote }
        if let peripheral { remoteDid(effect, peripheral.number) }
    }
}
