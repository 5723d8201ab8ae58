import Foundation
import HaloProtocol
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// A central against a manager that the test speaks for.
@Suite struct CentralCoreTests {
    private let manager = NotingCentral(delegate: nil, queue: nil)
    private let board = HaloCoreBluetooth.Guarded(AdapterBoard())
    private let core: CentralCore
    private let peripheral: CBPeripheral

    init() {
        core = CentralCore(board)
        core.use(manager)
        peripheral = CBPeripheral(UUID(), name: "a name", manager: nil, system: Phone().system)
        manager.known[peripheral.identifier] = peripheral
        _ = board.withLock { $0.change(to: .poweredOn) }
    }

    private func open(
        _ number: UInt64, _ results: Calls<String>, on other: CentralCore? = nil
    ) {
        (other ?? core).open(
            CentralCore.Attempt(
                number: number, identity: PeripheralIdentity(peripheral), events: { _ in },
                completion: { result in
                    switch result {
                    case .success: results.note("\(number) open")
                    case .failure(let error): results.note("\(number) \(error.kind)")
                    }
                }))
    }

    /// The system connects to a device late, for an attempt that is over.
    @Test func aLinkThatNobodyWaitsForIsClosed() {
        for _ in 0..<2 { core.centralManager(manager, didConnect: peripheral) }
        #expect(manager.calls == ["cancel"])
        let results = Calls<String>()
        open(1, results)
        // The next attempt waits for the end.
        #expect(manager.calls == ["cancel"])
        core.centralManager(manager, didDisconnectPeripheral: peripheral, error: nil)
        #expect(manager.calls == ["cancel", "connect"])
        core.centralManager(manager, didConnect: peripheral)
        core.centralManager(manager, didConnect: peripheral)
        #expect(results.all == ["1 open"])
        #expect(manager.calls.prefix(2) == ["cancel", "connect"])
    }

    /// A restored attempt is still wanted when the device comes into reach.
    @Test func aRestoredLinkIsKept() {
        let key = CBCentralManagerRestoredStatePeripheralsKey
        core.centralManager(manager, willRestoreState: [key: [peripheral]])
        core.centralManager(manager, didConnect: peripheral)
        #expect(manager.calls == [])
        #expect(core.restoredIdentities == [PeripheralIdentity(peripheral)])
        core.release(PeripheralIdentity(peripheral))
        core.release(PeripheralIdentity(peripheral))
        #expect(manager.calls == ["cancel"])
        #expect(core.restoredIdentities == [])
    }

