import HaloProtocol
import HaloTransport

/// A driver that logs its calls, and completes them when a test says so.
final class ScriptedDriver: LinkDriver {
    enum Call: Hashable, Sendable {
        case discover
        case read(AttributeID)
        case write([UInt8], AttributeID, WriteMode)
        case setNotify(Bool, AttributeID)
        case readRSSI
        case pair
        case disconnect
    }

    enum Completion: Sendable {
        case services(BLECompletion<[GATTService]>)
        case value(BLECompletion<[UInt8]>)
        case done(BLECompletion<Void>)
        case rssi(BLECompletion<Int>)
    }

    struct State: Sendable {
        var calls: [Call] = []
        var completions: [Completion] = []
        var isEager = false
        var maximumLength = 20
    }

    let state = Locked(State())
    let identity = PeripheralIdentity("ring")

    /// The calls, in order.
    var calls: [Call] { state.withLock { $0.calls } }

    /// The number of calls that are not complete.
    var openCount: Int { state.withLock { $0.completions.count } }

    /// Completes every call at once with success, within the call.
    func answerAtOnce() { state.withLock { $0.isEager = true } }

    /// Completes the oldest open call, with success or an error.
    func answer(_ error: BLEError? = nil) {
        let completion = state.withLock { state in
            state.completions.isEmpty ? nil : state.completions.removeFirst()
        }
        if let completion { Self.answer(completion, error) }
    }

    /// Completes the oldest open call, and leaves it open.
    func answerButForget() {
        if let completion = state.withLock({ $0.completions.first }) {
            Self.answer(completion, nil)
        }
    }

    /// Completes all open calls, and those that follow from that.
    func answerAll() {
        for _ in 0..<1000 where openCount > 0 { answer() }
    }

    /// Yields to other tasks until there is an open call.
    func asked() async {
        for _ in 0..<1000 where openCount == 0 { await Task.yield() }
    }

    static let value: [UInt8] = [1, 2, 3]
    static let rssi = -50

    private static func answer(_ completion: Completion, _ error: BLEError?) {
        switch completion {
        case .services(let call): call(error.map { .failure($0) } ?? .success(Sample.services))
        case .value(let call): call(error.map { .failure($0) } ?? .success(value))
        case .done(let call): call(error.map { .failure($0) } ?? .success(()))
        case .rssi(let call): call(error.map { .failure($0) } ?? .success(rssi))
        }
    }

    private func log(_ call: Call, _ completion: Completion?) {
        let isEager = state.withLock { state in
            state.calls.append(call)
            if let completion, !state.isEager { state.completions.append(completion) }
            return state.isEager
        }
        if let completion, isEager { Self.answer(completion, nil) }
    }

    func discoverServices(
        _ completion: @escaping BLECompletion<[GATTService]>
    ) { log(.discover, .services(completion)) }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping BLECompletion<[UInt8]>
    ) { log(.read(attribute), .value(completion)) }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) { log(.write(value, attribute, mode), .done(completion)) }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping BLECompletion<Void>
    ) { log(.setNotify(isOn, attribute), .done(completion)) }

    func maximumWriteLength(for mode: WriteMode) -> Int { state.withLock { $0.maximumLength } }

    func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        log(.readRSSI, .rssi(completion))
    }

    func pair(_ completion: @escaping BLECompletion<Void>) {
        log(.pair, .done(completion))
    }

    func disconnect() { log(.disconnect, nil) }
}

/// The services of a device for tests: one characteristic of each kind.
enum Sample {
    static let service = BluetoothUUID(0x1234)
    static let readable = characteristic(1, .read)
    static let writable = characteristic(2, [.write, .writeWithoutResponse])
    static let sending = characteristic(3, .notify)
    static let other = characteristic(4, .indicate)
    static let descriptor = GATTDescriptor(AttributeID(9), BluetoothUUID(0x2901))

    static let services = [
        GATTService(
            service, characteristics: [readable, writable, sending, other])
    ]

    private static func characteristic(
        _ number: UInt32, _ properties: GATTProperties
    ) -> GATTCharacteristic {
        GATTCharacteristic(AttributeID(number), BluetoothUUID(0xA000 + number), properties)
    }
}

/// A log of calls, in order.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Locked<[Note]>([])

    var all: [Note] { notes.withLock { $0 } }

    func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

extension Notes where Note == String {
    /// A completion that logs the end of an operation.
    func ending<Value>(_ name: String) -> BLECompletion<Value> {
        { [self] result in
            switch result {
            case .success: add(name)
            case .failure(let error): add("\(name): \(error.kind)")
            }
        }
    }
}
