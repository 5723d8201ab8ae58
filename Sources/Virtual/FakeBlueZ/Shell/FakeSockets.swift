#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// The sockets given to clients, with one packet for each value.
///
/// Values that a client does not read are queued in its socket. Further values are dropped, as by a
/// daemon with a full socket.
final class FakeSockets: Sendable {
    private let sockets = Locked<[FakeCharacteristic.Socket: PacketSocket]>([:])

    func open(
        _ request: DBusRequest, _ place: FakeCharacteristic.Socket, mtu: UInt16, in shell: FakeShell
    ) {
        guard let ends = try? DBusDescriptor.socketPair(keepingPackets: true),
            let other = ends.take(1), let socket = socket(ends.take(0), place, in: shell)
        else {
            shell.update { $0.socketEnded(place) }
            return request.refuse(.failed("No socket"))
        }
        sockets.withLock { $0[place] = socket }
        request.reply([.unixFD(0), .uint16(mtu)], passing: other)
    }

    private func socket(
        _ descriptor: consuming DBusDescriptor?, _ place: FakeCharacteristic.Socket,
        in shell: FakeShell
    ) -> PacketSocket? {
        guard let descriptor else { return nil }
        return PacketSocket(
            owning: descriptor,
            receive: { [weak shell] packet in
                guard !place.isNotify else { return }
                shell?.update { $0.socketWrote(packet, place) }
            },
            ended: { [weak shell] in shell?.update { $0.socketEnded(place) } })
    }

    /// Sends a value; `false` if it is lost, as the client reads too slowly.
    func send(_ value: [UInt8], _ place: FakeCharacteristic.Socket) -> Bool {
        sockets.withLock { $0[place] }?.send(value) ?? true
    }

    func close(_ place: FakeCharacteristic.Socket) {
        sockets.withLock { $0.removeValue(forKey: place) }?.close()
    }

    func closeAll() {
        let all = sockets.withLock { sockets in
            defer { sockets = [:] }
            return Array(sockets.values)
        }
        for socket in all { socket.close() }
    }
}
#endif
