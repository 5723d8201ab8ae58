import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// A list of events that tests wait for.
final class EventLog: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [String] = []
    private var waits: [(id: Int, isMet: ([String]) -> Bool, resume: (Bool) -> Void)] = []
    private var lastID = 0

    var all: [String] { lock.withLock { stored } }

    func append(_ event: String) {
        let due = lock.withLock {
            stored.append(event)
            let due = waits.filter { $0.isMet(stored) }
            waits.removeAll { wait in due.contains { $0.id == wait.id } }
            return due
        }
        for wait in due { wait.resume(true) }
    }

    /// Waits until the list fulfils a condition; returns `false` after the limit.
    func wait(limit: Double, _ isMet: @escaping ([String]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let id: Int? = lock.withLock {
                guard !isMet(stored) else { return nil }
                lastID += 1
                waits.append((lastID, isMet, { continuation.resume(returning: $0) }))
                return lastID
            }
            guard let id else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [self] in
                let late = lock.withLock {
                    defer { waits.removeAll { $0.id == id } }
                    return waits.first { $0.id == id }
                }
                late?.resume(false)
            }
        }
    }

    func removeAll() { lock.withLock { stored = [] } }
}

/// An app that writes down what the system tells it.
final class TestApp: NSObject, @unchecked Sendable {
    let queue = DispatchQueue(label: "app")
    let log = EventLog()
    /// The peripherals that the app keeps.
    var peripherals: [UUID: CBPeripheral] = [:]
    /// The characteristics of the last discovery, by text.
    var characteristics: [String: CBCharacteristic] = [:]
    var descriptors: [String: CBDescriptor] = [:]
    var keeps = true
    var lastAdvertisement: [String: Any] = [:]
    private var kept: CBCentralManager?

    init(_ phone: Phone, restoring identifier: String? = nil) {
        super.init()
        let options = identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        kept = Phone.$current.withValue(phone) {
            CBCentralManager(delegate: self, queue: queue, options: options)
        }
    }

    var manager: CBCentralManager {
        guard let kept else { preconditionFailure("the app has dropped its manager") }
        return kept
    }

    func dropManager() { kept = nil }

    /// Runs a function on the app's queue.
    @discardableResult
    func on<Result>(_ body: (TestApp) -> Result) -> Result { queue.sync { body(self) } }

    /// Waits for an event, from those since the last call of ``forget()``.
    func wait(
        _ event: String, count: Int = 1, limit: Double = 10,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let isMet = await log.wait(limit: limit) { events in
            events.count { $0 == event } >= count
        }
        try #require(isMet, "no '\(event)' in \(log.all)", sourceLocation: location)
    }

    func forget() { log.removeAll() }

    /// The kept peripheral.
    var only: CBPeripheral {
        guard let first = peripherals.values.first else {
            preconditionFailure("the app has no peripheral")
        }
        return first
    }

    func characteristic(_ text: String) -> CBCharacteristic {
        guard let found = characteristics[text] else {
            preconditionFailure("no characteristic \(text) was discovered")
        }
        return found
    }

    func descriptor(_ text: String) -> CBDescriptor {
        guard let found = descriptors[text] else {
            preconditionFailure("no descriptor \(text) was discovered")
        }
        return found
    }

    func scan(_ services: [CBUUID]? = nil, duplicates: Bool = false) {
        on {
            $0.manager.scanForPeripherals(
                withServices: services,
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: duplicates])
        }
    }

    /// Finds the gadget, and connects.
    func connectToGadget() async throws {
        try await wait("state 5")
        scan([CBUUID(string: "FFF0")])
        try await wait("discover Gadget")
        on {
            $0.manager.stopScan()
            $0.manager.connect($0.only)
        }
        try await wait("connect")
    }

    /// Discovers everything.
    func discoverAll() async throws {
        on { $0.only.discoverServices(nil) }
        try await wait("services FFF0")
        on { app in
            for service in app.only.services ?? [] {
                app.only.discoverCharacteristics(nil, for: service)
            }
        }
        try await wait("characteristics FFF0 FFF1,FFF2,FFF3,FFF4")
    }
}

