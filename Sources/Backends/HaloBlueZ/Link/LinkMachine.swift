#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The state machine of one link, from the connection attempt to its end: a value with inputs and
/// effects, which knows no other link. Data that exists only in one phase is part of that phase.
/// The tests have each transition as a row of a table, and play it (`LinkMachineTable`).
///
/// The start of a link:
/// - The search for a device that the daemon does not know goes on while discovery runs; the caller
///   sets the timeout.
/// - Discovery goes on while the daemon connects: the daemon removes devices after discovery ends
///   (pitfall 8: bleak#971, and "UnknownObject" in the testbed).
/// - The timeout of `Connect` is longer than the daemon's own: 40.5 s for an absent device
///   (testbed). Sometimes no reply comes (pitfall 9: tinygo#320), and the connection itself shows
///   the success.
///
/// Service discovery:
/// - The daemon has to announce the services on this link: `ServicesResolved` of an earlier one
///   does not count.
/// - The services that exist at the announcement are complete, as the daemon adds them before it
///   (testbed, of real devices): there is no delay.
/// - If none exists, they are added later (pitfall 1: bluez#1489, bleak#1806; and the testbed, of
///   devices that the same daemon hosts): they are complete when none was added for a while.
/// - The same applies when services change on a link (pitfall 2: bleak#625, #376): the old
///   attributes are stale, and the app is notified.
/// - Discovery has a timeout, for a daemon that never announces the services, and ends with the
///   link (pitfall 3: bleak#1489, #1491, bluez#712, btleplug#164).
///
/// Operations, one at a time, in the order of the requests: the daemon may refuse a second one
/// (pitfall 6: bleak's client retries then).
/// - The receiver of values is registered before the daemon is asked to subscribe: a value that
///   comes before the reply is delivered (pitfall 12: bleak#374).
/// - A characteristic is subscribed to once: the layer above shares it (pitfall 13: bleak#484).
/// - The daemon also signals the value of a read, just before the reply (pitfall 11: bleak, bluer;
///   seen on 5.66). So the values of a characteristic are held while it is being read, and the last
///   one that equals the reply is dropped. If the device notifies the same value in that moment,
///   one of the two is lost: they cannot be told apart.
/// - An error that the end of the link may explain waits a moment for that end.
/// - An operation that the device refuses without a bond is tried again after pairing, once.
///
/// The end of a link:
/// - A link that another program uses is left open: only this program's subscriptions end. A link
///   that was there before, and that no program uses, is left over from a crash: it would block the
///   device for all programs, so it is closed (pitfall 7: bluez#89).
/// - A link that the app closes ends when the daemon reports its end: until then the device is
///   still connected. That takes two to three seconds (testbed); after the timeout it ends in any
///   case.
/// - An end that the app did not request is reported a moment later, with the reason that the
///   daemon gives in that moment.
/// - A cancelled link may still be established, after both replies: without an owner it would block
///   the device for all programs. So its end is awaited, unless there was a link.
/// - Subscriptions are ended with the link: the daemon would go on with them on the next one
///   (pitfall 10: testbed; tinygo#260).
struct LinkMachine: Sendable, Equatable {
    typealias Turn = LinkTurn

    enum Phase: Sendable, Equatable {
        case searching(Searching, Attempt)
        case connecting(Connecting)
        case open(OpenLink)
        /// The link has ended by itself; the reason may follow.
        case ending(OpenLink)
        /// The app or this machine has closed the link, for this reason.
        case disconnecting(OpenLink, DisconnectReason, since: Moment)
        /// The attempt has failed while the daemon was connecting.
        case cancelling(Cancelling)
        case ended
    }

    /// The attempt to get a link, through all of its searches and `Connect` calls.
    struct Attempt: Sendable, Equatable {
        /// The number of `Connect` calls: only the reply to the last one counts.
        var count = 0
        /// The number of failures that were worth a retry.
        var failures = 0
        /// The time since which another program is connecting the device, until an attempt
        /// succeeds.
        var othersSince: Moment?
        var hold: DiscoveryHold?

        fileprivate mutating func holdDiscovery(_ hold: DiscoveryHold, _ turn: inout Turn) {
            guard self.hold == nil else { return }
            self.hold = hold
            turn.put(.holdDiscovery(hold))
        }

        fileprivate func releaseDiscovery(_ turn: inout Turn) {
            if let hold { turn.put(.releaseDiscovery(hold)) }
        }
    }

    enum Searching: Hashable, Sendable {
        /// An earlier link to the device is still being closed.
        case waiting
        case adapter
        case listening(on: DBusObjectPath)
        /// The daemon has removed the device.
        case pausing(on: DBusObjectPath)
    }

    struct Connecting: Sendable, Equatable {
        enum Stage: Sendable, Equatable {
            /// `Connect` waits for its reply.
            case asked(since: Moment, isConnected: Bool)
            /// `Connect` has succeeded, and the link is still to come.
            case answered
            case backingOff(BLEError)
            case othersConnecting
        }

        let place: LinkPlace
        var stage: Stage
        var attempt: Attempt
        /// The state of the services: the daemon may announce them before it replies.
        var resolution = LinkResolution.unknown(wasKnown: false)

        var isAsked: Bool { if case .asked = stage { true } else { false } }
    }

    struct Cancelling: Hashable, Sendable {
        enum Stage: Hashable, Sendable {
            case asked
            /// A link may still come.
            case stray
            /// `Connected` is being read: its reply comes after all signals that were sent before.
            case checking
        }

        let place: LinkPlace
        /// The `Connect` call that still waits for its reply.
        var pending: Int?
        let since: Moment
        var stage = Stage.asked
    }

    let address: String
    private(set) var phase = Phase.searching(.waiting, Attempt())
    /// The need for the pairing agent, which lasts as long as the link, as the device may demand
    /// pairing; `nil` if there is none.
    private(set) var agentNeed: UInt64?

    init(address: String) { self.address = address }

    mutating func handle(_ input: LinkInput, _ turn: inout Turn) {
        if case .agentReady(let need) = input, !wants(need) { return turn.put(.releaseAgent(need)) }
        // The phase is taken out, so that its payload is mutated and not copied.
        var taken = Phase.ended
        swap(&taken, &phase)
        switch consume taken {
        case .searching(let stage, let attempt): phase = searching(stage, attempt, input, &turn)
        case .connecting(let state): phase = connecting(state, input, &turn)
        case .open(let link): phase = open(link, input, &turn)
        case .ending(let link): phase = ending(link, input, &turn)
        case .disconnecting(let link, let reason, let since):
            phase = disconnecting(link, reason, since: since, input, &turn)
        case .cancelling(let state): phase = cancelling(state, input, &turn)
        case .ended: return turn.ignore(input)
        }
        guard case .ended = phase else { return }
        if let agentNeed { turn.put(.releaseAgent(agentNeed)) }
        agentNeed = nil
        turn.put(.ended)
    }

    private func wants(_ need: UInt64) -> Bool {
        if case .open(let link) = phase, link.running?.stage == .awaitingAgent(need) { return true }
        return need == agentNeed
    }

    // MARK: Searching