    @Test func restoredDevicesAreInOrder() {
        let peripherals = (0..<9).map { _ in
            CBPeripheral(UUID(), name: nil, manager: nil, system: Phone().system)
        }
        let key = CBCentralManagerRestoredStatePeripheralsKey
        core.centralManager(manager, willRestoreState: [key: peripherals])
        #expect(
            core.restoredIdentities.map(\.rawValue)
                == peripherals.map(\.identifier.uuidString).sorted())
        // What has no identifier of the system is of another backend.
        core.release(PeripheralIdentity("of another backend"))
        #expect(core.restoredIdentities.count == 9)
    }

    /// The failure of an attempt, and failures that are none.
    @Test func aFailureEndsTheAttemptOnly() {
        let results = Calls<String>()
        core.centralManager(manager, didFailToConnect: peripheral, error: nil)
        open(1, results)
        core.centralManager(
            manager, didFailToConnect: peripheral, error: CBError(.connectionLimitReached))
        #expect(results.all == ["1 \(BLEError.Kind.overloaded)"])
        open(2, results)
        core.centralManager(manager, didFailToConnect: peripheral, error: nil)
        #expect(results.all.last == "2 \(BLEError.Kind.disconnected)")
    }

    /// A device has one attempt and one more that waits for the end of the one before.
    @Test func aSecondAttemptHasNoPlace() {
        let results = Calls<String>()
        open(1, results)
        open(2, results)
        core.cancelAttempt(1)
        open(3, results)
        open(4, results)
        let (busy, cancelled) = (BLEError.Kind.alreadyConnected, BLEError.Kind.cancelled)
        #expect(results.all == ["2 \(busy)", "1 \(cancelled)", "4 \(busy)"])
        // Those that are over cannot be cancelled.
        for number in [1, 2, 4] as [UInt64] { core.cancelAttempt(number) }
        #expect(results.all.count == 3)
        #expect(manager.calls == ["connect", "cancel"])
        core.centralManager(manager, didFailToConnect: peripheral, error: nil)
        #expect(manager.calls == ["connect", "cancel", "connect"])
    }

    /// The state may come before the manager that was made on the app's thread.
    @Test func theFirstStateBringsTheManager() {
        let core = CentralCore(HaloCoreBluetooth.Guarded(AdapterBoard()))
        core.centralManagerDidUpdateState(manager)
        core.scan(1, .all) { _ in }
        #expect(manager.calls == ["scan - true"])
    }

    /// What waits for the first state is done with it, and not again with the next one.
    @Test func theStateIsWaitedForOnce() {
        let core = CentralCore(HaloCoreBluetooth.Guarded(AdapterBoard()))
        let results = Calls<String>()
        core.use(manager)
        core.whenKnown { _ in results.note("known") }
        open(1, results, on: core)
        #expect(results.all == [])
        for state in [CBManagerState.unauthorized, .poweredOn] {
            manager.reported = state
            core.centralManagerDidUpdateState(manager)
        }
        #expect(results.all == ["known", "1 \(BLEError.Kind.unauthorized)"])
        #expect(manager.calls == [])
    }

    /// In these states the system's objects are invalid, also in the first one.
    @Test(arguments: [CBManagerState.resetting, .unsupported, .unauthorized])
    func restoredDevicesAreForgotten(_ state: CBManagerState) {
        let core = CentralCore(HaloCoreBluetooth.Guarded(AdapterBoard()))
        let key = CBCentralManagerRestoredStatePeripheralsKey
        core.centralManager(manager, willRestoreState: [key: [peripheral]])
        manager.reported = state
        core.centralManagerDidUpdateState(manager)
        #expect(core.restoredIdentities == [])
    }

    /// A device that only a report has made known is found until the service starts again.
    @Test func reportedDevicesAreForgotten() {
        let results = Calls<String>()
        manager.forgets = true
        core.centralManager(
            manager, didDiscover: peripheral, advertisementData: [:], rssi: -50)
        open(1, results)
        #expect(manager.calls == ["connect"])
        for state in [CBManagerState.resetting, .poweredOn] {
            manager.reported = state
            core.centralManagerDidUpdateState(manager)
        }
        open(2, results)
        let (gone, unknown) = (BLEError.Kind.backend, BLEError.Kind.notFound)
        #expect(results.all == ["1 \(gone)", "2 \(unknown)"])
    }

    /// The system's scan ends with the last one, and with the transport.
    @Test func scansEndWithTheTransport() {
        let ends = Calls<UInt64>()
        for number in UInt64(1)...3 {
            core.scan(number, .all) { if case .failure = $0 { ends.note(number) } }
        }
        for number in UInt64(1)...2 { core.endScan(number) }
        #expect(!manager.calls.contains("stop"))
        core.abandon()
        #expect(manager.calls.last == "stop")
        #expect(ends.all == [3])
        core.scan(4, .all) { _ in }
        core.endScan(4)
        #expect(manager.calls.suffix(2) == ["scan - true", "stop"])
    }

    /// The system does not say which of the services a device has, so each is asked for.
    @Test func aConnectedDeviceHasAllItsServices() throws {
        let (first, second) = (BluetoothUUID(0xA001), BluetoothUUID(0xA002))
        let other = CBPeripheral(UUID(), name: nil, manager: nil, system: Phone().system)
        manager.connected = ["A001": [peripheral], "A002": [other, peripheral]]
        let found = Calls<[Discovery]>()
        core.retrieveConnected([first, second]) {
            if case .success(let all) = $0 { found.note(all) }
        }
        let all = try #require(found.all.first)
        #expect(
            all.map(\.identity) == [PeripheralIdentity(peripheral), PeripheralIdentity(other)])
        #expect(all.map(\.services) == [[first, second], [second]])
        #expect(all.map(\.name) == ["a name", nil])
        // Without the state there is none.
        _ = board.withLock { $0.change(to: .unauthorized) }
        let kinds = Calls<BLEError.Kind>()
        core.retrieveConnected([first]) {
            if case .failure(let error) = $0 { kinds.note(error.kind) }
        }
        #expect(kinds.all == [.unauthorized])
    }

    /// What waits for the state is limited: a further call is made at once.
    @Test func callsWaitUpToALimit() {
        _ = board.withLock { $0.change(to: .unknown) }
        let calls = Calls<Int>()
        for number in 0...256 { core.whenKnown { _ in calls.note(number) } }
        #expect(calls.all == [256])
        core.abandon()
        #expect(calls.all.dropFirst() == Array(0..<256)[...])
        core.abandon()
        #expect(calls.all.count == 257)
    }
}