func code(_ error: (any Error)?) -> String {
    guard let error = error as NSError? else { return "" }
    return " \(error.domain == CBErrorDomain ? "CB" : "ATT")\(error.code)"
}

extension TestApp: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        log.append("state \(central.state.rawValue)")
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        if keeps { for one in restored { peripherals[one.identifier] = one } }
        let states = restored.map { "\($0.state.rawValue)\($0.delegate == nil ? "" : "!")" }
        log.append("restore \(states.joined(separator: ",")) state \(central.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        if keeps { peripherals[peripheral.identifier] = peripheral }
        lastAdvertisement = advertisementData
        peripheral.delegate = self
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        log.append("discover \(name ?? "-")")
        if RSSI.intValue == 127 { log.append("strength unknown") }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.append("connect")
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        log.append("fail\(code(error))")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        log.append("disconnect\(code(error))")
    }
}

extension TestApp: CBPeripheralDelegate {
    private func note(_ event: String, _ peripheral: CBPeripheral) {
        log.append(peripherals[peripheral.identifier] == nil ? "stranger: \(event)" : event)
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        note("name \(peripheral.name ?? "-")", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
    {
        note(
            "modified \(invalidatedServices.map(\.uuid.uuidString).joined(separator: ","))",
            peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
    ) {
        note("rssi \(RSSI.intValue < 0 ? "known" : "\(RSSI)")\(code(error))", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let list = (peripheral.services ?? []).map(\.uuid.uuidString)
        note("services \(list.joined(separator: ","))\(code(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        let list = service.characteristics ?? []
        for one in list { characteristics[one.uuid.uuidString] = one }
        note(
            "characteristics \(service.uuid) "
                + list.map(\.uuid.uuidString).joined(separator: ","), peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let list = characteristic.descriptors ?? []
        for one in list { descriptors[one.uuid.uuidString] = one }
        note("descriptors \(list.map(\.uuid.uuidString).joined(separator: ","))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let bytes = characteristic.value.map { [UInt8]($0) }
        let text = error == nil ? "\(bytes ?? [])" : "-"
        note("value \(characteristic.uuid) \(text)\(code(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("written \(characteristic.uuid)\(code(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("notify \(characteristic.isNotifying)\(code(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) {
        note("descriptor \(descriptor.uuid) \(descriptor.value ?? "-")\(code(error))", peripheral)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        note("ready", peripheral)
    }
}

/// A phone, an app on it and a gadget in one air.
struct Scene {
    let air: VirtualBluetooth
    let gadget: Placed<Gadget>
    let phone: Phone
    let app: TestApp

    init(_ gadget: Gadget = Gadget(), traps: Set<Trap> = [], speed: Int = 50) {
        air = VirtualBluetooth(mode: .realTime(speed: speed))
        self.gadget = air.add(gadget)
        phone = Phone(air: air, traps: traps)
        phone.recordFatalErrors()
        app = TestApp(phone)
    }

    /// A scene in which the app is connected and knows all attributes.
    static func discovered(_ gadget: Gadget = Gadget(), traps: Set<Trap> = []) async throws
        -> Scene
    {
        let scene = Scene(gadget, traps: traps)
        try await scene.app.connectToGadget()
        try await scene.app.discoverAll()
        return scene
    }

    /// Waits until a condition about the devices holds.
    func wait(
        _ what: String, location: SourceLocation = #_sourceLocation, _ isMet: () -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !isMet() {
            try #require(ContinuousClock.now < end, "never: \(what)", sourceLocation: location)
            await Task.yield()
        }
    }

    func logs(_ words: String) -> Bool { phone.log.contains { $0.contains(words) } }
}
