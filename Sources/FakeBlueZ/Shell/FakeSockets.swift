#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// The sockets given to clients, with one packet for each value.
///
/// Values that a client does not read are queued in its socket, and then here, up to
/// ``DBusPacketSocket/queueLength``. Further values are dropped, as by a daemon with a full socket.
final class FakeSockets: Sendable {
    private let sockets = Locked<[FakeSocketPlace: DBusPacketSocket]>([:])

    /// Creates a socket, and replies with its other end.
    func open(
        _ request: DBusRequest, _ place: FakeSocketPlace, mtu: UInt16,
        _ connection: DBusConnection?, in shell: FakeShell
    ) {
        guard let connection,
            let ends = try? DBusDescriptor.socketPair(keepingPackets: true),
            let own = ends.take(0), let other = ends.take(1)
        else {
            shell.update { $0.socketEnded(place) }
            return request.refuse(.failed("No socket"))
        }
        let socket = DBusPacketSocket(
            owning: own, on: connection,
            receive: { [weak shell] packet in
                guard !place.isNotify else { return }
                shell?.update { $0.socketWrote(packet, place) }
            },
            ended: { [weak shell, weak self] in
                self?.forget(place)
                shell?.update { $0.socketEnded(place) }
            })
        sockets.withLock { $0[place] = socket }
        request.reply([.unixFD(0), .uint16(mtu)], descriptors: DBusDescriptors(other))
    }

    func send(_ value: [UInt8], _ place: FakeSocketPlace, lost: @escaping @Sendable () -> Void) {
        let socket = sockets.withLock { $0[place] }
        socket?.send(value) { isTaken in if !isTaken { lost() } }
    }

    func close(_ place: FakeSocketPlace) { forget(place)?.close() }

    func closeAll() {
        let all = sockets.withLock { sockets in
            defer { sockets = [:] }
            return Array(sockets.values)
        }
        for socket in all { socket.close() }
    }

    @discardableResult
    private func forget(_ place: FakeSocketPlace) -> DBusPacketSocket? {
        sockets.withLock { $0.removeValue(forKey: place) }
    }
}
#endif
