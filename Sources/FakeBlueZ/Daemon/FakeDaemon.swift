#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The daemon: what is asked of it and what remotes do goes in, effects come out.
///
/// Rules:
/// - It is one value behind one lock, knows no clock, and calls nobody: what is to be done is an
///   effect, carried out in order when the lock is free. It holds requests and remotes as handles,
///   and uses neither.
/// - Adapters, devices and what the radios meet stand in tables, and name each other by number.
///   What concerns several goes by their numbers, so that two runs do the same.
/// - What it says is what 5.66 said where that was seen (names, texts, orders); what was not seen
///   is as the daemon's source has it, and says so.
/// - A request is answered once, unless a quirk says never.
/// - What belongs to a client ends when the client leaves the bus: its searches, filters,
///   subscriptions and sockets. Links stay.
struct FakeDaemon {
    var quirks: FakeQuirks
    var timing: FakeTiming
    var isRunning = false
    var adapters: [Int: FakeAdapter] = [:]
    var airborne: [Int: FakeAirborne] = [:]
    var devices: [Int: FakeDevice] = [:]
    var alarms: [UInt64: FakeAlarm] = [:]
    var effects = FIFO<FakeEffect>()
    /// Values that came faster than anybody took them, and went nowhere.
    var lostValues = 0
    /// How often something began to connect to a device.
    var attemptCount = 0
    /// Whether somebody looks at the clock for devices that do not answer.
    var watchesAnswers = false
    private var lastNumber: UInt64 = 0

    /// So many effects wait at most before values are lost.
    static let maximumBacklog = 1 << 16

    init(quirks: FakeQuirks, timing: FakeTiming) {
        self.quirks = quirks
        self.timing = timing
    }

    /// What is woken for.
    enum FakeAlarm {
        /// An adapter hears a device for the first time in a search, or again.
        case hears(adapter: Int, remote: Int, UInt64)
        /// An attempt to connect comes to its device, or to its end.
        case meets(device: Int, attempt: UInt64)
        case gaveUp(device: Int, attempt: UInt64)
        /// The services of a link are known.
        case resolves(device: Int, link: UInt64)
        case exportsLate(device: Int, link: UInt64)
        /// A link ends, as somebody wished.
        case ends(device: Int, link: UInt64)
        case aborts(device: Int, link: UInt64)
        /// Devices have had long enough to answer what they were asked the last time.
        case overdue
        case forgets(device: Int, UInt64)
        case releasesHeldBack(device: Int, characteristic: Int, link: UInt64)
        /// Others have seen an adapter for long enough.
        case hides(adapter: Int, UInt64)
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func perform(_ effect: FakeEffect) {
        effects.append(quirks.falseValues.isEmpty ? effect : effect.falsified(quirks))
    }

    /// Has the daemon woken after a while; at once if there is nothing to wait for.
    mutating func wake(after delay: Duration, _ alarm: FakeAlarm) {
        let number = nextNumber()
        alarms[number] = alarm
        perform(.alarm(number, delay))
    }

    mutating func woken(_ number: UInt64) {
        guard isRunning, let alarm = alarms.removeValue(forKey: number) else { return }
        switch alarm {
        case .hears(let adapter, let remote, let time): hears(adapter, remote, time)
        case .meets(let device, let attempt): meets(device, attempt)
        case .gaveUp(let device, let attempt): gaveUp(device, attempt)
        case .resolves(let device, let link): resolves(device, link)
        case .exportsLate(let device, let link): exportsLate(device, link)
        case .ends(let device, let link): endsAsWished(device, link)
        case .aborts(let device, let link): aborts(device, link)
        case .overdue: leaveSilentDevices()
        case .forgets(let device, let number): forgets(device, number)
        case .releasesHeldBack(let device, let characteristic, let link):
            releasesHeldBack(device, characteristic, link)
        case .hides(let adapter, let number): hides(adapter, number)
        }
    }

    // MARK: - Beginning and end

    /// The daemon starts: its objects are there before its name is.
    mutating func start() {
        isRunning = true
        perform(.export(DBusObject([], management: .allInterfaces), BlueZDaemon.manager, .nothing))
        let managers = [
            AgentManager1.interface, ProfileManager1.interface, HealthManager1.interface,
        ]
        perform(.export(DBusObject(managers), .fake(BlueZDaemon.root), .daemon))
        for adapter in adapters.inOrder {
            perform(.export(adapter.object(quirks), adapter.path, .adapter(adapter.number)))
        }
    }

    /// Kills the daemon: links end without a signal, and adapters forget their devices. Returns the
    /// effects and the requests that are dropped, to be released outside the lock.
    mutating func kill() -> (effects: [FakeEffect], requests: [DBusRequest]) {
        isRunning = false
        let rest = (effects.removeAll(), devices.inOrder.flatMap(\.requests))
        alarms = [:]
        watchesAnswers = false
        for device in devices.inOrder where device.link != nil {
            guard let remote = airborne[device.airborne]?.remote else { continue }
            perform(.remote(remote, .disconnect))
            airborne[device.airborne]?.device = nil
            for characteristic in device.gatt?.characteristics ?? [] {
                for socket in characteristic.sockets { perform(.closeSocket(socket.place)) }
            }
        }
        devices = [:]
        for number in adapters.keys {
            adapters[number]?.searchers = []
            adapters[number]?.filters = [:]
        }
        return rest
    }

    /// A client has left the bus, and with it what belongs to it.
    mutating func clientLeft(_ name: String) {
        guard isRunning else { return }
        for adapter in adapters.inOrder {
            adapters[adapter.number]?.filters[name] = nil
            if adapter.searchers.contains(name) { endSearch(adapter.number, of: name) }
        }
        for number in devices.keys.sorted() { clientLeft(name, number) }
        perform(.clientLeft(name))
    }

    // MARK: - Requests

    /// Somebody asks something of an object.
    mutating func receive(_ request: DBusRequest, _ target: FakeTarget) {
        guard isRunning else { return perform(.refuse(request, .gone(request))) }
        switch target {
        case .daemon:
            let managers = [AgentManager1.interfaceName, ProfileManager1.interfaceName]
            let isKnown = managers.contains(request.interface)
            perform(isKnown ? .register(request, adapter: nil) : .refuse(request, .notSupported))
        case .adapter(let number):
            guard adapters[number] != nil else { return perform(.refuse(request, .gone(request))) }
            receive(request, adapter: number)
        case .device(let number):
            guard devices[number] != nil else { return perform(.refuse(request, .gone(request))) }
            receive(request, device: number)
        case .characteristic(let number, let index):
            guard devices[number]?.gatt?.characteristics.indices.contains(index) == true
            else { return perform(.refuse(request, .gone(request))) }
            receive(request, device: number, index)
        case .descriptor(let number, let index, let place):
            guard let gatt = devices[number]?.gatt, gatt.characteristics.indices.contains(index),
                gatt.characteristics[index].descriptors.indices.contains(place)
            else { return perform(.refuse(request, .gone(request))) }
            receive(request, device: number, index, descriptor: place)
        case .nothing:
            perform(.refuse(request, .notSupported))
        }
    }
}

extension Dictionary where Key == Int {
    /// What stands in a table, by its numbers.
    var inOrder: [Value] { sorted { $0.key < $1.key }.map(\.value) }
}
#endif