    private func search(_ attempt: Attempt, _ turn: inout Turn) -> Phase {
        turn.put(.start(.step, LinkLimits.searchTimeout))
        turn.put(.requestAdapter)
        return .searching(.adapter, attempt)
    }

    private mutating func searching(
        _ stage: Searching, _ attempt: Attempt, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch (stage, input) {
        case (.adapter, .adapter(.success(let adapter))):
            return .searching(.listening(on: adapter), attempt)
        case (.adapter, .adapter(.failure(let outage))):
            return fail(attempt, outage.error(.connect), &turn)
        case (.listening(let adapter), .lookup(let lookup)):
            return lookedUp(lookup, on: adapter, attempt, &turn)
        case (.listening(let adapter), .discoveryEnded(let outage, let place))
        where place == adapter && attempt.hold != nil:
            return fail(attempt, outage.error(.connect), &turn)
        case (.waiting, .begin), (.pausing, .timer(.step)): return search(attempt, &turn)
        case (.adapter, .timer(.step)), (.listening, .timer(.step)):
            return fail(attempt, BLEError(.notFound, .connect), &turn)
        case (_, .cancel): return fail(attempt, BLEError(.cancelled, .connect), &turn)
        case (_, .lost(let reason, let kind)):
            return fail(attempt, BLEError(kind, .connect, details: reason.details), &turn)
        default: turn.ignore(input)
        }
        return .searching(stage, attempt)
    }

    private mutating func lookedUp(
        _ lookup: DeviceLookup, on adapter: DBusObjectPath, _ attempt: consuming Attempt,
        _ turn: inout Turn
    ) -> Phase {
        switch lookup {
        case .unknown, .disconnecting:
            // The daemon may remove a device together with its link.
            attempt.holdDiscovery(.searching, &turn)
            return .searching(.listening(on: adapter), attempt)
        case .inUse:
            // The device has another address now: pairing can change it (pitfall 20: bleak#1737).
            turn.put(.stop(.step))
            return fail(attempt, BLEError(.alreadyConnected, .connect), &turn)
        case .there(let device):
            holdAgent(for: device, &turn)
            let place = LinkPlace(device: device, adapter: adapter)
            var state = Connecting(place: place, stage: .answered, attempt: attempt)
            guard turn.isConnected(device) else {
                turn.put(.stop(.step))
                state.attempt.holdDiscovery(.keeping, &turn)
                return connect(state, &turn)
            }
            // Another program has connected it, or one before a crash (pitfall 7: bluez#89):
            // `Connect` would have no effect.
            guard turn.options.adoptsConnected else {
                turn.put(.stop(.step))
                return fail(attempt, BLEError(.alreadyConnected, .connect), &turn)
            }
            if turn.mirror.devices[device]?.isResolved == true {
                state.resolution = .announced(for: device, in: turn.mirror)
            }
            return open(state, isOthers: turn.mirror.isInUse(device), &turn)
        }
    }

    /// Registers the pairing agent for a link to a device that is not paired.
    private mutating func holdAgent(for device: DBusObjectPath, _ turn: inout Turn) {
        guard turn.options.pairing != nil, agentNeed == nil,
            turn.mirror.devices[device]?.isPaired != true
        else { return }
        let need = turn.newNumber()
        agentNeed = need
        turn.put(.requestAgent(need))
    }

    // MARK: Connecting

    private func connect(_ state: consuming Connecting, _ turn: inout Turn) -> Phase {
        state.attempt.count += 1
        state.stage = .asked(since: turn.now, isConnected: false)
        // The services are those of the new link.
        state.resolution = .unknown(wasKnown: false)
        turn.call(
            .connect(attempt: state.attempt.count), Device1.connect,
            of: turn.mirror.linkInterface(of: state.place.device), at: state.place.device,
            timeout: LinkLimits.connectTimeout)
        return .connecting(state)
    }

    private func connecting(
        _ state: consuming Connecting, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        let isOthers = state.attempt.othersSince != nil
        switch (state.stage, input) {
        case (.asked(let since, _), .connected):
            turn.put(.start(.step, LinkLimits.lateAnswer))
            state.stage = .asked(since: since, isConnected: true)
        // Another program that has requested the connection has it, too.
        case (_, .connected) where isOthers && !turn.options.adoptsConnected:
            return fail(state.attempt, BLEError(.alreadyConnected, .connect), &turn)
        case (_, .connected), (.asked, .timer(.step)):
            return open(state, isOthers: isOthers, &turn)
        case (let stage, .disconnected):
            // The services were those of the link that has ended.
            state.resolution = .unknown(wasKnown: false)
            guard case .asked(let since, true) = stage else { break }
            turn.put(.stop(.step))
            state.stage = .asked(since: since, isConnected: false)
        case (.asked, .connectAnswered(state.attempt.count, nil)):
            state.attempt.othersSince = nil
            guard !turn.isConnected(state.place.device) else { return open(state, &turn) }
            state.stage = .answered
            turn.put(.askWhetherConnected(state.place.device))
            turn.put(.start(.step, LinkLimits.lateLink))
        case (.asked(let since, _), .connectAnswered(state.attempt.count, let error?)):
            return connectFailed(state, BlueZFault(error), since: since, &turn)
        case (.answered, .timer(.step)):
            let text = "the link was lost as soon as it was open"
            return retry(state, BLEError(.backend, .connect, details: text), &turn)
        case (.backingOff(let error), .timer(.step)) where turn.isConnected(state.place.device):
            // The last attempt has to end first: the daemon reports that.
            return retry(state, error, &turn)
        case (.backingOff, .timer(.step)), (.othersConnecting, .timer(.step)):
            return connect(state, &turn)
        case (_, .resolved(true)):
            state.resolution = .announced(for: state.place.device, in: turn.mirror)
        case (_, .resolved(false)):
            state.resolution = .unknown(wasKnown: state.resolution.wasKnown)
        case (_, .deviceRemoved): return deviceVanished(state, &turn)
        case (.asked, .cancel):
            return cancel(state, BLEError(.cancelled, .connect), isPending: true, &turn)
        // Another program's attempt goes on.
        case (_, .cancel) where isOthers:
            return fail(state.attempt, BLEError(.cancelled, .connect), &turn)
        case (_, .cancel): return cancel(state, BLEError(.cancelled, .connect), &turn)
        case (_, .lost(let reason, let kind)):
            return fail(state.attempt, BLEError(kind, .connect, details: reason.details), &turn)
        default: turn.ignore(input)
        }
        return .connecting(state)
    }

