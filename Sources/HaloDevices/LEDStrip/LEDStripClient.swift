internal import HaloProtocol
internal import HaloTransport

/// The client of a strip's connection: the commands that wait, and the last status.
///
/// - A new power, light or clock replaces the one that waits, and is the last in the queue. While
///   the link is lost, ``LEDStrip/show(_:)`` waits for the next one, and tasks end.
/// - Requests for the status that come together end with the same reply.
///
/// So the queue has one command of each kind at most, and the last wish wins. One write is under
/// way at a time: a slow link gets fewer colours, not later ones. Between two lights at least
/// ``LEDStripOptions/frameInterval`` passes.
struct LEDStripClient: DeviceClient {
    /// The characteristic that notifies the status.
    enum Channel: Hashable, Sendable {
        case status
    }

    /// No step of its own: the strip is ready once it is subscribed to.
    typealias Step = Never

    /// The kinds of commands.
    enum Kind: Hashable, Sendable {
        case power, light, clock, status
    }

    typealias Finish = ConnectionTurn.Finish<Void>

    /// A command that waits, or is being written.
    struct Command: Sendable {
        let kind: Kind
        var bytes: [UInt8]
        /// The tasks that wait until it, or a later one in its place, is written.
        var waiters: [(number: UInt64, finish: Finish)] = []
        /// `true` if it is to be written even if no task waits.
        var isKept: Bool
        /// The number of times that it was refused.
        var refusals = 0

        /// Removes and returns the tasks.
        mutating func removeWaiters() -> [(number: UInt64, finish: Finish)] {
            defer { waiters = [] }
            return waiters
        }
    }

    /// A task that waits for the status.
    private typealias StatusWaiter = (
        number: UInt64, finish: ConnectionTurn.Finish<LEDStripState>
    )

    private let options: LEDStripOptions
    private var commands: GATTCharacteristic?
    private var notified: GATTCharacteristic?
    private var isReady = false
    private var endReason: DisconnectReason?
    /// The commands that wait, the next one first.
    private var queue: [Command] = []
    private var underWay: Command?
    /// The earliest moment of the next light.
    private var nextLight = Moment.origin
    private var statusWaiters: [StatusWaiter] = []
    /// The end of the wait for a status that was requested.
    private var statusTimeout: Moment?
    /// The moment of the next status without a request of a task.
    private var nextPoll: Moment?
    /// The state that loops have received last.
    private var announced: LEDStripState?
    var states: Consumers<LEDStripState>

    init(_ options: LEDStripOptions) {
        self.options = options
        states = Consumers(limit: options.bufferLimit)
    }

    // MARK: The device

    var preparation: [PreparationStep<LEDStripClient>] { [.discover, .subscribe(.status)] }

    mutating func found(_ services: [GATTService]) throws(DeviceError) {
        commands = try DeviceFamily.ledStrip.written(in: services)
        notified = DeviceFamily.ledStrip.notified(in: services)
    }

    func source(of channel: Channel) -> GATTCharacteristic? { notified }

    // MARK: The link

    mutating func ready(_ context: inout Context) {
        isReady = true
        if states.count > 0 { nextPoll = context.now }
        flush(&context)
    }

    mutating func suspended(_ context: inout Context) { isReady = false }

