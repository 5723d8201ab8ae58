internal import HaloProtocol
internal import HaloTransport

/// The client of a strip's connection: the commands that wait, and the last status.
///
/// - **Commands**: a new power, light or clock replaces the one that waits, and is the last in the
///   queue, so that the queue has one command of each kind at most, and the last write wins. One
///   write is under way at a time: a slow link gets fewer colours, not later ones. Between two
///   lights at least ``LEDStripOptions/frameInterval`` passes.
/// - **Kept bytes**: those of ``LEDStrip/show(_:)``. They wait for the next link, are written again
///   after a refusal, and also if the link ends so soon after a write without response that the
///   strip may not have received it.
/// - **Tasks** wait for a command, or for a later one in its place. They end with the link.
/// - **Status**: tasks that ask together end with the same reply. A task does not get the reply to
///   a request that was written before a later command.
/// - **Loops** over states need a status at their beginning, after commands, and every
///   ``LEDStripOptions/statusInterval``, which no number of commands postpones.
struct LEDStripClient: DeviceClient {
    enum Channel: Hashable, Sendable {
        case status
    }

    enum Kind: Hashable, Sendable {
        case power, light, clock, status
    }

    typealias Waiter = Promise<Void, DeviceError>

    struct Command: Sendable {
        let kind: Kind
        var bytes: [UInt8]
        /// The bytes to write if no task waits for others; `nil` if the command is for tasks only.
        var kept: [UInt8]?
        var waiters: [Waiter] = []
        var refusals = 0

        /// Removes and returns the tasks. What is left is what is kept.
        mutating func removeWaiters() -> [Waiter] {
            defer { waiters = [] }
            bytes = kept ?? bytes
            return waiters
        }
    }

    /// A request for the status that waits in the queue, or whose reply is due.
    private struct StatusRequest {
        enum Phase { case queued, written, outdated }

        /// A written request is outdated once a later command is written.
        var phase = Phase.queued
        var end: Moment
    }

    private typealias StatusWaiter = Promise<LEDStripState, DeviceError>

    private let options: LEDStripOptions
    private var target: (characteristic: GATTCharacteristic, mode: WriteMode)?
    private var notified: GATTCharacteristic?
    private var isReady = false
    /// The commands that wait, the next one first.
    private var queue: [Command] = []
    private var underWay: Command?
    private var nextLight = Moment.origin
    /// The earliest moment of the next write, after a failure.
    private var retryMoment = Moment.origin
    /// The last light, if it is kept and may be lost, and the last moment at which the end of the
    /// link means that.
    private var unconfirmed: (bytes: [UInt8], until: Moment)?

    private var request: StatusRequest?
    /// The tasks that the next reply ends.
    private var statusWaiters: [StatusWaiter] = []
    /// The tasks that need another request, because that of the next reply is outdated.
    private var laterStatusWaiters: [StatusWaiter] = []
    private var pollsAgain = false
    /// The moment of the next status for loops after a command.
    private var settledPoll: Moment?
    /// The moment of the next status for loops without a command.
    private var regularPoll: Moment?
    private var announced: LEDStripState?
    /// The loops that have not received a state.
    private var newLoops: [UInt64] = []
    var states: Consumers<LEDStripState>

    init(_ options: LEDStripOptions) {
        self.options = options
        states = Consumers(limit: options.bufferLimit)
    }

    // MARK: The device

    var preparation: [PreparationStep<LEDStripClient>] { [.discover, .subscribe(.status)] }

    mutating func found(_ services: [GATTService]) throws(DeviceError) {
        target = try DeviceFamily.ledStrip.written(in: services, preferring: .withoutResponse)
        notified = DeviceFamily.ledStrip.notified(in: services)
    }

    func source(of channel: Channel) -> GATTCharacteristic? { notified }

    // MARK: The link

    mutating func ready(_ context: inout Context) {
        isReady = true
        retryMoment = .origin
        if states.count > 0 { settledPoll = context.now }
        if !statusWaiters.isEmpty { requestStatus(&context) }
        flush(&context)
    }

    /// A reply to a request from before may be lost with its subscription.
    mutating func suspended(_ context: inout Context) {
        isReady = false
        request = nil
        queue.removeAll { $0.kind == .status }
        joinStatusWaiters()
    }