    private func connectFailed(
        _ state: Connecting, _ fault: BlueZFault, since: Moment, _ turn: inout Turn
    ) -> Phase {
        func error(_ kind: BLEError.Kind, _ hint: String = "") -> BLEError {
            BLEError(kind, .connect, details: fault.details + hint)
        }
        switch fault.meaning {
        case .aborted:
            // "le-connection-abort-by-local" after 40 s means that the device is absent (testbed).
            // Soon after `Connect` it means a radio failure (pitfall 4: bleak#239, #666, #993,
            // #1673; bluez#615).
            guard turn.now.duration(since: since) < LinkLimits.shortestAbsence else {
                return giveUp(state, error(.timedOut), &turn)
            }
            let hint =
                "; radio interference does that, of Wi-Fi on the same board or of USB 3 for example"
            return retry(state, error(.backend, hint), &turn)
        case .inProgress: return awaitOthers(state, error(.backend), &turn)
        // Another program has cancelled the attempt.
        case .cancelled: return retry(state, error(.backend), &turn)
        case .alreadyConnected where turn.isConnected(state.place.device):
            return open(state, isOthers: turn.mirror.isInUse(state.place.device), &turn)
        case .alreadyConnected: return retry(state, error(.alreadyConnected), &turn)
        case .unknownObject: return deviceVanished(state, &turn)
        case .timedOut: return cancel(state, error(.timedOut), &turn)
        case .notReady: return giveUp(state, error(.bluetoothOff), &turn)
        case .inputOutput where turn.mirror.adapters[state.place.adapter]?.isOn == false:
            // The error of an adapter that is off (testbed), and of other failures.
            return giveUp(state, error(.bluetoothOff), &turn)
        case .bondLost: return giveUp(state, error(.bondLost, bondHint), &turn)
        case .denied: return giveUp(state, error(.unauthorized), &turn)
        // Nothing that another attempt would change: the daemon's text goes to the app.
        default: return giveUp(state, error(.backend), &turn)
        }
    }

    private var bondHint: String { "; bluetoothctl remove \(address) forgets it here, too" }

    /// Fails the attempt. A link without an owner would block the device for all programs.
    private func giveUp(_ state: Connecting, _ error: BLEError, _ turn: inout Turn) -> Phase {
        turn.isConnected(state.place.device) && state.attempt.othersSince == nil
            ? cancel(state, error, &turn) : fail(state.attempt, error, &turn)
    }

    private func retry(
        _ state: consuming Connecting, _ error: BLEError, _ turn: inout Turn
    ) -> Phase {
        state.attempt.failures += 1
        guard state.attempt.failures < LinkLimits.maximumFailures else {
            return giveUp(state, error, &turn)
        }
        state.stage = .backingOff(error)
        turn.put(.start(.step, LinkLimits.firstBackoff * (1 << (state.attempt.failures - 1))))
        return .connecting(state)
    }

    private func awaitOthers(
        _ state: consuming Connecting, _ error: BLEError, _ turn: inout Turn
    ) -> Phase {
        let since = state.attempt.othersSince ?? turn.now
        guard turn.now.duration(since: since) < LinkLimits.connectTimeout else {
            return fail(state.attempt, error, &turn)
        }
        state.attempt.othersSince = since
        state.stage = .othersConnecting
        turn.put(.start(.step, LinkLimits.othersBackoff))
        return .connecting(state)
    }

    /// Searches anew for a device that the daemon has removed, as it does after discovery ends
    /// (pitfall 8: bleak, "may have been removed when scanning stopped").
    private func deviceVanished(_ state: Connecting, _ turn: inout Turn) -> Phase {
        var attempt = state.attempt
        // The hold kept a present device: now a search is needed.
        attempt.releaseDiscovery(&turn)
        attempt.hold = nil
        attempt.failures += 1
        guard attempt.failures < LinkLimits.maximumFailures else {
            let text = "the daemon keeps forgetting the device"
            return fail(attempt, BLEError(.notFound, .connect, details: text), &turn)
        }
        turn.put(.start(.step, LinkLimits.firstBackoff))
        return .searching(.pausing(on: state.place.adapter), attempt)
    }

    private func fail(_ attempt: Attempt, _ error: BLEError, _ turn: inout Turn) -> Phase {
        turn.put(.failed(error))
        attempt.releaseDiscovery(&turn)
        return .ended
    }

    private func open(
        _ state: Connecting, isOthers: Bool = false, _ turn: inout Turn
    ) -> Phase {
        turn.put(.stop(.step))
        state.attempt.releaseDiscovery(&turn)
        turn.put(.opened)
        var link = OpenLink(
            place: state.place, isOthers: isOthers, mayWantKeys: agentNeed != nil,
            resolution: state.resolution)
        link.refreshServices(&turn)
        return .open(link)
    }

    // MARK: The open link

    private func open(_ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn) -> Phase {
        switch input {
        case .close where link.isOthers:
            stopWaits(&turn)
            link.end(DisconnectReason(.local), &turn)
            return .ended
        case .close: return disconnect(link, DisconnectReason(.local), &turn)
        case .reason(let name, let text): explain(&link, name, text)
        case .deviceRemoved:
            let text = "the daemon removed the device"
            return end(link, DisconnectReason(.remote, details: text), &turn)
        case .lost(let reason, _): return end(link, reason, &turn)
        case .disconnected:
            // The daemon disconnects a device that has not answered for half a minute.
            if let running = link.running, running.isSilent(turn) {
                link.explained = DisconnectReason(.noResponse)
            }
            stopWaits(&turn)
            // A newer daemon has given the reason just before.
            guard link.explained == nil else { return end(link, nil, &turn) }
            turn.put(.start(.step, LinkLimits.reasonTimeout))
            return .ending(link)
        default:
            if let reason = link.handle(input, &turn) { return disconnect(link, reason, &turn) }
        }
        return .open(link)
    }

    /// Keeps the daemon's reason for the end of a link: from 5.83 on it comes just before the end
    /// (its source). Only simulated, never seen.
    private func explain(_ link: inout OpenLink, _ name: String, _ text: String) {
        guard link.explained == nil else { return }
        let kind: DisconnectReason.Kind =
            switch name {
            case BlueZReason.timeout: .outOfReach
            case BlueZReason.suspend: .adapterGone
            case BlueZReason.authentication: .bondLost
            // A disconnect by this computer, but not by the app, was made by another program: for
            // the app it is remote.
            default: .remote
            }
        let hint = kind == .bondLost ? bondHint : ""
        link.explained = DisconnectReason(kind, details: (text.isEmpty ? name : text) + hint)
    }

    private func stopWaits(_ turn: inout Turn) {
        for wait in [LinkTimer.quiet, .resolution, .operation, .retry] { turn.put(.stop(wait)) }
    }

    // MARK: The end

