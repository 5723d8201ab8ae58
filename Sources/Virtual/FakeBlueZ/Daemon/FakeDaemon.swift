#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The fake daemon as a state machine: requests and events of remotes go in, effects come out.
///
/// Rules:
/// - It is one value behind one lock, without a clock or callbacks: effects are carried out in
///   order when the lock is free. It holds requests and remotes as handles, and calls neither.
/// - Adapters, devices and peripherals within reach are in tables, and refer to each other by
///   number. Loops over several go in the order of the numbers, so that two runs are equal.
/// - Names, texts and orders are those of 5.66 where they were seen; otherwise they are those of
///   the daemon's source, and the comment says so.
/// - A request gets one reply, unless a quirk prevents it.
/// - A client's discoveries, filters, subscriptions and sockets end when it leaves the bus. Links
///   stay.
struct FakeDaemon {
    typealias Alarm = @Sendable (inout FakeDaemon) -> Void

    var quirks: FakeQuirks
    var timing: FakeTiming
    var isRunning = false
    var adapters: [Int: FakeAdapter] = [:]
    var peripherals: [Int: FakePeripheral] = [:]
    var devices: [Int: FakeDevice] = [:]
    /// The actions of the running timers. Each does nothing if what it is for has ended.
    var alarms: [UInt64: Alarm] = [:]
    var effects = Queue<FakeEffect>()
    var lostValues = 0
    var attemptCount = 0
    var watchesAnswers = false
    private var lastNumber: UInt64 = 0

    /// The maximum number of queued effects; beyond it, values are dropped.
    static let maximumBacklog = 1 << 16

    init(quirks: FakeQuirks, timing: FakeTiming) {
        self.quirks = quirks
        self.timing = timing
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func put(_ effect: FakeEffect) {
        effects.append(quirks.falseValues.isEmpty ? effect : effect.falsified(quirks))
    }

    /// Starts a timer; a delay of zero fires at once. The action captures numbers, and no requests,
    /// which would live as long as the timer.
    mutating func wake(after delay: Duration, _ action: @escaping Alarm) {
        let number = nextNumber()
        alarms[number] = action
        put(.alarm(number, delay))
    }

    mutating func woken(_ number: UInt64) {
        guard let action = alarms.removeValue(forKey: number) else { return }
        action(&self)
    }

    // MARK: - Beginning and end

    /// Starts the daemon: its objects are exported before it owns its name.
    mutating func start() {
        isRunning = true
        put(
            .export(DBusObject([], objectManager: .allInterfaces), BlueZDaemon.manager, .noMethods))
        let managers = [
            AgentManager1.interface, ClassicInterfaces.profileManager,
            ClassicInterfaces.healthManager,
        ]
        put(.export(DBusObject(managers), BlueZDaemon.root, .daemon))
        for adapter in adapters.inOrder {
            put(.export(adapter.object(quirks), adapter.path, .adapter(adapter.number)))
        }
    }

    /// Kills the daemon: links end without a signal, and adapters forget their devices. Returns the
    /// effects and the dropped requests, to be released outside the lock.
    mutating func kill() -> (effects: [FakeEffect], requests: [DBusRequest]) {
        isRunning = false
        let rest = (effects.removeAll(), devices.inOrder.flatMap(\.requests))
        alarms = [:]
        watchesAnswers = false
        for device in devices.inOrder where device.link != nil {
            guard let remote = peripherals[device.peripheral]?.remote else { continue }
            put(.remote(remote, .disconnect))
            peripherals[device.peripheral]?.device = nil
        }
        devices = [:]
        for number in adapters.keys {
            adapters[number]?.searchers = []
            adapters[number]?.filters = [:]
        }
        return rest
    }

    mutating func clientDisconnected(_ name: String) {
        guard isRunning else { return }
        for adapter in adapters.inOrder {
            adapters[adapter.number]?.filters[name] = nil
            if adapter.searchers.contains(name) { endSearch(adapter.number, of: name) }
        }
        for number in devices.keys.sorted() { clientDisconnected(name, number) }
        put(.clientDisconnected(name))
    }

    // MARK: - Requests

    /// Handles a request to an object: a refusal that is thrown is the reply.
    mutating func receive(_ request: DBusRequest, _ target: FakeTarget) {
        do throws(DBusRefusal) { try dispatch(request, to: target) } catch {
            put(.refuse(request, error))
        }
    }

    private mutating func dispatch(
        _ request: DBusRequest, to target: FakeTarget
    ) throws(DBusRefusal) {
        guard isRunning else { throw .gone(request) }
        switch target {
        case .daemon:
            guard request.interface == AgentManager1.interfaceName else { throw .notSupported }
            put(.register(request, adapter: nil))
        case .adapter(let number):
            guard adapters[number] != nil else { throw .gone(request) }
            try receive(request, adapter: number)
        case .device(let number):
            guard devices[number] != nil else { throw .gone(request) }
            try receive(request, device: number)
        case .characteristic(let number, let index):
            guard devices[number]?.gatt?.characteristics.indices.contains(index) == true
            else { throw .gone(request) }
            try receive(request, device: number, index)
        case .descriptor(let number, let index, let place):
            guard let gatt = devices[number]?.gatt, gatt.characteristics.indices.contains(index),
                gatt.characteristics[index].descriptors.indices.contains(place)
            else { throw .gone(request) }
            try receive(request, device: number, index, descriptor: place)
        case .noMethods:
            throw .notSupported
        }
    }
}

extension DBusRequest {
    /// The client's unique name on the bus.
    var client: String { sender ?? "" }
}

extension Dictionary where Key == Int {
    var inOrder: [Value] { sortedByKey.map(\.value) }
}
#endif