    mutating func resumed(_ context: inout Context) { ready(&context) }

    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context
    ) {
        isReady = false
        let error = DeviceError(.disconnected, disconnectReason: reason)
        keepWhatMayBeLost(error, &context)
        for index in queue.indices {
            for waiter in queue[index].removeWaiters() {
                waiter.resolve(.failure(error))
            }
        }
        queue.removeAll { $0.kept == nil }
        joinStatusWaiters()
        endStatus(.failure(error), &context)
    }

    private mutating func joinStatusWaiters() {
        statusWaiters += laterStatusWaiters
        laterStatusWaiters = []
    }

    /// Queues again what the strip may not have received, unless there is a later command of its
    /// kind.
    private mutating func keepWhatMayBeLost(_ error: DeviceError, _ context: inout Context) {
        if let unconfirmed, context.now <= unconfirmed.until, underWay?.kind != .light,
            !queue.contains(where: { $0.kind == .light })
        {
            let light = Command(kind: .light, bytes: unconfirmed.bytes, kept: unconfirmed.bytes)
            queue.insert(light, at: 0)
        }
        if let command = underWay, !queue.contains(where: { $0.kind == command.kind }) {
            queue.insert(command, at: 0)
        } else {
            finish(underWay, .failure(error))
        }
        (underWay, unconfirmed) = (nil, nil)
    }

    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {
        states.finish(end)
    }

    // MARK: Commands

    /// Adds a command, in place of one of its kind that waits.
    ///
    /// - Parameters:
    ///   - isKept: `true` to write it even if no task waits.
    ///   - waiter: The task that waits for it.
    mutating func submit(
        _ kind: Kind, _ bytes: [UInt8], isKept: Bool, _ waiter: Waiter? = nil,
        _ context: inout Context
    ) {
        var command = Command(kind: kind, bytes: bytes, kept: isKept ? bytes : nil)
        if let index = queue.firstIndex(where: { $0.kind == kind }) {
            let replaced = queue.remove(at: index)
            command.waiters = replaced.waiters
            command.kept = command.kept ?? replaced.kept
        }
        if let waiter { command.waiters.append(waiter) }
        queue.append(command)
        flush(&context)
    }

    /// Ends a task as soon as no light waits or is being written.
    mutating func awaitLight(_ waiter: Waiter) {
        if let index = queue.firstIndex(where: { $0.kind == .light }) {
            queue[index].waiters.append(waiter)
        } else if underWay?.kind == .light {
            underWay?.waiters.append(waiter)
        } else {
            waiter.resolve(.success(()))
        }
    }

    /// Removes a task that no longer waits; its command too, if nothing else needs it.
    mutating func forget(_ waiter: AnyObject) {
        statusWaiters.removeAll { $0 === waiter }
        laterStatusWaiters.removeAll { $0 === waiter }
        underWay?.waiters.removeAll { $0 === waiter }
        for index in queue.indices where queue[index].waiters.contains(where: { $0 === waiter }) {
            queue[index].waiters.removeAll { $0 === waiter }
            if queue[index].waiters.isEmpty { _ = queue[index].removeWaiters() }
        }
        queue.removeAll { $0.waiters.isEmpty && $0.kept == nil }
    }

    /// The moment from which the next command can be written; `nil` if there is none, or another
    /// one is under way.
    private var nextWrite: Moment? {
        guard target != nil, underWay == nil, let first = queue.first else { return nil }
        return first.kind == .light ? max(retryMoment, nextLight) : retryMoment
    }

    private mutating func flush(_ context: inout Context) {
        guard isReady, let target, let moment = nextWrite, moment <= context.now else { return }
        let command = queue.removeFirst()
        switch command.kind {
        case .light: nextLight = context.now + options.limitedFrameInterval
        case .status:
            request = StatusRequest(phase: .written, end: context.now + options.replyTimeout)
        case .power, .clock: break
        }
        underWay = command
        context.send { link, completion in
            link.submitWrite(command.bytes, to: target.characteristic, target.mode, completion)
        } ended: { result, client, context in
            client.written(result, &context)
        }
    }

    private mutating func written(_ result: Result<Void, BLEError>, _ context: inout Context) {
        guard let command = underWay else { return }
        underWay = nil
        switch (result, command.kind) {
        case (.success, .status):
            // The time begins anew when the request is written.
            if isWritten { request?.end = context.now + options.replyTimeout }
        case (.success, _):
            finish(command, .success(()))
            commandWritten(command, &context)
        case (.failure(let error), .status):
            if isWritten { endStatus(.failure(DeviceError(error)), &context) }
        case (.failure(let error), _):
            if !retry(command, error, &context) {
                finish(command, .failure(DeviceError(error)))
            }
        }
        flush(&context)
    }

    private mutating func commandWritten(_ command: Command, _ context: inout Context) {
        if isWritten { request?.phase = .outdated }
        if command.kind == .light {
            let mayBeLost = target?.mode == .withoutResponse && command.kept == command.bytes
            let end = context.now + Self.longestSupervision
            unconfirmed = mayBeLost ? (bytes: command.bytes, until: end) : nil
        }
        // The strip does not report what commands have changed.
        if states.count > 0 { settledPoll = context.now + Self.settlingTime }
    }

    /// Queues a command again that has failed and is kept, unless there is a later one of its kind;
    /// returns `false` if it is given up.
    private mutating func retry(
        _ command: Command, _ error: BLEError, _ context: inout Context
    ) -> Bool {
        guard command.kept != nil, !queue.contains(where: { $0.kind == command.kind }) else {
            return false
        }
        var again = command
        if error.kind != .disconnected {
            guard again.refusals < Self.refusalLimit else { return false }
            again.refusals += 1
        }
        // The end of a link, and new services, are reported later.
        if error.isTransient || error.isStale {
            retryMoment = context.now + Self.retryDelay
        }
        queue.insert(again, at: 0)
        return true
    }

    private static let refusalLimit = 3
    /// The time before a write that has failed for a reason that may pass.
    private static var retryDelay: Duration { .seconds(1) }
    /// The time after the last command before the status is requested for loops.
    private static var settlingTime: Duration { .milliseconds(200) }
    /// The longest supervision timeout of Bluetooth LE: a link that is lost ends at the latest that
    /// long after the last packet that arrived.
    private static var longestSupervision: Duration { .seconds(32) }

    private func finish(_ command: Command?, _ result: Result<Void, DeviceError>) {
        for waiter in command?.waiters ?? [] { waiter.resolve(result) }
    }

    // MARK: The status

    /// Requests the status for a task, unless it is requested already.
    mutating func requestStatus(
        _ waiter: Promise<LEDStripState, DeviceError>, _ context: inout Context
    ) {
        if request?.phase == .outdated { return laterStatusWaiters.append(waiter) }
        statusWaiters.append(waiter)
        requestStatus(&context)
    }

    /// Requests the status when the link is ready, unless it is requested already.
    private mutating func requestStatus(_ context: inout Context) {
        guard isReady, request == nil else { return }
        guard notified != nil else { return endStatus(.failure(Self.noStatus), &context) }
        request = StatusRequest(end: context.now + options.replyTimeout)
        submit(.status, LEDStripCommand.StatusRequest().bytes, isKept: true, nil, &context)
    }

    /// `true` while a reply is due, also an outdated one.
    private var isWritten: Bool { request.map { $0.phase != .queued } ?? false }

    private static var noStatus: DeviceError {
        DeviceError(.notSupported, command: LEDStripCommand.StatusRequest.name.subject)
    }

    /// Receives a new loop: a request for the status is due at once.
    mutating func follow(_ loop: UInt64, _ context: inout Context) {
        newLoops.removeAll { !states.isOpen($0) }
        newLoops.append(loop)
        settledPoll = context.now
    }

    private mutating func poll(_ context: inout Context) {
        guard isReady, let due = nextPoll, due <= context.now else { return }
        if let moment = settledPoll, moment <= context.now { settledPoll = nil }
        if let moment = regularPoll, moment <= context.now { regularPoll = nil }
        guard states.count > 0 else { return }
        if notified == nil { return states.finish(.failure(Self.noStatus)) }
        if request?.phase == .outdated {
            pollsAgain = true
        } else {
            requestStatus(&context)
        }
    }

    private var nextPoll: Moment? { [settledPoll, regularPoll].compactMap { $0 }.min() }

    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context
    ) {
        guard attribute == notified?.id, let status = try? LEDStripStatus(decoding: bytes) else {
            return
        }
        unconfirmed = nil
        let state = LEDStripState(status)
        if announced != state {
            announced = state
            states.send(state)
        } else {
            for loop in newLoops { states.send(state, to: loop) }
        }
        newLoops = []
        // Before the request is written, it is the late reply to an earlier one.
        if isWritten { endStatus(.success(state), &context) }
        flush(&context)
    }

    private mutating func endStatus(
        _ result: Result<LEDStripState, DeviceError>, _ context: inout Context
    ) {
        request = nil
        queue.removeAll { $0.kind == .status }
        let waiters = statusWaiters
        (statusWaiters, laterStatusWaiters) = (laterStatusWaiters, [])
        for waiter in waiters { waiter.resolve(result) }
        let repeats = !statusWaiters.isEmpty || pollsAgain && states.count > 0
        pollsAgain = false
        guard isReady else { return }
        if states.count > 0 {
            // Without an interval only a lost first reply is requested again.
            let interval = options.limitedStatusInterval
            let isNeeded = interval != nil || !newLoops.isEmpty
            regularPoll = isNeeded ? context.now + (interval ?? Self.repeatInterval) : nil
        }
        if repeats { requestStatus(&context) }
    }

    /// The time before a first status is requested again.
    private static var repeatInterval: Duration { .seconds(10) }

    // MARK: Time

    var deadline: Moment? {
        guard isReady else { return nil }
        return [nextWrite, request?.end, nextPoll].compactMap { $0 }.min()
    }

    mutating func tick(_ context: inout Context) {
        if let request, request.end <= context.now {
            let error = DeviceError(
                .timedOut, command: LEDStripCommand.StatusRequest.name.subject)
            endStatus(.failure(error), &context)
        }
        poll(&context)
        flush(&context)
    }
}