    private func ending(
        _ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        case .timer(.step), .connected, .close, .deviceRemoved:
            // A device that is connected again was disconnected before the reason came.
            return end(link, nil, &turn)
        case .lost(let reason, _): return end(link, reason, &turn)
        case .reason(let name, let text) where link.explained == nil:
            explain(&link, name, text)
            return end(link, nil, &turn)
        case .discover(let request): link.wait(for: request, &turn)
        case .submit(let operation): link.queue(operation, &turn)
        default: link.handleAfterEnd(input, &turn)
        }
        return .ending(link)
    }

    private func disconnecting(
        _ link: consuming OpenLink, _ reason: DisconnectReason, since: Moment,
        _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        // A link that still comes back after this time belongs to another program.
        case .connected where isLate(since, turn),
            .disconnectAnswered where !turn.isConnected(link.place.device),
            // By its timer, the daemon has not reported the end in time (bluez#947).
            .disconnected, .timer(.step), .deviceRemoved, .lost:
            link.end(reason, &turn)
            return .ended
        case .connected: disconnectAgain(link.place, &turn)
        case .discover(let request):
            let error = BLEError(.disconnected, .discover, disconnectReason: reason)
            turn.put(.completeServices([request], .failure(error)))
        case .submit(let operation):
            let error = BLEError(.disconnected, operation.kind, disconnectReason: reason)
            turn.put(.complete(operation.number, .failure(error)))
        // The app closes the link again.
        case .close: break
        default: link.handleAfterEnd(input, &turn)
        }
        return .disconnecting(link, reason, since: since)
    }

    private func cancelling(
        _ state: consuming Cancelling, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        let isConnected = turn.isConnected(state.place.device)
        switch (state.stage, input) {
        case (_, .connected) where isLate(state.since, turn),
            (_, .disconnected) where state.pending == nil,
            (.checking, .strayChecked) where !isConnected,
            (.asked, .timer(.step)), (.checking, .timer(.step)), (_, .deviceRemoved), (_, .lost):
            return .ended
        case (_, .connected):
            state.stage = .asked
            disconnectAgain(state.place, &turn)
        case (_, .connectAnswered(state.pending, _)) where isConnected:
            (state.pending, state.stage) = (nil, .asked)
            disconnectAgain(state.place, &turn)
        case (_, .connectAnswered(state.pending, _)),
            (.asked, .disconnectAnswered) where !isConnected && state.pending == nil:
            (state.pending, state.stage) = (nil, .stray)
            turn.put(.start(.step, LinkLimits.strayTimeout))
        case (.stray, .timer(.step)):
            state.stage = .checking
            turn.put(.start(.step, LinkLimits.disconnectTimeout))
            turn.put(.askWhetherConnected(state.place.device))
        default: turn.ignore(input)
        }
        return .cancelling(state)
    }

    private func isLate(_ since: Moment, _ turn: Turn) -> Bool {
        turn.now.duration(since: since) >= LinkLimits.disconnectRetryTimeout
    }

    private func disconnectAgain(_ place: LinkPlace, _ turn: inout Turn) {
        turn.put(.disconnect(place.device))
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
    }

    /// Fails the attempt, and makes the daemon stop connecting.
    private func cancel(
        _ state: Connecting, _ error: BLEError, isPending: Bool = false, _ turn: inout Turn
    ) -> Phase {
        turn.put(.failed(error))
        state.attempt.releaseDiscovery(&turn)
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
        turn.put(.disconnect(state.place.device))
        let pending = isPending ? state.attempt.count : nil
        return .cancelling(Cancelling(place: state.place, pending: pending, since: turn.now))
    }

    private func disconnect(
        _ link: consuming OpenLink, _ reason: DisconnectReason, _ turn: inout Turn
    ) -> Phase {
        stopWaits(&turn)
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
        turn.put(.disconnect(link.place.device))
        return .disconnecting(link, reason, since: turn.now)
    }

    /// Ends the link: for the known reason or, if none is known, as closed by the device.
    private func end(
        _ link: consuming OpenLink, _ reason: DisconnectReason?, _ turn: inout Turn
    ) -> Phase {
        link.end(link.explained ?? reason ?? DisconnectReason(.remote), &turn)
        return .ended
    }

    // MARK: The parts of the state that the session looks at

    var isEnding: Bool {
        switch phase {
        case .ending, .disconnecting, .cancelling: true
        case .searching, .connecting, .open, .ended: false
        }
    }

    var isWaiting: Bool { if case .searching(.waiting, _) = phase { true } else { false } }

    var isListening: Bool { if case .searching(.listening, _) = phase { true } else { false } }

    /// The open link, also while it ends.
    var link: OpenLink? {
        switch phase {
        case .open(let link), .ending(let link), .disconnecting(let link, _, _): link
        case .searching, .connecting, .cancelling, .ended: nil
        }
    }

    var place: LinkPlace? {
        switch phase {
        case .connecting(let state): state.place
        case .open(let link), .ending(let link), .disconnecting(let link, _, _): link.place
        case .cancelling(let state): state.place
        case .searching, .ended: nil
        }
    }

    var adapter: DBusObjectPath? {
        switch phase {
        case .searching(.listening(let adapter), _), .searching(.pausing(let adapter), _): adapter
        default: place?.adapter
        }
    }

    func awaits(attempt: Int) -> Bool {
        switch phase {
        case .connecting(let state): state.isAsked && state.attempt.count == attempt
        case .cancelling(let state): state.pending == attempt
        case .searching, .open, .ending, .disconnecting, .ended: false
        }
    }
}

struct LinkPlace: Hashable, Sendable {
    let device: DBusObjectPath
    let adapter: DBusObjectPath
}

enum LinkResolution: Hashable, Sendable {
    /// The daemon has not announced the services on this link, or has withdrawn the announcement.
    case unknown(wasKnown: Bool)
    /// The services are announced, and more may come. With a timer, they are known when it fires.
    case settling(isTimed: Bool)
    case known

    /// Returns the state at the announcement: the services that exist by then are complete.
    fileprivate static func announced(
        for device: DBusObjectPath, in mirror: BlueZMirror
    ) -> LinkResolution {
        mirror.services.paths(of: device).isEmpty ? .settling(isTimed: false) : .known
    }

    fileprivate var wasKnown: Bool {
        if case .unknown(let wasKnown) = self { wasKnown } else { true }
    }
}

struct LinkOperation: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        case read
        case write([UInt8], WriteMode)
        case notify(Bool)
        case pair
        /// The release of a stale subscription; no caller waits for it.
        case release(DBusObjectPath)
    }

    let number: UInt64
    let attribute: AttributeID?
    let work: Work

    var kind: BLEError.Operation {
        switch work {
        case .read: .read
        case .write: .write
        case .notify(true): .subscribe
        case .notify(false), .release: .unsubscribe
        case .pair: .pair
        }
    }
}

struct RunningOperation: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        case asked
        /// Waiting for the link's end, which may explain this error.
        case explaining(BlueZFault)
        case pausing
        case awaitingAgent(UInt64)
        case pairing(UInt64)
    }

    let operation: LinkOperation
    fileprivate(set) var began: Moment
    fileprivate var retries = 0
    /// The refusal that made pairing necessary.
    fileprivate var refusal: BlueZFault?
    fileprivate var held: [[UInt8]] = []
    fileprivate(set) var stage = Stage.asked

    fileprivate func isAsked(_ step: UInt64) -> Bool {
        operation.number == step && stage == .asked
    }

    /// `true` if the device has been silent for half a minute: the link ends two seconds after this
    /// error (5.66, in the virtual machine).
    fileprivate func isSilent(_ turn: LinkTurn) -> Bool {
        turn.now.duration(since: began) >= turn.silenceThreshold
    }
}

/// A link that the app has, with everything that exists only as long as the link: services,
/// operations and subscriptions.
struct OpenLink: Sendable, Equatable {
    typealias Turn = LinkTurn

