#if os(Linux)
internal import BlueZVocabulary
internal import HaloProtocol
public import HaloTransport

extension FakeBlueZ {
    /// Puts a device within reach of all adapters.
    ///
    /// An address has the usual form, `C0:DE:00:00:00:01`; `nil` chooses a random one.
    @discardableResult
    public func add<Device: GATTPeripheral>(
        _ device: Device, address: String? = nil, rssi: Int16 = -60
    ) -> Hosted<Device> {
        let remote = PeripheralRemote(device, on: FakeTime(shell))
        let peripheral = shell.update { daemon -> (number: Int, address: String) in
            let new = daemon.addPeripheral(
                remote, address: address?.uppercased(), isAddressRandom: address == nil,
                ownAdapter: nil, rssi: rssi)
            return (new.number, new.address)
        }
        remote.start { [weak shell] effect in
            shell?.update { $0.remoteDid(effect, peripheral.number) }
        }
        return Hosted(
            remote.host, FakeControl(shell, peripheral.number, address: peripheral.address))
    }

    /// Makes an adapter connect to a device without a request: the link exists before a program
    /// requests it, as after the crash of a program (bluez#89). An unknown device becomes known.
    public func connect(_ identity: PeripheralIdentity, adapter number: Int = 0) {
        shell.update { daemon in
            guard let adapter = daemon.adapters[number] else { return }
            for peripheral in daemon.peripherals(at: identity) {
                daemon.connectByItself(peripheral, adapter)
            }
        }
    }

    /// Breaks the link to a device, as a short loss of range does.
    public func loseLink(_ identity: PeripheralIdentity) {
        shell.update { daemon in
            for device in daemon.peripherals(at: identity).compactMap(\.device) {
                daemon.endLink(device, BlueZReason.timeout)
            }
        }
    }

    /// Connects or disconnects a known device over Bluetooth Classic, like headphones. From then
    /// on, the daemon distinguishes both bearers, as it does from 5.84 on if it was started with
    /// `--experimental` (by its source).
    public func setClassicLink(_ isConnected: Bool, to identity: PeripheralIdentity) {
        shell.update { daemon in
            for device in daemon.devices.inOrder where device.address == identity.rawValue {
                daemon.setClassicLink(isConnected, device.number)
            }
        }
    }

    /// Breaks the link to a device and takes the device out of reach, or brings it back.
    public func setAway(_ isAway: Bool, for identity: PeripheralIdentity) {
        shell.update { daemon in
            for peripheral in daemon.peripherals(at: identity) {
                daemon.setAway(isAway, peripheral.number)
            }
        }
    }

    /// Sets the RSSI of a device's advertisements, in dBm.
    public func setRSSI(_ rssi: Int16, for identity: PeripheralIdentity) {
        shell.update { daemon in
            for peripheral in daemon.peripherals(at: identity) {
                daemon.peripherals[peripheral.number]?.rssi = rssi
                daemon.advertises(peripheral.number)
            }
        }
    }
}

extension FakeDaemon {
    fileprivate func peripherals(at identity: PeripheralIdentity) -> [FakePeripheral] {
        peripherals.inOrder.filter { $0.address == identity.rawValue }
    }
}

/// The devices that `add` returned can be passed in place of their identities:
///
///     let ring = fake.add(VirtualRing(.r02))
///     fake.loseLink(ring)
extension FakeBlueZ {
    /// Makes an adapter connect to a device without a request: the link exists before a program
    /// requests it, as after the crash of a program (bluez#89). An unknown device becomes known.
    public func connect(_ device: Hosted<some GATTPeripheral>, adapter number: Int = 0) {
        if let identity = device.identity { connect(identity, adapter: number) }
    }

    /// Breaks the link to a device, which stays within reach.
    public func loseLink(_ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { loseLink(identity) }
    }

    /// Takes a device out of reach until it is brought back.
    public func setAway(_ isAway: Bool, for device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setAway(isAway, for: identity) }
    }

    /// Sets the RSSI of a device's advertisements, in dBm.
    public func setRSSI(_ rssi: Int16, for device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setRSSI(rssi, for: identity) }
    }
}

private final class FakeControl: HostControl {
    private let shell: FakeShell
    private let number: Int
    private let end = Locked<[UInt64: Promise<Void, Never>]>([:])
    let identity: PeripheralIdentity?

    init(_ shell: FakeShell, _ number: Int, address: String) {
        self.shell = shell
        self.number = number
        identity = PeripheralIdentity(address)
    }

    var isConnected: Bool { shell.read { $0.peripherals[number]?.device != nil } }

    func remove() async {
        shell.update { $0.removePeripheral(number) }
        for promise in end.withLock({ $0.values }) { promise.resolve(.success(())) }
    }

    /// Waits until the device is removed. The device stays within reach when the daemon is killed.
    func waitUntilEnded() async -> BLEError? {
        let promise = Promise<Void, Never>(cancelled: .success(()), on: shell.time)
        let key = shell.update { $0.nextNumber() }
        end.withLock { $0[key] = promise }
        if shell.read({ $0.peripherals[number] == nil }) { promise.resolve(.success(())) }
        await promise.value()
        // Runs even if the task was cancelled.
        end.withLock { _ = $0.removeValue(forKey: key) }
        return nil
    }
}

/// The system's time for a device, with backpressure: a device is not woken while too many values
/// wait for the bus. So a device that sends without a pause is slowed down, as it is on the air,
/// and no value is lost.
private struct FakeTime: TransportTime {
    private let time: SystemTime
    private weak let shell: FakeShell?

    init(_ shell: FakeShell) {
        self.shell = shell
        time = shell.time
    }

    var loop: TransportLoop { time.loop }

    var clock: any Clock<Duration> { time.clock }

    func now() -> Moment { time.now() }

    func wallClock() -> WallClock { time.wallClock() }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        time.schedule(at: moment) { [shell] in shell?.whenRoomIsAvailable(action) }
    }

    /// Ignores the change: real time passes in any case.
    func waiting(_ change: WaitChange) {}
}
#endif
