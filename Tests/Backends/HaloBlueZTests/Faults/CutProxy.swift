import HaloTransport

@testable import HaloDBus

/// A proxy between programs and a bus, which forwards bytes and descriptors. It cuts the next
/// connection after a number of bytes, also within a message.
final class CutProxy: Sendable {
    /// The direction of bytes.
    enum Way: CaseIterable, Sendable {
        case toBus, toProgram
    }

    /// The bytes that were passed on.
    struct Count: Sendable {
        var toBus = 0
        var toProgram = 0
        var connections = 0

        func bytes(_ way: Way) -> Int { way == .toBus ? toBus : toProgram }
    }

    private struct State {
        /// The bytes that the next connection may still send.
        var cut: (way: Way, left: Int)?
        var count = Count()
        var hasEnded = false
    }

    let address: DBusAddress
    private let place: DBusAddress.Socket
    private let shared: Shared

    private final class Shared: Sendable {
        let state = Locked(State())
    }

    /// Listens for programs that connect to the bus.
    init(to bus: DBusAddress.Socket, at name: String) throws {
        place = .abstract(name)
        address = DBusAddress(place)
        let listener = try SystemSocket.listen(at: place)
        let shared = Shared()
        self.shared = shared
        _ = SystemThread.start {
            Loop(listener: listener, bus: bus, shared: shared).run()
        }
    }

    /// Ends the proxy with the next connection.
    deinit {
        shared.state.withLock { $0.hasEnded = true }
        if let socket = try? SystemSocket.connect(to: place) { SystemSocket.close(socket) }
    }

    /// Ends the next connection after a number of bytes.
    func cut(_ way: Way, after count: Int) { shared.state.withLock { $0.cut = (way, count) } }

    /// Returns the number of bytes since the last call.
    func takeCount() -> Count {
        shared.state.withLock { state in
            defer { state.count = Count() }
            return state.count
        }
    }

    // MARK: - The thread

    private struct Pair {
        let program: Int32
        let bus: Int32
        var cut: (way: Way, left: Int)?
    }

    private struct Loop {
        let listener: Int32
        let bus: DBusAddress.Socket
        let shared: Shared
        private var pairs: [Pair] = []
        private var control = [UInt8](repeating: 0, count: AncillaryDescriptors.length(253))

        init(listener: Int32, bus: DBusAddress.Socket, shared: Shared) {
            (self.listener, self.bus, self.shared) = (listener, bus, shared)
        }

        consuming func run() {
            var poll = SystemPoll()
            while !shared.state.withLock({ $0.hasEnded }) {
                poll.removeAll()
                poll.append(listener)
                for pair in pairs {
                    poll.append(pair.program)
                    poll.append(pair.bus)
                }
                poll.wait(for: nil)
                var ended: [Int] = []
                for index in pairs.indices {
                    let isOpen =
                        (!poll.isReadable(1 + 2 * index) || pass(.toBus, index))
                        && (!poll.isReadable(2 + 2 * index) || pass(.toProgram, index))
                    if !isOpen { ended.append(index) }
                }
                for index in ended.reversed() { close(pairs.remove(at: index)) }
                if poll.isReadable(0) { accept() }
            }
            for pair in pairs { close(pair) }
            SystemSocket.close(listener)
        }

        private mutating func accept() {
            guard case .socket(let program) = SystemSocket.accept(listener) else { return }
            guard let other = (try? SystemSocket.connect(to: bus)) ?? nil else {
                return SystemSocket.close(program)
            }
            let cut = shared.state.withLock { state in
                state.count.connections += 1
                defer { state.cut = nil }
                return state.cut
            }
            let pair = Pair(program: program, bus: other, cut: cut)
            if cut?.left == 0 { return close(pair) }
            pairs.append(pair)
        }

        private func close(_ pair: Pair) {
            SystemSocket.close(pair.program)
            SystemSocket.close(pair.bus)
        }

        /// Forwards the available bytes; returns `false` at the end.
        private mutating func pass(_ way: Way, _ index: Int) -> Bool {
            let pair = pairs[index]
            let (from, to) =
                way == .toBus ? (pair.program, pair.bus) : (pair.bus, pair.program)
            let limit = pair.cut.flatMap { $0.way == way ? $0.left : nil }
            var buffer = [UInt8](repeating: 0, count: min(limit ?? .max, 1 << 16))
            let (outcome, passed) = SystemSocket.receive(from, into: &buffer, control: &control)
            switch outcome {
            case .later: return true
            case .ended: return false
            case .bytes(let count):
                guard send(buffer.prefix(count), passed, to) else { return false }
                shared.state.withLock { state in
                    if way == .toBus {
                        state.count.toBus += count
                    } else {
                        state.count.toProgram += count
                    }
                }
                guard let limit else { return true }
                pairs[index].cut?.left = limit - count
                return limit > count
            }
        }

        private func send(
            _ bytes: ArraySlice<UInt8>, _ descriptors: DBusDescriptors?, _ to: Int32
        ) -> Bool {
            var (rest, descriptors) = (bytes, descriptors)
            while !rest.isEmpty {
                let outcome = rest.withUnsafeBytes {
                    SystemSocket.send(to, $0, passing: descriptors)
                }
                switch outcome {
                case .ended: return false
                case .bytes(let count):
                    rest = rest.dropFirst(count)
                    descriptors = nil
                case .later:
                    var poll = SystemPoll()
                    poll.append(to, reads: false, writes: true)
                    poll.wait(for: 1_000_000)
                }
            }
            return true
        }
    }
}