    let place: LinkPlace
    /// `true` if another program uses the link, and did before: it goes on without this program.
    fileprivate let isOthers: Bool
    /// `true` if the device was not paired at the beginning: the pairing agent is registered.
    fileprivate let mayWantKeys: Bool
    /// The daemon's reason for the end, if it was received before the end.
    fileprivate var explained: DisconnectReason?

    fileprivate var resolution: LinkResolution
    fileprivate var hasAwaitedBattery = false
    /// The attributes that the app has; `nil` if they are stale or unknown.
    fileprivate(set) var attributes: LinkAttributes?
    fileprivate var lastNumber: UInt32 = 0
    fileprivate(set) var waiters: [UInt64] = []
    /// The maximum length of a write without response, in bytes.
    fileprivate(set) var maximumLength = LinkLimits.shortestMaximum

    fileprivate(set) var operations = Queue<LinkOperation>()
    fileprivate(set) var running: RunningOperation?
    fileprivate(set) var subscriptions: Set<AttributeID> = []
    /// Characteristics whose values are received as signals, or may be.
    fileprivate var listened: Set<DBusObjectPath> = []

    /// Handles an input while the link is open; returns the reason to end the link, if any.
    fileprivate mutating func handle(_ input: LinkInput, _ turn: inout Turn) -> DisconnectReason? {
        defer { beginNext(&turn) }
        switch input {
        case .discover(let request): discover(request, &turn)
        case .resolved(let isResolved): resolved(isResolved, &turn)
        case .attributesChanged:
            if case .unknown = resolution {} else { waitForQuiet(LinkLimits.quietTime, &turn) }
            refreshServices(&turn)
        case .mtuChanged: updateMaximumLength(&turn)
        case .battery(let level): batteryChanged(level, &turn)
        case .timer(.quiet):
            // The timer of discovery does not stop this one.
            guard case .settling = resolution else { break }
            resolution = .known
            completeDiscovery(&turn)
        case .timer(.resolution) where !waiters.isEmpty: resolutionFailed(&turn)
        case .submit(let operation): queue(operation, &turn)
        case .answered(let step, .success(let reply)) where running?.isAsked(step) == true:
            succeeded(reply, &turn)
        case .answered(let step, .failure(let error)) where running?.isAsked(step) == true:
            return failed(BlueZFault(error), &turn)
        case .value(let value, let attribute): holdOrDeliver(value, of: attribute, &turn)
        case .timer(.retry) where running?.stage == .pausing: startRunning(&turn)
        case .agentReady(let need) where running?.stage == .awaitingAgent(need):
            running?.stage = .pairing(need)
            turn.call(
                .pair(need: need), Device1.pair, of: Device1.interfaceName, at: place.device,
                timeout: LinkLimits.pairingTimeout)
        case .pairAnswered(let need, let error) where running?.stage == .pairing(need):
            paired(error.map(BlueZFault.init), &turn)
        default:
            switch (input, running?.stage) {
            case (.timer(.operation), .explaining(let fault)?): return unexplained(fault, &turn)
            case (.paired, .pairing(let need)?):
                turn.put(.releaseAgent(need))
                paired(nil, &turn)
            default: turn.ignore(input)
            }
        }
        return nil
    }

    /// Handles an input after the link's end, or shortly before: a reply completes its operation,
    /// and nothing is started.
    fileprivate mutating func handleAfterEnd(_ input: LinkInput, _ turn: inout Turn) {
        switch input {
        case .resolved(true):
            if case .unknown = resolution { resolution = .unknown(wasKnown: true) }
        case .answered(let step, let answer) where running?.isAsked(step) == true:
            finishRunning(answer, &turn)
        case .value(let value, let attribute): holdOrDeliver(value, of: attribute, &turn)
        default: turn.ignore(input)
        }
    }

    // MARK: The services

    private mutating func discover(_ request: UInt64, _ turn: inout Turn) {
        if let attributes {
            return turn.put(.completeServices([request], .success(attributes.services)))
        }
        let isFirst = waiters.isEmpty
        wait(for: request, &turn)
        if isFirst { turn.put(.start(.resolution, LinkLimits.resolutionTimeout)) }
        completeDiscovery(&turn)
    }

