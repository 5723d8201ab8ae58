public import Foundation
internal import HaloProtocol
internal import HaloTransport

/// The role of the central: scanning and connecting.
public class CBCentralManager: CBManager {
    /// Abilities of a phone beyond those that all have.
    public struct Feature: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates features from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning and connecting with extended advertising.
        public static let extendedScanAndConnect = Feature(rawValue: 1)
    }

    /// The delegate, which is not kept.
    public weak var delegate: (any CBCentralManagerDelegate)?
    /// `true` once the delegate was found to lack the older function for the end of a link.
    var lacksOlderDisconnect = false

    /// The number of the scan; `nil` for none.
    private let scanning = Guarded<UInt64?>(nil)
    private let known = Guarded<[UUID: Weak<CBPeripheral>]>([:])

    /// Creates a manager without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Creates a manager, which calls its delegate on a queue; `nil` for the main queue.
    public convenience init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?
    ) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Creates a manager with options.
    public init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?,
        options: [String: Any]? = nil
    ) {
        self.delegate = delegate
        super.init(queue: queue)
        let identifier = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
        system.showPowerAlert(options?[CBCentralManagerOptionShowPowerAlertKey])
        system.register(self, restoreIdentifier: identifier)
    }

    deinit { system.unregister(number) }

    /// Returns `false`: the radio of the stand-in has no extended advertising.
    public class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// `true` while this manager scans.
    public var isScanning: Bool { scanning.value != nil }

    /// Returns the devices that this phone has met, of those with these identifiers.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard acceptsCommands() else { return [] }
        let isForgetful = system.has(.forgetsDevices)
        let retained = known.value.filter { $0.value.object != nil }
        let identifiers = identifiers.filter { !isForgetful || retained[$0] != nil }
        return system.known(identifiers).map { peripheral($0.identifier, name: $0.name) }
    }

    /// Returns the devices with these services to which any app of this phone, or the system, is
    /// connected; none for an empty list.
    public func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral]
    {
        guard acceptsCommands(), !serviceUUIDs.isEmpty else { return [] }
        return system.connected(with: serviceUUIDs.map(\.bluetooth))
            .map { peripheral($0.identifier, name: $0.name) }
    }

    /// Scans for devices, in place of this manager's earlier scan.
    public func scanForPeripherals(
        withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil
    ) {
        guard acceptsCommands() else { return }
        let scanNumber = system.makeNumber()
        scanning.withLock { $0 = scanNumber }
        let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey]
        system.scan(
            CentralScan(
                number: scanNumber, services: serviceUUIDs?.map(\.bluetooth) ?? [],
                reportsDuplicates: (duplicates as? NSNumber)?.boolValue ?? false),
            for: number)
    }

    /// Stops scanning.
    public func stopScan() {
        guard acceptsCommands() else { return }
        scanning.withLock { $0 = nil }
        system.stopScan(for: number)
    }

    /// Connects; an attempt has no timeout.
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard acceptsCommands(), accepts(peripheral) else { return }
        let system = system
        let attempt: UInt64? = peripheral.current.withLock { now in
            if now.connection == .connecting { return nil }
            if now.connection == .connected { return now.attempt }
            now.connection = .connecting
            now.attempt = system.makeNumber()
            return now.attempt
        }
        guard let attempt else { return }
        system.connect(reference(peripheral, attempt))
    }

    /// Ends a link, or a pending attempt.
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard acceptsCommands(), accepts(peripheral) else { return }
        let attempt: UInt64? = peripheral.current.withLock { now in
            guard now.connection == .connecting || now.connection == .connected else { return nil }
            now.connection = .disconnecting
            return now.attempt
        }
        guard let attempt else { return }
        system.cancel(reference(peripheral, attempt))
    }

    private func reference(_ peripheral: CBPeripheral, _ attempt: UInt64) -> PeripheralReference {
        PeripheralReference(
            manager: number, identifier: peripheral.identifier, attempt: attempt)
    }

    /// Returns `true` for a valid peripheral of this manager; others are ignored, with a log line.
    private func accepts(_ peripheral: CBPeripheral) -> Bool {
        if peripheral.manager == number, peripheral.current.value.isValid { return true }
        system.log("API MISUSE: \(peripheral.logName) is not valid for this manager")
        return false
    }

    // MARK: What the system announces, on the queue

    /// Returns the object for a device: the one that the app still has, or another.
    func peripheral(_ identifier: UUID, name: String?) -> CBPeripheral {
        let fresh = CBPeripheral(identifier, name: name, manager: number, system: system)
        return known.withLock { known in
            if let old = known[identifier]?.object { return old }
            known = known.filter { $0.value.object != nil }
            known[identifier] = Weak(fresh)
            return fresh
        }
    }

    /// Returns the object for a link, if the app still has it.
    func peripheral(of reference: PeripheralReference) -> CBPeripheral? {
        guard let peripheral = known.value[reference.identifier]?.object,
            peripheral.current.value.attempt == reference.attempt
        else { return nil }
        return peripheral
    }

    /// The objects that the app still has.
    private var peripherals: [CBPeripheral] { known.value.values.compactMap(\.object) }

    /// Reports a state. Below `poweredOn` links are gone, below `poweredOff` objects are invalid.
    func enter(_ state: CBManagerState) {
        guard setState(state) != state else { return }
        if state != .poweredOn { endLinks(isInvalid: state != .poweredOff) }
        delegate?.centralManagerDidUpdateState(self)
    }

    private func endLinks(isInvalid: Bool) {
        scanning.withLock { $0 = nil }
        let attempt = system.makeNumber()
        for peripheral in peripherals {
            let wasConnected = peripheral.current.withLock { now in
                defer {
                    now.connection = .disconnected
                    now.attempt = attempt
                    if isInvalid { now.isValid = false }
                }
                return now.connection == .connected
            }
            peripheral.forgetAttributes()
            if wasConnected, system.has(.disconnectsAfterPowerOff) {
                queue.async { [manager = Weak(self), kept = Unchecked(peripheral)] in
                    let error = CBError(.peripheralDisconnected)
                    manager.object?.tellDisconnected(kept.value, error)
                }
            }
        }
        if isInvalid { known.withLock { $0 = [:] } }
    }

    /// Hands over what a terminated app has left.
    func restore(_ state: RestorableState) {
        var kept: [CBPeripheral] = []
        for link in state.links {
            let peripheral = peripheral(link.identifier, name: link.name)
            peripheral.current.withLock { now in
                now.attempt = link.attempt
                now.connection = link.isConnected ? .connected : .connecting
                now.packetLength = link.packetLength
            }
            peripheral.adopt(link)
            kept.append(peripheral)
        }
        var dictionary: [String: Any] = [CBCentralManagerRestoredStatePeripheralsKey: kept]
        if let scan = state.scan {
            scanning.withLock { $0 = scan.number }
            dictionary[CBCentralManagerRestoredStateScanServicesKey] =
                scan.services.map { CBUUID($0) }
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = [
                CBCentralManagerScanOptionAllowDuplicatesKey: scan.reportsDuplicates
            ]
        }
        delegate?.centralManager(self, willRestoreState: dictionary)
    }

    /// Reports a device, unless the scan has ended or was replaced.
    func discovered(_ sighting: Sighting) {
        guard scanning.value == sighting.scan else { return }
        let peripheral = peripheral(sighting.identifier, name: sighting.name)
        peripheral.current.withLock { $0.name = sighting.name }
        delegate?.centralManager(
            self, didDiscover: peripheral, advertisementData: sighting.dictionary,
            rssi: NSNumber(value: sighting.rssi))
    }

    /// Reports an open link.
    func connected(_ reference: PeripheralReference, packetLength: Int) {
        guard let peripheral = peripheral(of: reference) else { return }
        let isPending = peripheral.current.withLock { now in
            guard now.connection != .disconnecting else { return false }
            if now.connection != .connected {
                now.credits = CBPeripheral.maximumCredits
                now.isStarved = false
                now.hasWritten = false
                now.hasServices = false
            }
            now.connection = .connected
            now.packetLength = packetLength
            return true
        }
        guard isPending else { return }
        if peripheral.found.isEmpty { peripheral.forgetAttributes() }
        if system.has(.callsBackForStranger) {
            delegate?.centralManager(self, didConnect: peripheral.stranger)
        }
        delegate?.centralManager(self, didConnect: peripheral)
        if system.has(.duplicateConnect) {
            delegate?.centralManager(self, didConnect: peripheral)
        }
    }

    /// Reports a failed attempt.
    func failed(_ reference: PeripheralReference, _ error: (any Error)?) {
        guard let peripheral = peripheral(of: reference) else { return }
        peripheral.current.withLock { $0.connection = .disconnected }
        announce(peripheral) { manager, peripheral in
            manager.delegate?.centralManager(manager, didFailToConnect: peripheral, error: error)
        }
    }

    /// Announces an end; with traps, also for a stranger, or twice.
    private func announce(
        _ peripheral: CBPeripheral, _ call: (CBCentralManager, CBPeripheral) -> Void
    ) {
        let traps = system.traps
        if traps.contains(.callsBackForStranger) { call(self, peripheral.stranger) }
        call(self, peripheral)
        if traps.contains(.callsBackTwice) { call(self, peripheral) }
    }

    /// Reports the end of a link; also for an object that connects again already.
    func disconnected(_ reference: PeripheralReference, _ error: (any Error)?) {
        guard let peripheral = known.value[reference.identifier]?.object else { return }
        if peripheral.current.value.attempt == reference.attempt {
            peripheral.current.withLock { $0.connection = .disconnected }
            peripheral.forgetAttributes()
        }
        tellDisconnected(peripheral, error)
    }

    private func tellDisconnected(_ peripheral: CBPeripheral, _ error: (any Error)?) {
        announce(peripheral) { manager, peripheral in
            manager.tellOneEnd(peripheral, error)
        }
    }

    private func tellOneEnd(_ peripheral: CBPeripheral, _ error: (any Error)?) {
        guard let delegate else { return }
        if !lacksOlderDisconnect {
            delegate.centralManager(self, didDisconnectPeripheral: peripheral, error: error)
        }
        guard lacksOlderDisconnect else { return }
        delegate.centralManager(
            self, didDisconnectPeripheral: peripheral,
            timestamp: Date().timeIntervalSinceReferenceDate, isReconnecting: false, error: error)
    }
}
