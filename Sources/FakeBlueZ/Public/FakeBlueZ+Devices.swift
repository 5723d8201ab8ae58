#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
public import HaloTransport

extension FakeBlueZ {
    /// Puts a device within reach of all adapters.
    ///
    /// An address is in the usual form, `C0:DE:00:00:00:01`; without one the device gets a random
    /// address of its own.
    @discardableResult
    public func add<Device: GATTPeripheral>(
        _ device: Device, address: String? = nil, rssi: Int16 = -60
    ) -> Hosted<Device> {
        let remote = PeripheralRemote(device, on: FakeTime(shell))
        let airborne = shell.update { daemon -> (number: Int, address: String) in
            let new = daemon.meet(
                remote, address: address?.uppercased(), isAddressRandom: address == nil,
                ownAdapter: nil, rssi: rssi)
            return (new.number, new.address)
        }
        remote.start { [weak shell] event in
            shell?.update { $0.remoteDid(event, airborne.number) }
        }
        return Hosted(
            remote.host, FakeControl(shell, airborne.number, address: airborne.address))
    }

    /// Has an adapter connect to a device by itself: a link that is there before anybody asks for
    /// one, as after the crash of a program (bluez#89). The device is known then, if it is not yet.
    public func connect(_ identity: PeripheralIdentity, adapter number: Int = 0) {
        shell.update { daemon in
            guard let adapter = daemon.adapters[number] else { return }
            for airborne in daemon.met(identity) { daemon.connectByItself(airborne, adapter) }
        }
    }

    /// Breaks the link to a device, as when it goes out of reach for a moment.
    public func loseLink(_ identity: PeripheralIdentity) {
        shell.update { daemon in
            for device in daemon.met(identity).compactMap(\.device) {
                daemon.endLink(device, BlueZReason.timeout)
            }
        }
    }

    /// Says whether a device that the daemon knows is connected over the older Bluetooth, as
    /// headphones are. From then on, the daemon tells both kinds of link apart, as it does from
    /// 5.84 on if it was started with `--experimental` (by its source).
    public func setClassicLink(_ isConnected: Bool, _ identity: PeripheralIdentity) {
        shell.update { daemon in
            for device in daemon.devices.inOrder where device.address == identity.rawValue {
                daemon.setClassicLink(isConnected, device.number)
            }
        }
    }

    /// Takes a device out of reach, or brings it back; its link breaks.
    public func setAway(_ isAway: Bool, _ identity: PeripheralIdentity) {
        shell.update { daemon in
            for airborne in daemon.met(identity) { daemon.setAway(isAway, airborne.number) }
        }
    }

    /// Says how strong adapters hear a device from now on, in dBm.
    public func setRSSI(_ rssi: Int16, _ identity: PeripheralIdentity) {
        shell.update { daemon in
            for airborne in daemon.met(identity) {
                daemon.airborne[airborne.number]?.rssi = rssi
                daemon.advertises(airborne.number)
            }
        }
    }
}

extension FakeDaemon {
    /// What is met under an address.
    fileprivate func met(_ identity: PeripheralIdentity) -> [FakeAirborne] {
        airborne.inOrder.filter { $0.address == identity.rawValue }
    }
}

/// The same, for who holds what `add` gave:
///
///     let ring = fake.add(VirtualRing(.r02))
///     fake.loseLink(ring)
extension FakeBlueZ {
    /// Has an adapter connect to a device by itself, which leaves a link that nobody asked for.
    public func connect(_ device: Hosted<some GATTPeripheral>, adapter number: Int = 0) {
        if let identity = device.identity { connect(identity, adapter: number) }
    }

    /// Breaks the link to a device, which stays within reach.
    public func loseLink(_ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { loseLink(identity) }
    }

    /// Takes a device out of reach until it is brought back.
    public func setAway(_ isAway: Bool, _ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setAway(isAway, identity) }
    }

    /// Says how strong a device is heard from now on, in dBm.
    public func setRSSI(_ rssi: Int16, _ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setRSSI(rssi, identity) }
    }
}

/// What others may do with a device that is within reach of the daemon's adapters.
final class FakeControl: HostControl {
    private let shell: FakeShell
    private let number: Int
    private let end = Locked<[UInt64: Promise<Void>]>([:])
    let identity: PeripheralIdentity?

    init(_ shell: FakeShell, _ number: Int, address: String) {
        self.shell = shell
        self.number = number
        identity = PeripheralIdentity(address)
    }

    var isConnected: Bool { shell.read { $0.airborne[number]?.device != nil } }

    func remove() async {
        shell.update { $0.leave(number) }
        let waiting = end.withLock { waiting in
            defer { waiting = [:] }
            return waiting.values
        }
        for promise in waiting { promise.resolve(.success(())) }
    }

    /// A device stays within reach, also of a daemon that is killed, until it is removed.
    func ended() async -> BLEError? {
        let promise = Promise<Void>(for: .connect, on: SystemTime())
        let key = shell.update { $0.nextNumber() }
        end.withLock { $0[key] = promise }
        if shell.read({ $0.airborne[number] == nil }) { promise.resolve(.success(())) }
        _ = try? await promise.value()
        // Also if the task was cancelled.
        end.withLock { _ = $0.removeValue(forKey: key) }
        return nil
    }
}
#endif