    fileprivate mutating func wait(for request: UInt64, _ turn: inout Turn) {
        guard waiters.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, .discover)
            return turn.put(.completeServices([request], .failure(error)))
        }
        waiters.append(request)
    }

    private mutating func resolved(_ isResolved: Bool, _ turn: inout Turn) {
        if resolution == .settling(isTimed: true) { turn.put(.stop(.quiet)) }
        guard isResolved else {
            // At the end of a link, this is signalled first.
            resolution = .unknown(wasKnown: resolution.wasKnown)
            return
        }
        resolution = .announced(for: place.device, in: turn.mirror)
        refreshServices(&turn)
    }

    private mutating func waitForQuiet(_ duration: Duration, _ turn: inout Turn) {
        resolution = .settling(isTimed: true)
        turn.put(.start(.quiet, duration))
    }

    /// Notifies the app of stale attributes, and completes discoveries if the services are known.
    fileprivate mutating func refreshServices(_ turn: inout Turn) {
        if attributes?.isStale(for: place.device, in: turn.mirror) == true {
            releaseSubscriptions(&turn)
            attributes = nil
            turn.put(.deliver(.servicesChanged))
        }
        updateMaximumLength(&turn)
        completeDiscovery(&turn)
    }

    private mutating func completeDiscovery(_ turn: inout Turn) {
        guard !waiters.isEmpty else { return }
        switch resolution {
        case .unknown, .settling(isTimed: true): return
        case .settling(isTimed: false): return waitForQuiet(LinkLimits.quietTime, &turn)
        case .known: break
        }
        let new = LinkAttributes(of: place.device, in: turn.mirror, after: lastNumber)
        guard !new.paths.isEmpty else { return }
        // The daemon adds the battery that it keeps to itself just after the services (pitfall 23:
        // gattlib#84, #89; testbed).
        let uuids = turn.mirror.devices[place.device]?.uuids ?? []
        if !hasAwaitedBattery, new.lacksBattery, uuids.contains(StandardServices.battery) {
            hasAwaitedBattery = true
            return waitForQuiet(LinkLimits.batteryTime, &turn)
        }
        (attributes, lastNumber) = (new, new.lastNumber)
        updateMaximumLength(&turn)
        turn.put(.stop(.resolution))
        completeWaiters(.success(new.services), &turn)
    }

    private mutating func completeWaiters(
        _ result: Result<[GATTService], BLEError>, _ turn: inout Turn
    ) {
        guard !waiters.isEmpty else { return }
        turn.put(.completeServices(waiters, result))
        waiters = []
    }

    private mutating func batteryChanged(_ level: Int, _ turn: inout Turn) {
        if let attribute = attributes?.battery {
            guard subscriptions.contains(attribute) else { return }
            return turn.put(.deliverValues([[UInt8(clamping: level)]], attribute))
        }
        // A device with a visible battery service needs no replacement.
        if attributes?.lacksBattery == false { return }
        if hasAwaitedBattery, resolution == .settling(isTimed: true) {
            turn.put(.stop(.quiet))
            resolution = .known
        }
        refreshServices(&turn)
    }

    /// Handles the timeout of discovery: the daemon may have the services without an announcement.
    private mutating func resolutionFailed(_ turn: inout Turn) {
        let isResolved = turn.mirror.devices[place.device]?.isResolved == true
        if isResolved {
            // The time for the battery has passed, too.
            hasAwaitedBattery = true
            resolution = .known
            completeDiscovery(&turn)
        }
        let words = isResolved ? "yes, but there are none" : "no"
        let details = "services resolved: \(words), link: up"
        completeWaiters(.failure(BLEError(.timedOut, .discover, details: details)), &turn)
    }

    /// Updates the length of packets: the daemon has it with each characteristic from 5.62 on, and
    /// not before (pitfall 17: bleak, SimpleBLE#481, bluez#576).
    private mutating func updateMaximumLength(_ turn: inout Turn) {
        let known = (attributes?.characteristics ?? []).compactMap {
            turn.mirror.characteristics[$0]?.mtu
        }
        guard let packet = known.min() else { return }
        let maximum = min(
            max(packet - LinkLimits.packetHeader, LinkLimits.shortestMaximum),
            LinkLimits.longestMaximum)
        guard maximum != maximumLength else { return }
        maximumLength = maximum
        turn.put(.deliver(.maximumLengthChanged))
    }

    // MARK: Operations

    fileprivate mutating func queue(_ operation: LinkOperation, _ turn: inout Turn) {
        guard operations.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, operation.kind)
            return turn.put(.complete(operation.number, .failure(error)))
        }
        operations.append(operation)
    }

    private mutating func beginNext(_ turn: inout Turn) {
        while running == nil, let operation = operations.popFirst() {
            running = RunningOperation(operation: operation, began: turn.now)
            startRunning(&turn)
        }
    }

    private mutating func startRunning(_ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        let target = operation.attribute.flatMap { attributes?[$0] }
        switch (operation.work, target, operation.attribute) {
        case (.pair, _, _): requestAgent(&turn)
        case (.release(let path), _, _): ask(GattCharacteristic1.stopNotify, at: path, &turn)
        case (.read, .object(let path, let isDescriptor)?, _):
            if !isDescriptor { turn.put(.holdValues(path, true)) }
            ask(
                GattCharacteristic1.readValue, ofDescriptor: isDescriptor, at: path,
                with: [.properties([:])], &turn)
        case (.read, .battery?, _):
            guard let level = turn.mirror.batteries[place.device] else {
                return fail(
                    .backend, details: "the daemon no longer reports the battery", &turn)
            }
            done(.success([UInt8(clamping: level)]), &turn)
        case (.write(let value, let mode), .object(let path, let isDescriptor)?, _):
            let type = mode == .withResponse ? AttributeOption.request : AttributeOption.command
            let options = isDescriptor ? [:] : [AttributeOption.type: DBusValue.string(type)]
            ask(
                GattCharacteristic1.writeValue, ofDescriptor: isDescriptor, at: path,
                with: [.bytes(value), .properties(options)], &turn)
        case (.notify(let isOn), .object(let path, isDescriptor: false)?, let attribute?):
            guard subscriptions.contains(attribute) != isOn else {
                return done(.success([]), &turn)
            }
            if isOn {
                listened.insert(path)
                turn.put(.listen(path, attribute))
            }
            let method = isOn ? GattCharacteristic1.startNotify : GattCharacteristic1.stopNotify
            ask(method, at: path, &turn)
        case (.notify, .battery?, _): done(.success([]), &turn)
        case (.write, .battery?, _), (.notify, .object?, _): fail(.notPermitted, &turn)
        // The number is stale, or unknown.
        case (.read, _, _), (.write, _, _), (.notify, _, _): fail(.noSuchAttribute, &turn)
        }
    }

    private mutating func ask(
        _ method: String, ofDescriptor isDescriptor: Bool = false,
        at path: DBusObjectPath, with arguments: [DBusValue] = [], _ turn: inout Turn
    ) {
        guard let number = running?.operation.number else { return }
        let interface =
            isDescriptor ? GattDescriptor1.interfaceName : GattCharacteristic1.interfaceName
        running?.stage = .asked
        turn.call(
            .operation(number), method, of: interface, at: path, arguments,
            timeout: LinkLimits.operationTimeout)
    }

    private mutating func succeeded(_ reply: DBusReply, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        switch operation.work {
        case .read:
            guard let value = reply.values.first?.bytes else {
                return fail(.backend, details: "an answer without a value", &turn)
            }
            done(.success(value), &turn)
        case .notify(true) where !isKnown(operation.attribute): fail(.noSuchAttribute, &turn)
        case .notify, .write, .release, .pair: done(.success([]), &turn)
        }
    }

    private func isKnown(_ attribute: AttributeID?) -> Bool {
        attribute.flatMap { attributes?[$0] } != nil
    }

    private mutating func fail(_ kind: BLEError.Kind, details: String? = nil, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        done(.failure(BLEError(kind, operation.kind, details: details)), &turn)
    }

    private mutating func fail(_ fault: BlueZFault, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        done(.failure(fault.error(operation.kind)), &turn)
    }

    private mutating func done(_ result: Result<[UInt8], BLEError>, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        deliverHeldValues(answer: try? result.get(), &turn)
        turn.put(.stop(.operation))
        turn.put(.stop(.retry))
        running = nil
        if case .notify(let isOn) = operation.work, let attribute = operation.attribute,
            let target = attributes?[attribute]
        {
            if isOn, case .success = result {
                subscriptions.insert(attribute)
            } else {
                subscriptions.remove(attribute)
                if case .object(let path, _) = target, listened.remove(path) != nil {
                    turn.put(.unlisten(path))
                }
            }
        }
        turn.put(.complete(operation.number, result))
    }

    private mutating func finishRunning(
        _ answer: Result<DBusReply, DBusError>, _ turn: inout Turn
    ) {
        switch answer {
        case .success(let reply): succeeded(reply, &turn)
        case .failure(let error):
            let fault = BlueZFault(error)
            switch fault.meaning {
            case .timedOut: explained = DisconnectReason(.noResponse, details: fault.details)
            case .unlikely where running?.isSilent(turn) == true:
                explained = DisconnectReason(.noResponse, details: fault.details)
            // The end of the link explains these, and completes the operation.
            case .unlikely, .gone, .notConnected, .inProgress, .notPaired: break
            default: fail(fault, &turn)
            }
        }
    }

    // MARK: Faults

    /// Handles the failure of the running operation; returns a reason if the link has to end.
    private mutating func failed(_ fault: BlueZFault, _ turn: inout Turn) -> DisconnectReason? {
        guard let running else { return nil }
        let isKnown = isKnown(running.operation.attribute)
        switch (running.operation.work, fault.meaning) {
        // No caller waits for the release, and no state depends on it.
        case (.release, _),
            // There was no subscription to end.
            (.notify(false), .notBegun) where isKnown,
            (.notify(false), .unknownObject) where isKnown,
            // The subscription is left from an earlier link (testbed).
            (.notify(true), .inProgress) where isKnown:
            done(.success([]), &turn)
        case (_, .inProgress): retry(running, fault, &turn)
        // Neither the device nor the daemon keeps the timeouts of Bluetooth.
        case (_, .timedOut),
            (_, .unlikely) where running.isSilent(turn):
            return DisconnectReason(.noResponse, details: fault.details)
        case (_, .unlikely), (_, .gone), (_, .notConnected):
            // A device's own 0x0E, the loss of the link, and sometimes the start of pairing (5.82
            // and 5.87) give the same error (testbed); a daemon that is gone is reported a moment
            // later.
            self.running?.stage = .explaining(fault)
            turn.put(.start(.operation, LinkLimits.explanationTime))
        case (_, .notPaired) where turn.options.pairing != nil && running.refusal == nil:
            self.running?.refusal = fault
            requestAgent(&turn)
        default: fail(fault, &turn)
        }
        return nil
    }

    /// Retries after a while, until the timeout (pitfall 6: "In Progress" in bleak's client).
    private mutating func retry(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) {
        guard turn.now.duration(since: running.began) < LinkLimits.busyTimeout else {
            return fail(fault, &turn)
        }
        let doublings = min(running.retries, LinkLimits.maximumDoublings)
        pause(for: LinkLimits.firstRetry * (1 << doublings), &turn)
    }

    private mutating func pause(for duration: Duration, _ turn: inout Turn) {
        running?.retries += 1
        running?.stage = .pausing
        turn.put(.start(.retry, duration))
    }

    /// Handles an error that no end of the link has explained; returns a reason to end it.
    private mutating func unexplained(
        _ fault: BlueZFault, _ turn: inout Turn
    ) -> DisconnectReason? {
        if fault.meaning == .notConnected {
            return DisconnectReason(.remote, details: fault.details)
        }
        guard fault.meaning == .unlikely, mayWantKeys, let running, running.refusal == nil else {
            fail(fault, &turn)
            return nil
        }
        self.running?.refusal = fault
        requestAgent(&turn)
        return nil
    }

    // MARK: Pairing

    /// Pairs with the device for the running operation, once the agent is registered. If the daemon
    /// refuses the agent, pairing is tried all the same.
    private mutating func requestAgent(_ turn: inout Turn) {
        let need = turn.newNumber()
        running?.stage = .awaitingAgent(need)
        turn.put(.requestAgent(need))
    }

    private mutating func paired(_ fault: BlueZFault?, _ turn: inout Turn) {
        // The time of pairing does not count: a person may have had to confirm it.
        running?.began = turn.now
        guard let running else { return }
        guard let fault, fault.meaning != .alreadyExists else {
            guard running.operation.work == .pair else { return startRunning(&turn) }
            return done(.success([]), &turn)
        }
        if fault.meaning == .inProgress, running.retries < LinkLimits.maximumPairingPauses {
            return pause(for: LinkLimits.pairingPause, &turn)
        }
        guard let refusal = running.refusal else { return fail(fault, &turn) }
        var error = refusal.error(running.operation.kind)
        error.details = "\(refusal.details); pairing: \(fault.details)"
        done(.failure(error), &turn)
    }

    // MARK: Values and subscriptions

    /// Holds a value until the reply to the present read, or delivers it. Beyond the limit, the
    /// oldest held value is delivered.
    private mutating func holdOrDeliver(
        _ value: [UInt8], of attribute: AttributeID, _ turn: inout Turn
    ) {
        guard running?.operation.work == .read, running?.operation.attribute == attribute else {
            return turn.put(.deliverValues([value], attribute))
        }
        running?.held.append(value)
        guard let held = running?.held, held.count > LinkLimits.maximumHeld else { return }
        running?.held.removeFirst()
        turn.put(.deliverValues([held[0]], attribute))
    }

    private mutating func deliverHeldValues(answer: [UInt8]?, _ turn: inout Turn) {
        guard let running, running.operation.work == .read,
            let attribute = running.operation.attribute
        else { return }
        if case .object(let path, isDescriptor: false)? = attributes?[attribute] {
            turn.put(.holdValues(path, false))
        }
        var values = running.held
        if let answer, let last = values.lastIndex(of: answer) { values.remove(at: last) }
        if !values.isEmpty { turn.put(.deliverValues(values, attribute)) }
    }

    /// Ends all subscriptions, whose numbers are stale.
    private mutating func releaseSubscriptions(_ turn: inout Turn) {
        for path in unlisten(&turn) {
            let number = turn.newNumber()
            queue(LinkOperation(number: number, attribute: nil, work: .release(path)), &turn)
            beginNext(&turn)
        }
        subscriptions = []
    }

    /// Stops all signals, and returns the characteristics that still exist.
    private mutating func unlisten(_ turn: inout Turn) -> [DBusObjectPath] {
        let paths = listened.sorted { $0.comesBefore($1) }
        listened = []
        for path in paths { turn.put(.unlisten(path)) }
        return paths.filter { turn.mirror.characteristics[$0] != nil }
    }

    // MARK: The end

    /// Delivers the end, together with the state of the services (pitfall 3: bleak#1489,
    /// bluez#712): a link that breaks before discovery is a separate problem. All pending
    /// operations fail, and the daemon's subscriptions are ended.
    fileprivate mutating func end(_ reason: DisconnectReason, _ turn: inout Turn) {
        var reason = reason
        if !resolution.wasKnown, reason.kind != .local {
            let text = "services resolved: no, link: down"
            reason = DisconnectReason(
                reason.kind, details: reason.details.map { "\($0); \(text)" } ?? text)
        }
        deliverHeldValues(answer: nil, &turn)
        turn.put(.deliver(.disconnected(reason)))
        completeWaiters(
            .failure(BLEError(.disconnected, .discover, disconnectReason: reason)), &turn)
        let left = (running.map { [$0.operation] } ?? []) + operations.removeAll()
        for operation in left {
            let error = BLEError(.disconnected, operation.kind, disconnectReason: reason)
            turn.put(.complete(operation.number, .failure(error)))
        }
        for path in unlisten(&turn) {
            turn.call(
                .ignored, GattCharacteristic1.stopNotify, of: GattCharacteristic1.interfaceName,
                at: path, timeout: LinkLimits.releaseTimeout)
        }
    }
}

