import HaloProtocol
import HaloTransport

/// What the checks of the transport contract have in common.
struct ContractBench<Harness: TransportHarness>: Sendable {
    let claim: String
    let harness: Harness

    var transport: Harness.Transport { harness.transport }

    /// The filter that finds the device, and only it.
    static var filter: ScanFilter { ScanFilter(services: [ContractAttribute.service]) }

    func violation(_ what: String) -> ContractViolation {
        ContractViolation(what, packet: claim, bytes: [])
    }

    /// Complains unless something holds.
    func check(_ holds: Bool, _ complaint: @autoclosure () -> String) throws(ContractViolation) {
        if !holds { throw violation(complaint()) }
    }

    /// Complains unless two things are equal.
    func equal<Value: Equatable>(
        _ found: Value, _ expected: Value, _ what: String
    ) throws(ContractViolation) {
        try check(found == expected, "\(what): expected \(expected), found \(found)")
    }

    /// Complains unless something throws an error of a kind; gives the error.
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

    /// Complains if something takes for ever.
    func guarded(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            group.addTask {
                // In steps, so that a computer with too much to do is given more time.
                for _ in 0..<20 {
                    try await Task.sleep(for: harness.patience / 20, clock: .continuous)
                }
                return false
            }
            defer { group.cancelAll() }
            if try await group.next() == false { throw violation("a wait does not end") }
        }
    }

    /// Lets the transport's time pass.
    func pause(_ duration: Duration) async throws {
        try await transport.time.clock.sleep(for: duration)
    }

    /// Has the device do something.
    func tell(_ instructions: ContractPeripheral.Instruction...) async throws {
        try await harness.modify { $0.instructions += instructions }
    }

    /// What the device has seen.
    func device() async throws -> ContractPeripheral {
        try await harness.modify { $0 }
    }

    /// Waits until something holds for the device.
    func device(
        _ what: String, until holds: @escaping @Sendable (ContractPeripheral) -> Bool
    ) async throws {
        try await wait(what, until: { holds(try await device()) })
    }

    /// Waits until something holds.
    func wait(_ what: String, until holds: () async throws -> Bool) async throws {
        for _ in 0..<100 {
            if try await holds() { return }
            try await pause(.milliseconds(100))
        }
        throw violation("\(what): not within ten seconds")
    }

    func find() async throws -> Discovery { try await transport.find(Self.filter) }

    /// Connects to the device. One that was connected just now may need a moment.
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

    /// Connects, and gives what a test needs of a link.
    func characteristic(
        _ attribute: ContractAttribute, of link: BLELink
    ) async throws -> GATTCharacteristic {
        try await link.characteristic(attribute.uuid, of: ContractAttribute.service)
    }

    /// Waits for the next value, which must be there.
    func next(
        _ iterator: inout Notifications.AsyncIterator, _ what: String
    ) async throws -> LinkNotification {
        guard let notification = try await iterator.next() else {
            throw violation("\(what): the sequence has ended")
        }
        return notification
    }

    /// Begins something, cancels it after so many turns of other tasks, and gives what came of it.
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
