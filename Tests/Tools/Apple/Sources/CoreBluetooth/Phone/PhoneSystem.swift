internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// The Bluetooth service of a phone. All state but ``shared`` belongs to ``queue``.
///
/// Calls of apps come as blocks on the queue, in order; calls to apps go to the queues of their
/// managers, in order. Nothing here waits for an app's queue.
final class PhoneSystem: @unchecked Sendable {
    /// What apps and tests read from any thread.
    struct Shared {
        var traps: Set<Trap>
        var log: [String] = []
        var fatal: @Sendable (String) -> Void = { fatalError($0) }
        var fatalErrors: [String] = []
        var wanted = CBManagerState.poweredOn
        var authorization = CBManagerAuthorization.allowedAlways
        var granted: Set<UUID>?
        /// The state that managers report.
        var state = CBManagerState.unsupported
        var seed: UInt64
        var lastNumber: UInt64 = 0
        /// The functions that delegates were called with and do not have.
        var ignored: Set<String> = []
        /// The number of objects for devices.
        var peripherals = 0
        /// The number of alerts that Bluetooth is off.
        var powerAlerts = 0
    }

    static let maximumLog = 1_000
    static let maximumDevices = 1_024

    let queue = DispatchQueue(label: "phone")
    let radio: (any PhoneRadio)?
    let shared: Guarded<Shared>

    var centrals: [UInt64: CentralRecord] = [:]
    var hosts: [UInt64: HostRecord] = [:]
    var devices: [UUID: PhoneLink] = [:]
    /// What managers of a terminated app left behind, by restore identifier.
    var remains: [String: Remains] = [:]
    var radioScan: (number: UInt64, scan: BLECancellable)?
    var adapter: BLECancellable?
    var hosting = Hosting()

    init(radio: (any PhoneRadio)?, traps: Set<Trap>, seed: UInt64) {
        self.radio = radio
        shared = Guarded(Shared(traps: traps, seed: seed))
        shared.withLock { $0.state = radio == nil ? .unsupported : .poweredOn }
    }

    /// Begins to follow the radio. A virtual air follows the wall clock while it is listened to.
    func start() {
        guard let radio else { return }
        radio.time.waiting(.listeningBegins)
        adapter = radio.observeAdapter { [weak self] _ in
            guard let self else { return }
            queue.async { self.updateState() }
        }
        queue.sync { updateState() }
    }

    /// Ends all scans and links. No block on the queue is left: each keeps the system.
    deinit {
        adapter?.cancel()
        radioScan?.scan.cancel()
        for device in devices.values { close(device) }
        hosting.device?.modify { device in
            device.services = []
            device.effects += [.advertise(nil), .disconnect]
        }
        radio?.time.waiting(.listeningEnds)
    }

    var traps: Set<Trap> { shared.value.traps }

    /// Notes that a delegate does not have a function.
    func ignore(_ call: String) { shared.withLock { _ = $0.ignored.insert(call) } }

    /// Shows an alert if Bluetooth is off and the option of a new manager wants one.
    func showPowerAlert(_ option: Any?) {
        guard (option as? NSNumber)?.boolValue == true else { return }
        shared.withLock { if $0.state == .poweredOff { $0.powerAlerts += 1 } }
    }

    func has(_ trap: Trap) -> Bool { traps.contains(trap) }

    /// Returns a number that was not used before.
    func makeNumber() -> UInt64 {
        shared.withLock { shared in
            shared.lastNumber += 1
            return shared.lastNumber
        }
    }

    func log(_ line: String) {
        shared.withLock { shared in
            if shared.log.count >= Self.maximumLog { shared.log.removeFirst() }
            shared.log.append("[CoreBluetooth] \(line)")
        }
    }
}
