#if os(Linux)
internal import Synchronization

extension DBusHub {
    /// How long is waited before a bus is asked again that had no time.
    private static let pause: Int64 = 2000
    private static let readLength = 1 << 16

    /// Looks for a bus that can be reached, in order.
    func openSocket(_ addresses: [DBusAddress]) {
        var failure = DBusError(.unreachable, details: "no address that can be used")
        for address in addresses {
            guard let place = address.socket?.resolved(SystemSocket.environment) else { continue }
            do throws(DBusError) {
                guard let socket = try connect(to: place) else { return }
                return state.withLock { state in
                    state.socket = socket
                    state.session.expectedBusID = address.busID
                }
            } catch {
                failure = DBusError(.unreachable, details: "\(address): \(error.details ?? "")")
            }
        }
        guard !addresses.isEmpty else { return }
        state.withLock { $0.session.end(failure) }
    }

    private func connect(to place: DBusAddress.Socket) throws(DBusError) -> Int32? {
        while true {
            if let socket = try SystemSocket.connect(to: place) { return socket }
            let now = SystemSocket.now()
            let hasEnded = state.withLock { state in
                state.session.tick(at: now)
                return state.session.endError != nil
            }
            if hasEnded { return nil }
            _ = sleep(until: now &+ Self.pause, nil, writes: false)
        }
    }

    /// Does what is to be done, until the end.
    func run() {
        var buffer = [UInt8](repeating: 0, count: Self.readLength)
        let controlLength = AncillaryDescriptors.length(SystemSocket.descriptorsAtOnce)
        var control = [UInt8](repeating: 0, count: controlLength)
        while true {
            let (effects, work) = state.withLock { state in
                defer { state.work = [] }
                return (state.session.takeEffects(), state.work)
            }
            for effect in effects { perform(effect) }
            for work in work { work() }
            guard effects.isEmpty, work.isEmpty else { continue }
            guard let plan = prepareToSleep() else { break }
            guard let (deadline, socket, writes) = plan.sleep else { continue }
            let isReadable = sleep(until: deadline, socket, writes: writes)
            let now = SystemSocket.now()
            state.withLock { state in
                state.isAsleep = false
                state.session.tick(at: now)
                // What can be read is read first: it may hold answers.
                if !isReadable, let fault = state.writeFault { state.session.receiveEnd(fault) }
            }
            if isReadable, let socket { read(socket, &buffer, &control) }
        }
        finish()
    }

    private struct Plan {
        /// Until when to sleep, and what to watch; nil if there is something to be done.
        var sleep: (deadline: Int64, socket: Int32?, writes: Bool)?
    }

    /// What is to be waited for; nil if it is all over.
    private func prepareToSleep() -> Plan? {
        let now = SystemSocket.now()
        return state.withLock { state in
            if state.session.hasEffects || !state.work.isEmpty { return Plan() }
            if state.session.endError != nil { return nil }
            state.write()
            // An alarm that is set already and comes early is cheaper than one more system call
            // for each question.
            let alarm = state.sleepsUntil > now ? state.sleepsUntil : .max
            state.sleepsUntil =
                state.writeFault == nil ? min(state.session.deadline ?? .max, alarm) : now
            state.watchesOutput = state.session.hasOutput && state.writeFault == nil
            state.isAsleep = true
            return Plan(sleep: (state.sleepsUntil, state.socket, state.watchesOutput))
        }
    }

    private func read(_ socket: Int32, _ buffer: inout [UInt8], _ control: inout [UInt8]) {
        let (outcome, numbers) = SystemSocket.receive(socket, into: &buffer, control: &control)
        let descriptors = numbers.isEmpty ? nil : DBusDescriptors(owning: numbers)
        state.withLock { state in
            switch outcome {
            case .bytes(let count):
                let bytes = buffer.span.extracting(0..<min(count, buffer.count))
                state.session.receive(bytes, descriptors)
            case .later:
                guard let fault = state.writeFault else { return }
                state.session.receiveEnd(fault)
            case .ended(let reason):
                state.session.receiveEnd(reason)
            }
        }
    }

    private func finish() {
        let left = state.withLock { state in
            state.isFinished = true
            if let socket = state.socket { SystemSocket.close(socket) }
            state.socket = nil
            let left = (state.completions, state.subscribers, state.objects, state.onEnd)
            let work = state.work
            state.completions = [:]
            state.subscribers = [:]
            state.objects = [:]
            state.onEnd = []
            state.work = []
            return (left, work)
        }
        // What others hold is let go here, where nothing is locked.
        for work in left.1 { work() }
    }

    private func perform(_ effect: DBusSession.Effect) {
        switch effect {
        case .ready:
            tellReady(nil)
        case .answered(let serial, let result):
            state.withLock { $0.completions.removeValue(forKey: serial) }?(result)
        case .subscribed(let id, let error):
            let subscriber = state.withLock { state in
                defer {
                    state.subscribers[id]?.ready = nil
                    if error != nil { state.subscribers[id] = nil }
                }
                return state.subscribers[id]
            }
            subscriber?.ready?(error)
        case .signal(let signal, let ids):
            for id in ids { state.withLock { $0.subscribers[id] }?.receive(signal) }
        case .request(let request):
            let object = state.withLock { $0.objects[request.path] }
            let asked = DBusRequest(request, self)
            if let object { object(asked) } else { asked.refuse(.unknownObject(request.path)) }
        case .ended(let error):
            tellReady(error)
            let handlers = state.withLock { state in
                defer { state.onEnd = [] }
                return state.onEnd
            }
            for handler in handlers { handler(error) }
        }
    }

    private func tellReady(_ error: DBusError?) {
        let handlers = state.withLock { state in
            defer { state.onReady = [] }
            return state.onReady
        }
        for handler in handlers { handler(error) }
    }
}
#endif
