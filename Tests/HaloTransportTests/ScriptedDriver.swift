import HaloProtocol
import HaloTransport

/// A driver that writes down what it is asked, and answers when a test says so.
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
        case services(@Sendable (Result<[GATTService], BLEError>) -> Void)
        case value(@Sendable (Result<[UInt8], BLEError>) -> Void)
        case done(@Sendable (Result<Void, BLEError>) -> Void)
        case rssi(@Sendable (Result<Int, BLEError>) -> Void)
    }

    struct State: Sendable {
        var calls: [Call] = []
        var completions: [Completion] = []
        var isEager = false
        var maximumLength = 20
    }

    let state = Locked(State())
    let identity = PeripheralIdentity("ring")

    /// What it was asked, in order.
    var calls: [Call] { state.withLock { $0.calls } }

    /// How many questions it has not answered.
    var openCount: Int { state.withLock { $0.completions.count } }

    /// Has it answer everything at once with yes, also within the call.
    func answerAtOnce() { state.withLock { $0.isEager = true } }

    /// Answers the oldest open question: with yes, or with an error.
    func answer(_ error: BLEError? = nil) {
        let completion = state.withLock { state in
            state.completions.isEmpty ? nil : state.completions.removeFirst()
        }
        if let completion { Self.answer(completion, error) }
    }

    /// Answers the oldest open question, and leaves it open.
    func answerButForget() {
        if let completion = state.withLock({ $0.completions.first }) {
            Self.answer(completion, nil)
        }
    }

    /// Answers all open questions, and those that come of the answers.
    func answerAll() {
        for _ in 0..<1000 where openCount > 0 { answer() }
    }

    /// Lets others run until it has been asked something.
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

    private func take(_ call: Call, _ completion: Completion?) {
        let isEager = state.withLock { state in
            state.calls.append(call)
            if let completion, !state.isEager { state.completions.append(completion) }
            return state.isEager
        }
        if let completion, isEager { Self.answer(completion, nil) }
    }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) { take(.discover, .services(completion)) }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) { take(.read(attribute), .value(completion)) }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) { take(.write(value, attribute, mode), .done(completion)) }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) { take(.setNotify(isOn, attribute), .done(completion)) }

    func maximumWriteLength(_ mode: WriteMode) -> Int { state.withLock { $0.maximumLength } }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        take(.readRSSI, .rssi(completion))
    }

    func pair(_ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void) {
        take(.pair, .done(completion))
    }

    func disconnect() { take(.disconnect, nil) }
}

/// A device for tests: one characteristic of each kind.
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

/// What was told, in order.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Locked<[Note]>([])

    var all: [Note] { notes.withLock { $0 } }

    func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

extension Notes where Note == String {
    /// A completion that writes down how something ended.
    func ending<Value>(_ name: String) -> @Sendable (Result<Value, BLEError>) -> Void {
        { [self] result in
            switch result {
            case .success: add(name)
            case .failure(let error): add("\(name): \(error.kind)")
            }
        }
    }
}