/// The scans of an app, and the one scan of the system.
@Suite struct ScanTableTests {
    private static let (first, second) = (BluetoothUUID(0xA001), BluetoothUUID(0xA002))

    /// The system's scan begins again with each further scan, and when a scan ends that was for
    /// more; it ends with the last one.
    @Test func theSystemScansForAll() {
        let manager = NotingCentral(delegate: nil, queue: nil)
        var table = ScanTable()
        func add(_ number: UInt64, _ filter: ScanFilter) {
            table.add(number, filter) { _ in }
            table.update(manager, .poweredOn)
        }
        func remove(_ number: UInt64) {
            table.remove(number)
            table.update(manager, .poweredOn)
        }
        table.update(manager, .poweredOn)
        #expect(manager.calls == [])
        add(1, ScanFilter(services: [Self.first]))
        add(2, ScanFilter(services: [Self.first]))
        // A scan that ends with the same parameters changes nothing.
        remove(2)
        #expect(manager.calls == ["scan A001 false", "scan A001 false"])
        manager.calls = []
        add(3, ScanFilter(services: [Self.second], reportsDuplicates: true))
        add(4, .all)
        remove(4)
        remove(3)
        #expect(
            manager.calls == [
                "scan A001 A002 true", "scan - true", "scan A001 A002 true", "scan A001 false",
            ])
        manager.calls = []
        for _ in 0..<2 { remove(1) }
        #expect(manager.calls == ["stop"])
    }

    /// Switching off ends the system's scan without a call; it begins again afterwards.
    @Test func theScanBeginsAgainAfterAPause() {
        let manager = NotingCentral(delegate: nil, queue: nil)
        var table = ScanTable()
        table.add(1, ScanFilter(services: [Self.first])) { _ in }
        table.update(manager, .poweredOff)
        table.update(nil, .poweredOn)
        #expect(manager.calls == [])
        for state in [AdapterState.poweredOn, .unknown, .poweredOn] { table.update(manager, state) }
        #expect(manager.calls == ["scan A001 false", "scan A001 false"])
    }

    @Test func theEndOfAllIsReportedOnceToEach() {
        let manager = NotingCentral(delegate: nil, queue: nil)
        let calls = Calls<UInt64>()
        var table = ScanTable()
        for number in UInt64(1)...3 {
            table.add(number, .all) { if case .failure = $0 { calls.note(number) } }
        }
        table.update(manager, .poweredOn)
        table.remove(2)
        for _ in 0..<2 { table.endAll(BLEError(.cancelled, .scan)) }
        #expect(calls.all == [1, 3])
        // The system's scan still runs: the same parameters are another scan.
        table.add(4, .all) { _ in }
        table.update(manager, .poweredOn)
        #expect(manager.calls == ["scan - true", "scan - true"])
    }
}

/// A manager that does nothing but note its calls.
private final class NotingCentral: CBCentralManager {
    var calls: [String] = []
    var known: [UUID: CBPeripheral] = [:]
    /// `true` for a system that knows no devices.
    var forgets = false
    var reported = CBManagerState.poweredOn
    var connected: [String: [CBPeripheral]] = [:]
    private var scans = false

    override var state: CBManagerState { reported }

    override func retrieveConnectedPeripherals(withServices services: [CBUUID]) -> [CBPeripheral] {
        services.flatMap { connected[$0.uuidString] ?? [] }
    }

    override var isScanning: Bool { scans }

    override func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        calls.append("connect")
    }

    override func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        calls.append("cancel")
    }

    override func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        if forgets { return [] }
        return identifiers.map {
            known[$0] ?? CBPeripheral($0, name: nil, manager: nil, system: system)
        }
    }

    override func scanForPeripherals(
        withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil
    ) {
        let services = serviceUUIDs?.map(\.uuidString).sorted() ?? ["-"]
        let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool
        calls.append("scan \(services.joined(separator: " ")) \(duplicates ?? false)")
        scans = true
    }

    override func stopScan() {
        calls.append("stop")
        scans = false
    }
}