enum LinkInput: Sendable {
    /// Starts the attempt: no earlier link to the same device is left.
    case begin
    /// The app cancels the attempt, or closes the link.
    case cancel, close
    case discover(UInt64)
    case submit(LinkOperation)

    case adapter(Result<DBusObjectPath, Outage>)
    case lookup(DeviceLookup)
    case discoveryEnded(Outage, on: DBusObjectPath?)
    /// The adapter, the daemon or the bus is gone: the reason for the end of a link, and the error
    /// kind of an attempt.
    case lost(DisconnectReason, orElse: BLEError.Kind)
    case agentReady(UInt64)

    case connected, disconnected, deviceRemoved, paired
    case resolved(Bool)
    case attributesChanged, mtuChanged
    case battery(Int)
    case reason(name: String, text: String)
    /// A value of a characteristic that is being read.
    case value([UInt8], AttributeID)

    case connectAnswered(attempt: Int, DBusError?)
    case disconnectAnswered, strayChecked
    case answered(step: UInt64, Result<DBusReply, DBusError>)
    case pairAnswered(need: UInt64, DBusError?)

    case timer(LinkTimer)
}

enum DeviceLookup: Hashable, Sendable {
    case unknown
    /// The device is connected, and its link is about to end.
    case disconnecting
    /// The device has another link of this program.
    case inUse
    case there(DBusObjectPath)
}

