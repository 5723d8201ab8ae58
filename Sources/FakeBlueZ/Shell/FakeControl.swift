#if os(Linux)
internal import HaloTransport

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