    mutating func resumed(_ context: inout Context) { ready(&context) }

    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context
    ) {
        isReady = false
        let error = DeviceError(.disconnected, reason: reason)
        // What was being written may not have arrived: it is written again, unless there is a later
        // wish.
        if let command = underWay, !queue.contains(where: { $0.kind == command.kind }) {
            queue.insert(command, at: 0)
        } else {
            finish(underWay, .failure(error), &context)
        }
        underWay = nil
        for index in queue.indices {
            for waiter in queue[index].removeWaiters() {
                _ = waiter.finish(.failure(error), &context.turn)
            }
        }
        queue.removeAll { !$0.isKept || $0.kind == .status || end != nil }
        endStatus(.failure(error), &context)
        (commands, notified, nextPoll) = (nil, nil, nil)
    }

    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {
        states.finish(end, &context.turn)
    }

    // MARK: Commands

    /// Adds a command, in place of one of its kind that waits.
    mutating func submit(
        _ kind: Kind, _ bytes: [UInt8], isKept: Bool,
        _ waiter: (number: UInt64, finish: Finish)? = nil, _ context: inout Context
    ) {
        var command = Command(kind: kind, bytes: bytes, isKept: isKept)
        if let index = queue.firstIndex(where: { $0.kind == kind }) {
            let replaced = queue.remove(at: index)
            command.waiters = replaced.waiters
            command.isKept = isKept || replaced.isKept
        }
        if let waiter { command.waiters.append(waiter) }
        queue.append(command)
        flush(&context)
    }

    /// Removes a task that no longer waits; its command too, if nothing else wants it.
    mutating func forget(_ number: UInt64) {
        statusWaiters.removeAll { $0.number == number }
        for index in queue.indices {
            queue[index].waiters.removeAll { $0.number == number }
        }
        underWay?.waiters.removeAll { $0.number == number }
        queue.removeAll { $0.waiters.isEmpty && !$0.isKept }
    }

    /// Writes the next command, if it is due and no other one is under way.
    private mutating func flush(_ context: inout Context) {
        guard isReady, underWay == nil, let next = queue.first, let commands,
            let mode = commands.properties.writeMode(preferring: .withoutResponse)
        else { return }
        if next.kind == .light {
            guard nextLight <= context.now else { return }
            nextLight = context.now + options.limitedFrameInterval
        }
        underWay = queue.removeFirst()
        let bytes = next.bytes
        context.send { link, completion in
            link.submitWrite(bytes, to: commands, mode, completion)
        } ended: { result, client, context in
            client.written(result, &context)
        }
    }

    private mutating func written(_ result: Result<Void, BLEError>, _ context: inout Context) {
        let command = underWay
        underWay = nil
        let result = result.mapError { DeviceError($0) }
        finish(command, result, &context)
        if case .failure = result, let command { retry(command) }
        if command?.kind == .status {
            if case .failure(let error) = result {
                endStatus(.failure(error), &context)
            } else if statusTimeout != nil {
                statusTimeout = context.now + options.replyTimeout
            }
        } else if states.count > 0 {
            // The strip does not report what commands have changed.
            nextPoll = context.now + Self.settlingTime
        }
        flush(&context)
    }

    private static let refusalLimit = 3

    /// Queues a command again that was refused and is to be written although no task waits, unless
    /// there is a later one of its kind.
    private mutating func retry(_ command: Command) {
        guard command.isKept, command.kind != .status, command.refusals < Self.refusalLimit,
            !queue.contains(where: { $0.kind == command.kind })
        else { return }
        var again = command
        again.waiters = []
        again.refusals += 1
        queue.insert(again, at: 0)
    }

    /// The time after the last command before the status is requested for loops.
    private static var settlingTime: Duration { .milliseconds(200) }

    private func finish(
        _ command: Command?, _ result: Result<Void, DeviceError>, _ context: inout Context
    ) {
        for waiter in command?.waiters ?? [] { _ = waiter.finish(result, &context.turn) }
    }

    // MARK: The status

    /// Requests the status for a task, unless it is requested already.
    mutating func requestStatus(
        _ number: UInt64, _ finish: @escaping ConnectionTurn.Finish<LEDStripState>,
        _ context: inout Context
    ) {
        guard notified != nil else {
            let error = DeviceError(
                .notSupported, command: LEDStripCommand.StatusRequest.name.subject)
            _ = finish(.failure(error), &context.turn)
            return
        }
        statusWaiters.append((number, finish))
        requestStatus(&context)
    }

    private mutating func requestStatus(_ context: inout Context) {
        guard isReady, notified != nil, statusTimeout == nil else { return }
        // The time begins anew when the request is written.
        statusTimeout = context.now + options.replyTimeout
        submit(.status, LEDStripCommand.StatusRequest().bytes, isKept: true, nil, &context)
    }

    /// Begins to follow the status, for a new loop.
    mutating func follow(_ context: inout Context) {
        announced = nil
        nextPoll = context.now
        if isReady { poll(&context) }
    }

    private mutating func poll(_ context: inout Context) {
        guard let due = nextPoll, due <= context.now else { return }
        nextPoll = nil
        guard states.count > 0 else { return }
        if notified == nil {
            let error = DeviceError(
                .notSupported, command: LEDStripCommand.StatusRequest.name.subject)
            return states.finish(.failure(error), &context.turn)
        }
        requestStatus(&context)
    }

    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context
    ) {
        guard attribute == notified?.id, let status = try? LEDStripStatus(decoding: bytes) else {
            return
        }
        let state = LEDStripState(status)
        if announced != state {
            announced = state
            states.send(state, &context.turn)
        }
        endStatus(.success(state), &context)
    }

    private mutating func endStatus(
        _ result: Result<LEDStripState, DeviceError>, _ context: inout Context
    ) {
        statusTimeout = nil
        let waiters = statusWaiters
        statusWaiters = []
        for waiter in waiters { _ = waiter.finish(result, &context.turn) }
        if isReady, states.count > 0, let interval = options.statusInterval {
            nextPoll = min(nextPoll ?? .distantFuture, context.now + interval)
        }
    }

    // MARK: Time

    var deadline: Moment? {
        guard isReady else { return nil }
        let light = underWay == nil && queue.first?.kind == .light ? nextLight : nil
        return [light, statusTimeout, nextPoll].compactMap { $0 }.min()
    }

    mutating func tick(_ context: inout Context) {
        if let timeout = statusTimeout, timeout <= context.now {
            let error = DeviceError(
                .timedOut, command: LEDStripCommand.StatusRequest.name.subject)
            endStatus(.failure(error), &context)
        }
        poll(&context)
        flush(&context)
    }
}