enum LinkTimer: Hashable, Sendable {
    /// The timeout of the present phase: discovery, the daemon's reply, the next attempt, the end.
    case step
    /// The end of a change of services.
    case quiet
    case resolution
    /// The present operation: waiting for the link's end to explain an error.
    case operation
    case retry
}

enum DiscoveryHold: Hashable, Sendable {
    case searching
    /// To keep the daemon from removing the device.
    case keeping
}

/// The owner of a call, which receives its reply.
enum LinkCall: Hashable, Sendable {
    case connect(attempt: Int)
    case operation(UInt64)
    case pair(need: UInt64)
    case ignored
}

enum LinkEffect: Hashable, Sendable {
    /// Requests an adapter; ``LinkInput/adapter(_:)`` follows, and a lookup.
    case requestAdapter
    case holdDiscovery(DiscoveryHold), releaseDiscovery(DiscoveryHold)
    /// Requests or releases the pairing agent; ``LinkInput/agentReady(_:)`` follows a request.
    case requestAgent(UInt64), releaseAgent(UInt64)
    /// Disconnects; ``LinkInput/disconnectAnswered`` follows.
    case disconnect(DBusObjectPath)
    /// Reads `Connected`, which may be unannounced; ``LinkInput/strayChecked`` follows.
    case askWhetherConnected(DBusObjectPath)
    case call(LinkCall, DBusCall, timeout: Duration)
    case start(LinkTimer, Duration), stop(LinkTimer)
    /// Starts or stops delivering a characteristic's values to this link.
    case listen(DBusObjectPath, AttributeID), unlisten(DBusObjectPath)
    /// Routes values through the machine during a read (`true`), or past it.
    case holdValues(DBusObjectPath, Bool)
    case opened, failed(BLEError)
    case deliver(LinkEvent), deliverValues([[UInt8]], AttributeID)
    case complete(UInt64, Result<[UInt8], BLEError>)
    case completeServices([UInt64], Result<[GATTService], BLEError>)
    case reportFault(String)
    /// The end; no effect follows.
    case ended
}

struct LinkTurn: Sendable {
    let now: Moment
    let mirror: BlueZMirror
    let options: BlueZOptions
    /// The time without an answer after which the end of a link means
    /// ``DisconnectReason/Kind/noResponse``.
    var silenceThreshold = LinkLimits.silenceThreshold
    /// The last number of an operation; the numbers are unique across all links.
    private(set) var lastNumber: UInt64 = 0
    private(set) var effects: [LinkEffect] = []

    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func put(_ effect: LinkEffect) { effects.append(effect) }

    fileprivate mutating func call(
        _ owner: LinkCall, _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration
    ) {
        let call = DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments)
        put(.call(owner, call, timeout: timeout))
    }

    fileprivate func isConnected(_ device: DBusObjectPath) -> Bool {
        mirror.devices[device]?.isConnected == true
    }

    fileprivate mutating func ignore(_ input: LinkInput) {
        switch input {
        // The daemon and the device may do anything at any time, and their replies may be late: a
        // link to which an event or a reply means nothing goes on.
        case .discoveryEnded, .lost, .connected, .disconnected, .deviceRemoved, .paired, .resolved,
            .attributesChanged, .mtuChanged, .battery, .reason, .value, .connectAnswered,
            .disconnectAnswered, .strayChecked, .answered, .pairAnswered:
            break
        // The app cancels an attempt that has just succeeded, or cancels it twice.
        case .cancel: break
        // The agent is there for the whole link, and no operation waits for it.
        case .agentReady: break
        // The session begins attempts that wait, looks up devices for attempts that listen, passes
        // on the app's requests for open links only, and starts and stops timers as it is told.
        case .begin, .close, .discover, .submit, .adapter, .lookup, .timer:
            put(.reportFault("a link cannot get \(input) now"))
        }
    }
}

enum LinkLimits {
    static let connectTimeout: Duration = .seconds(60)
    static let searchTimeout: Duration = .seconds(120)
    /// The time for the reply to `Connect` once the device is connected.
    static let lateAnswer: Duration = .seconds(5)
    /// The time for the connection once `Connect` has succeeded.
    static let lateLink: Duration = .seconds(2)
    static let maximumFailures = 4
    /// The backoff before the second attempt; doubled before each next one.
    static let firstBackoff: Duration = .milliseconds(250)
    /// A failure of `Connect` after this time means that the device is absent.
    static let shortestAbsence: Duration = .seconds(20)
    static let othersBackoff: Duration = .milliseconds(500)

    /// The timeout of `Disconnect`; less than the layer above allows.
    static let disconnectTimeout: Duration = .seconds(4)
    /// The time during which a device that reconnects is disconnected again.
    static let disconnectRetryTimeout: Duration = .seconds(8)
    /// The wait for the reason of an end: 20 ms were seen (testbed).
    static let reasonTimeout: Duration = .milliseconds(100)
    /// The time in which a cancelled link may still be established: 13 ms were seen (5.66, in the
    /// virtual machine).
    static let strayTimeout: Duration = .milliseconds(50)

    /// Services are complete when none was added for this time.
    static let quietTime: Duration = .milliseconds(150)
    /// The wait for the daemon to add `Battery1`.
    static let batteryTime: Duration = .milliseconds(500)
    static let resolutionTimeout: Duration = .seconds(30)

    /// The maximum number of queued operations: more than the layer above ever queues.
    static let maximumOperations = 1024
    /// The timeout of an operation: Bluetooth gives a device 30 seconds, after which the daemon
    /// ends the link.
    static let operationTimeout: Duration = .seconds(33)
    static let releaseTimeout: Duration = .seconds(10)
    /// The time without an answer that explains the end of a link: a little less than the 30
    /// seconds after which Bluetooth demands the end.
    static let silenceThreshold: Duration = .seconds(29)
    static let busyTimeout: Duration = .seconds(10)
    /// The first retry interval while the daemon is busy; doubled each time, up to 640 ms.
    static let firstRetry: Duration = .milliseconds(10)
    static let maximumDoublings = 6
    static let explanationTime: Duration = .milliseconds(250)
    static let maximumHeld = 64

    /// The timeout of pairing: a person may have to confirm it at the other end.
    static let pairingTimeout: Duration = .seconds(60)
    static let pairingPause: Duration = .seconds(1)
    /// The maximum number of retries: another program's pairing may take as long as ours.
    static let maximumPairingPauses = 60

    /// The number of bytes before a value in a packet.
    static let packetHeader = 3
    /// The maximum length of a value in the smallest packet of Bluetooth.
    static let shortestMaximum = 20
    /// The maximum length of a value in one packet that a device run by BlueZ accepts, though 512
    /// bytes are allowed: a longer one is lost without an error (testbed).
    static let longestMaximum = 510
}
#endif
