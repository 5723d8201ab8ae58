import HaloProtocol
import HaloTransport

struct ContractBench<Harness: TransportHarness>: Sendable {
    let claim: String
    let harness: Harness
    /// The transport of the harness, whose operations are steps.
    let transport: TracedTransport<Harness.Transport>
    private let steps = ContractSteps()

    init(claim: String, harness: Harness) {
        self.claim = claim
        self.harness = harness
        transport = TracedTransport(harness.transport, steps.note)
    }

    /// A filter that only the device matches.
    static var filter: ScanFilter { ScanFilter(services: [ContractAttribute.service]) }

    func violation(_ what: String) -> ContractViolation {
        ContractViolation(what, packet: claim, bytes: [])
    }

    func check(_ holds: Bool, _ complaint: @autoclosure () -> String) throws(ContractViolation) {
        if !holds { throw violation(complaint()) }
    }

    func equal<Value: Equatable>(
        _ found: Value, _ expected: Value, _ what: String
    ) throws(ContractViolation) {
        try check(found == expected, "\(what): expected \(expected), found \(found)")
    }

    /// Throws a violation unless a function throws an error of a kind; returns that error.
    @discardableResult
    func fails<Value>(
        _ kind: BLEError.Kind, _ what: String, _ body: () async throws -> Value
    ) async throws -> BLEError {
        do {
            _ = try await body()
        } catch let error as BLEError {
            try check(error.kind == kind, "\(what): \(error)")
            return error
        }
        throw violation("\(what): nothing was thrown")
    }

    func guarded(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            group.addTask {
                // The wait has many steps. On an overloaded computer, each takes as long as a step
                // of the check.
                for _ in 0..<200 {
                    try await Task.sleep(for: harness.timeout / 200, clock: .continuous)
                }
                return false
            }
            defer { group.cancelAll() }
            if try await group.next() == false { throw violation(steps.endlessWait) }
        }
    }

    func pause(_ duration: Duration) async throws {
        try await transport.time.clock.sleep(for: duration)
    }

    func order(_ instructions: [ContractPeripheral.Instruction]) async throws {
        steps.begin("giving the device instructions")
        _ = try await harness.order(instructions)
    }

    func device() async throws -> ContractPeripheral {
        steps.begin("asking for the state of the device")
        return try await harness.order([])
    }

    func device(
        _ what: String, until holds: @escaping @Sendable (ContractPeripheral) -> Bool
    ) async throws {
        try await wait(what, until: { holds(try await device()) })
    }

    /// Waits until a condition holds, for ten seconds at most.
    func wait(_ what: String, until holds: () async throws -> Bool) async throws {
        steps.begin("waiting for the device: \(what)")
        for _ in 0..<100 {
            if try await holds() { return }
            try await pause(.milliseconds(100))
        }
        throw violation("\(what): not within ten seconds")
    }

    func find() async throws -> Discovery {
        steps.begin("looking for the device")
        return try await transport.find(Self.filter)
    }

    /// Connects to the device. If the device is still connected, the attempt is repeated for a
    /// moment.
    func connect() async throws -> BLELink {
        let discovery = try await find()
        for _ in 0..<20 {
            do throws(BLEError) {
                return try await transport.connect(to: discovery)
            } catch {
                guard error.kind == .alreadyConnected else { throw error }
            }
            try await pause(.milliseconds(250))
        }
        throw violation("the device stays connected")
    }

    func characteristic(
        _ attribute: ContractAttribute, of link: BLELink
    ) async throws -> GATTCharacteristic {
        try await link.characteristic(attribute.uuid, of: ContractAttribute.service)
    }

    /// Waits for the next value; throws a violation if the sequence has ended.
    func next(
        _ iterator: inout Notifications.AsyncIterator, _ what: String
    ) async throws -> LinkNotification {
        steps.begin("waiting for a value: \(what)")
        guard let notification = try await iterator.next() else {
            throw violation("\(what): the sequence has ended")
        }
        return notification
    }

    /// Runs a function, cancels it after a number of turns of other tasks, and returns its result.
    func cancelling<Value: Sendable>(
        after turns: Int, pause duration: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        try await withThrowingTaskGroup(of: Result<Value, any Error>.self) { group in
            group.addTask {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
            for _ in 0..<turns { await Task.yield() }
            if let duration { try await pause(duration) }
            group.cancelAll()
            guard let result = try await group.next() else {
                throw violation("a cancelled task does not end")
            }
            return result
        }
    }
}
