#if os(Linux)
import HaloTesting
import Synchronization

@testable import HaloDBus

extension FuzzTarget {
    /// Packets are delivered in order, and none after the end. The end is delivered once. Each send
    /// completes once.
    static func checkPackets(_ bytes: FuzzBytes) throws(ContractViolation) {
        guard let drill = PacketDrill(bytes) else { return }
        if let fault = drill.play() {
            throw ContractViolation(fault, packet: "DBus", bytes: bytes.all)
        }
    }
}

/// A hub without a thread, whose turns are decided by the bytes, and the other end of a socket.
private final class PacketDrill {
    /// The events that were delivered.
    private struct Told: Sendable {
        var packets: [[UInt8]] = []
        var ends = 0
        var isLate = false
        /// The completions of each send, and their results.
        var completions: [[Bool]] = []
    }

    private final class Tally: Sendable {
        private let told = Mutex(Told())

        func withLock<Value: Sendable>(_ body: (inout Told) -> Value) -> Value {
            told.withLock { body(&$0) }
        }
    }

    private static let maximumSteps = 200
    private static let longest = 65_536

    private let hub: DBusHub
    private let watch: DBusPacketWatch
    private let told = Tally()
    private var sleep: DBusHubSleep
    private var buffer = [UInt8](repeating: 0, count: longest)
    private var room = [UInt8](repeating: 0, count: 100_000)
    private var bytes: FuzzBytes
    /// The other end, while it is open.
    private var far: Int32?
    private var isClosed = false
    /// The packets that the other side sent, and those that this side sent and the system accepted.
    private var said: [[UInt8]] = []
    private var sent: [[UInt8]] = []
    private var heard: [[UInt8]] = []

    /// `nil` if the system has no sockets left.
    init?(_ bytes: FuzzBytes) {
        guard let hub = try? DBusHub(nil, timeout: .seconds(1)),
            let ends = try? SystemSocket.pair(keepingPackets: true)
        else { return nil }
        var bytes = bytes
        self.hub = hub
        far = ends.1
        sleep = DBusHubSleep(hub.wakeUpReader)
        let told = told
        let tell = { @Sendable (packets: [[UInt8]]) in
            told.withLock { told in
                if told.ends > 0 { told.isLate = true }
                told.packets += packets
            }
        }
        watch = DBusPacketWatch(
            ends.0, receive: bytes.flag() ? .batch(tell) : .each { tell([$0]) },
            ended: { told.withLock { $0.ends += 1 } })
        self.bytes = bytes
        hub.add(watch)
    }

    deinit { if let far { SystemSocket.close(far) } }

    /// Returns the fault, if there is one.
    func play() -> String? {
        var steps = 0
        while bytes.remaining > 0, steps < Self.maximumSteps {
            steps += 1
            step()
        }
        // The bus disconnects, before or after the other side.
        if bytes.flag() { hangUp() }
        hub.endPackets(&buffer)
        turn()
        read(.max)
        return fault
    }

    private func step() {
        switch bytes.byte() % 16 {
        case 0...4: say()
        case 5...8: send()
        case 9...11: turn()
        case 12, 13: read(Int(bytes.byte()))
        case 14: hangUp()
        default: close()
        }
    }

    private func packet(_ number: Int) -> [UInt8] {
        // Long ones are rare: they take most of the time.
        let (usual, long) = ([0, 1, 20, 244, 512], [Self.longest, Self.longest + 1, 100_000])
        let choice = Int(bytes.byte())
        let length = choice < 240 ? usual[choice % 5] : long[choice % 3]
        return Array(repeating: UInt8(truncatingIfNeeded: number), count: length)
    }

    private func say() {
        let packet = packet(said.count)
        guard let far, case .bytes = SystemSocket.send(far, packet: packet) else { return }
        if packet.count <= Self.longest { said.append(packet) }
    }

    private func send() {
        let number = told.withLock { told in
            told.completions.append([])
            return told.completions.count - 1
        }
        sent.append(packet(number))
        let told = told
        let completion = { @Sendable (isTaken: Bool) in
            told.withLock { $0.completions[number].append(isTaken) }
        }
        switch watch.send(sent[number], completion) {
        case .done(let isTaken): completion(isTaken)
        case .queued: hub.update { $0.packetsChanged = true }
        }
    }

    /// The thread's turn after an event.
    private func turn() {
        let now = SystemSocket.now()
        let turn = hub.state.withLock { $0.nextTurn(&sleep, at: now) }
        for work in turn.work { work() }
        sleep.wait(0)
        hub.servePackets(&sleep, &buffer)
    }

    /// The packets that the other side receives.
    private func read(_ count: Int) {
        var left = count
        while left > 0, let far,
            case .bytes(let length) = SystemSocket.receivePacket(far, into: &room)
        {
            heard.append(Array(room[..<min(length, room.count)]))
            left -= 1
        }
    }

    private func hangUp() {
        guard let far else { return }
        SystemSocket.close(far)
        self.far = nil
    }

    private func close() {
        isClosed = true
        watch.close()
        hub.remove(watch)
    }

    private var fault: String? {
        let told = told.withLock { $0 }
        if told.ends != 1 { return "the end was told \(told.ends) times" }
        if told.isLate { return "a packet was told after the end" }
        if told.completions.contains(where: { $0.count != 1 }) {
            return "who sends is told something else than once"
        }
        if !said.starts(with: told.packets) { return "other packets were told than were sent" }
        // The system does not distinguish empty packets at the very end from the end.
        let unsaid = said.dropFirst(told.packets.count)
        if !isClosed, unsaid.contains(where: { !$0.isEmpty }) { return "packets were lost" }
        let taken = zip(sent, told.completions).filter { $0.1 == [true] }.map(\.0)
        if !taken.starts(with: heard) { return "the other side heard what was not sent" }
        let unheard = taken.dropFirst(heard.count)
        return far != nil && unheard.contains(where: { !$0.isEmpty })
            ? "the other side missed something" : nil
    }
}
#endif
