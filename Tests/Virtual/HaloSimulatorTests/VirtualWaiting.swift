import HaloProtocol
import HaloSimulator
import HaloTransport

/// Waits as a client does: makes the request, then begins the wait; the reply ends it.
func virtualWait<Value: Sendable>(
    _ time: any TransportTime,
    _ ask: (@escaping @Sendable (Result<Value, BLEError>) -> Void) -> Void
) async throws -> Value {
    let result = await withCheckedContinuation { continuation in
        ask { result in
            time.waiting(.ends)
            continuation.resume(returning: result)
        }
        time.waiting(.begins)
    }
    time.waiting(.resumes)
    return try result.get()
}

extension BLETransport {
    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void = { _ in }
    ) async throws -> any LinkDriver {
        try await virtualWait(time) { completion in
            _ = openLink(to: identity, events: events, completion: completion)
        }
    }
}

extension LinkDriver {
    func services(_ time: any TransportTime) async throws -> [GATTService] {
        try await virtualWait(time) { discoverServices($0) }
    }

    func readValue(_ id: AttributeID, _ time: any TransportTime) async throws -> [UInt8] {
        try await virtualWait(time) { read(id, $0) }
    }

    func writeValue(
        _ value: [UInt8], to id: AttributeID, _ mode: WriteMode, _ time: any TransportTime
    ) async throws {
        try await virtualWait(time) { write(value, to: id, mode, $0) }
    }

    func subscribe(_ id: AttributeID, _ time: any TransportTime) async throws {
        try await virtualWait(time) { setNotify(true, for: id, $0) }
    }
}
