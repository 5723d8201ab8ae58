#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The state machine of one link, from the connection attempt to its end: a value with inputs and
/// effects. Data that exists only in one phase is part of that phase.
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
/// The end of a link:
/// - A link that the app closes ends when the daemon reports its end: until then the device is
///   still connected. That takes two to three seconds (testbed); after the timeout it ends in any
///   case.
/// - An end that the app did not request is reported a moment later, with the reason that the
///   daemon gives in that moment.
/// - A cancelled link may still be established, after both replies: without an owner it would block
///   the device for all programs. So its end is awaited, unless there was a link.
/// - Subscriptions are ended with the link: the daemon would keep them for the next one (testbed).
///
/// The tables give the transitions, phase by phase. An input that is in none of them has no effect.
/// Shorthands:
///
///     fail e          the attempt is completed with e; ended
///     ended           discovery and the agent are released, subscriptions ended; the last effect
///     end r           the end is delivered, with the known reason or else r; all pending
///                     operations fail with it; ended
///     disconnect      the link's timers stop; `Disconnect`, for 4 s                → asked
///     open            the attempt is completed with a link; refresh (see `OpenLink`)  → open
///     connect         `Connect`, for 60 s                                          → asked
///     retry e         the 4th failure: disconnect if the device is connected, or else fail e;
///                     before that a backoff of 250 ms, doubled each time           → backingOff
///     vanished        discovery is released; the 4th failure: fail notFound; or else a
///                     backoff of 250 ms                                            → pausing
///
/// In each phase: `lost` → end, or fail. While waiting, searching or connecting: `cancel` → fail
/// cancelled, unless another line says more.
///
///     waiting         an earlier link to the device is still being closed
///       begin                              a timer of 120 s; requests an adapter   → adapter
///     searching
///      adapter        an adapter is awaited
///       adapter a                                                                  → listening a
///       adapter none                       fail
///       step                               fail notFound
///      listening      the device is not discovered yet
///       lookup unknown, disconnecting      discovery is held, once
///       lookup inUse                       fail alreadyConnected
///       lookup there, not connected        the agent and discovery are held; connect
///       lookup there, connected            the agent is held; open, or fail alreadyConnected if
///                                          links are not adopted
///       discoveryEnded, if it was held     fail
///       step                               fail notFound
///      pausing        the daemon has removed the device
///       step                               as `begin`
///     connecting
///      asked          `Connect` waits for its reply
///       connected                          a timer of 5 s for the reply
///       disconnected                       that timer stops; no services are known
///       step                               open: `Connect` hangs (pitfall 9: tinygo#320)
///       connectAnswered, connected         open
///       connectAnswered, not connected     a timer of 2 s for the link             → answered
///       connectAnswered, failed            see `connectFailed`
///       cancel                             completed with cancelled; disconnect
///      answered, backingOff, othersConnecting
///       connected                          open; or fail alreadyConnected if another program has
///                                          connected it and links are not adopted
///       cancel                             the same as `asked`; but another program's attempt
///                                          goes on: fail cancelled
///      answered
///       step                               retry
///      backingOff e
///       step                               retry e if the device is connected; or else connect
///      othersConnecting
///       step                               connect
///      all
///       resolved                           kept for the link
///       disconnected                       reset
///       deviceRemoved                      vanished
///     open            see `OpenLink`
///       close                              disconnect, for the reason `local`
///       reason                             kept, if there is none
///       disconnected                       the timers stop; noResponse if the running operation is
///                                          29 s old; end if the reason is known; or else a timer
///                                          of 100 ms for the reason               → ending
///       deviceRemoved                      end remote
///     ending          it has ended by itself
///       step, connected, close, deviceRemoved   end
///       reason                             kept, if there is none; end
///       discover, submit                   fails with the end
///     disconnecting   the daemon was asked to disconnect, or to cancel `Connect`
///      all
///       connected                          `Disconnect` again, for 4 s             → asked
///                                          but after 8 s it is another program's: end
///       connectAnswered, connected         the same
///       connectAnswered, not connected     a timer of 50 ms                        → stray
///       disconnected, unless `Connect` is pending   end
///       deviceRemoved                      end
///       discover, submit                   fails at once
///      asked
///       disconnectAnswered                 end, if there was a link; or else a timer of 50 ms
///                                          → stray; not while it is connected or pending
///       step                               end: not reported in time (bluez#947)
///      stray          a link may still come
///       step                               reads `Connected`, for 4 s              → checking
///      checking       the reply comes after all signals that the daemon has sent before
///       strayChecked, not connected        end
///       step                               end
struct LinkMachine: Sendable, Equatable {
    typealias Turn = LinkTurn

    enum Phase: Sendable, Equatable {
        case waiting
        case searching(Searching)
        case connecting(Connecting)
        case open(OpenLink)
        case ending(OpenLink)
        case disconnecting(Disconnecting)
        case ended
    }

    /// The count of attempts, from the first one to the link.
    struct Attempt: Sendable, Equatable {
        /// The number of `Connect` calls: only the reply to the last one counts.
        var count = 0
        /// The number of failures that were worth a retry.
        var failures = 0
        /// The time since which another program is connecting the device, until an attempt
        /// succeeds.
        var othersSince: Moment?
    }

    struct Searching: Sendable, Equatable {
        enum Stage: Sendable, Equatable {
            case adapter
            case listening(on: DBusObjectPath, holdsDiscovery: Bool)
            case pausing(on: DBusObjectPath)
        }

        var stage = Stage.adapter
        var attempt: Attempt

        var hold: DiscoveryHold? { if case .listening(_, true) = stage { .searching } else { nil } }

        var adapter: DBusObjectPath? {
            switch stage {
            case .adapter: nil
            case .listening(let adapter, _), .pausing(let adapter): adapter
            }
        }
    }

    struct Connecting: Sendable, Equatable {
        enum Stage: Sendable, Equatable {
            case asked(since: Moment, isConnected: Bool)
            case answered
            /// The error of the last attempt.
            case backingOff(BLEError)
            case othersConnecting
        }

        let place: LinkPlace
        var stage: Stage
        var attempt: Attempt
        /// The purpose for which discovery is held, from the search on.
        let hold: DiscoveryHold
        /// The state of the services: the daemon may announce them before it replies.
        var resolution = LinkResolution.unknown(wasKnown: false)

        var isAsked: Bool { if case .asked = stage { true } else { false } }
    }

    struct Disconnecting: Sendable, Equatable {
        enum What: Sendable, Equatable {
            case link(OpenLink, DisconnectReason)
            /// A finished attempt, whose `Connect` may still wait for its reply.
            case attempt(LinkPlace, pending: Int?)
        }

        enum Stage: Hashable, Sendable { case asked, stray, checking }

        var what: What
        let since: Moment
        var stage = Stage.asked

        var place: LinkPlace {
            switch what {
            case .link(let link, _): link.place
            case .attempt(let place, _): place
            }
        }

        var pending: Int? { if case .attempt(_, let pending) = what { pending } else { nil } }

        /// The link that is disconnecting, if it was open.
        var link: OpenLink? { if case .link(let link, _) = what { link } else { nil } }
    }

    let address: String
    private(set) var phase = Phase.waiting
    /// The need for the pairing agent, which lasts as long as the link, as the device may demand
    /// pairing; `nil` if there is none.
    private(set) var agentNeed: UInt64?

    init(address: String) { self.address = address }

    mutating func handle(_ input: LinkInput, _ turn: inout Turn) {
        switch input {
        case .lost(let reason, let kind): phase = lost(take(), reason, kind, &turn)
        case .agentReady(let need) where !wants(need): turn.put(.releaseAgent(need))
        default:
            switch take() {
            case .waiting: phase = waiting(input, &turn)
            case .searching(let searching): phase = self.searching(searching, input, &turn)
            case .connecting(let state): phase = connecting(state, input, &turn)
            case .open(let link): phase = open(link, input, &turn)
            case .ending(let link): phase = ending(link, input, &turn)
            case .disconnecting(let disconnecting):
                phase = self.disconnecting(disconnecting, input, &turn)
            case .ended: break
            }
        }
    }

    /// Takes the phase out, so that its payload is mutated and not copied; each handler returns the
    /// next phase.
    private mutating func take() -> Phase {
        var taken = Phase.ended
        swap(&taken, &phase)
        return taken
    }

    private func wants(_ need: UInt64) -> Bool {
        if case .open(let link) = phase, link.running?.stage == .awaitingAgent(need) { return true }
        return need == agentNeed
    }

    mutating func ended(_ turn: inout Turn) -> Phase {
        if let agentNeed { turn.put(.releaseAgent(agentNeed)) }
        agentNeed = nil
        turn.put(.ended)
        return .ended
    }

    // MARK: Searching

    private mutating func waiting(_ input: LinkInput, _ turn: inout Turn) -> Phase {
        switch input {
        case .begin: search(Attempt(), &turn)
        case .cancel: fail(BLEError(.cancelled, .connect), nil, &turn)
        default: .waiting
        }
    }

    private func search(_ attempt: Attempt, _ turn: inout Turn) -> Phase {
        turn.put(.start(.step, LinkLimits.searchTimeout))
        turn.put(.requestAdapter)
        return .searching(Searching(attempt: attempt))
    }

    private mutating func searching(
        _ searching: consuming Searching, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch (input, searching.stage) {
        case (.adapter(.success(let adapter)), .adapter):
            searching.stage = .listening(on: adapter, holdsDiscovery: false)
        case (.adapter(.failure(let outage)), .adapter):
            return fail(outage.error(.connect), nil, &turn)
        case (.lookup(let lookup), .listening(let adapter, _)):
            return lookedUp(lookup, on: adapter, searching, &turn)
        case (.discoveryEnded(let outage, let place), .listening(let adapter, true))
        where place == adapter: return fail(outage.error(.connect), searching.hold, &turn)
        case (.timer(.step), .pausing): return search(searching.attempt, &turn)
        case (.timer(.step), _): return fail(BLEError(.notFound, .connect), searching.hold, &turn)
        case (.cancel, _): return fail(BLEError(.cancelled, .connect), searching.hold, &turn)
        default: break
        }
        return .searching(searching)
    }

    private mutating func lookedUp(
        _ lookup: DeviceLookup, on adapter: DBusObjectPath, _ searching: Searching,
        _ turn: inout Turn
    ) -> Phase {
        switch lookup {
        case .unknown, .disconnecting:
            // The daemon may remove a device together with its link.
            guard searching.hold == nil else { return .searching(searching) }
            turn.put(.holdDiscovery(.searching))
            return .searching(
                Searching(
                    stage: .listening(on: adapter, holdsDiscovery: true), attempt: searching.attempt
                ))
        case .inUse:
            // The device has another address now: pairing can change it (pitfall 20: bleak#1737).
            turn.put(.stop(.step))
            return fail(BLEError(.alreadyConnected, .connect), searching.hold, &turn)
        case .there(let device):
            holdAgent(for: device, &turn)
            let place = LinkPlace(device: device, adapter: adapter)
            guard turn.isConnected(device) else {
                turn.put(.stop(.step))
                if searching.hold == nil { turn.put(.holdDiscovery(.keeping)) }
                return connect(place, searching.attempt, searching.hold ?? .keeping, &turn)
            }
            // Another program has connected it, or this one before a crash (pitfall 7: bluez#89):
            // `Connect` would have no effect.
            guard turn.options.adoptsConnected else {
                turn.put(.stop(.step))
                return fail(BLEError(.alreadyConnected, .connect), searching.hold, &turn)
            }
            let isResolved = turn.mirror.devices[device]?.isResolved == true
            return open(
                place,
                isResolved ? .announced(for: device, in: turn.mirror) : .unknown(wasKnown: false),
                searching.hold, &turn)
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

    private func connect(
        _ place: LinkPlace, _ attempt: Attempt, _ hold: DiscoveryHold, _ turn: inout Turn
    ) -> Phase {
        var attempt = attempt
        attempt.count += 1
        turn.call(
            .connect(attempt: attempt.count), Device1.connect,
            of: turn.mirror.linkInterface(of: place.device), at: place.device,
            timeout: LinkLimits.connectTimeout)
        return .connecting(
            Connecting(
                place: place, stage: .asked(since: turn.now, isConnected: false),
                attempt: attempt, hold: hold))
    }

    private mutating func connecting(
        _ state: Connecting, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        var state = state
        switch (input, state.stage) {
        case (.connected, .asked(let since, _)):
            turn.put(.start(.step, LinkLimits.lateAnswer))
            state.stage = .asked(since: since, isConnected: true)
        case (.connected, _):
            // Another program that has requested the connection has it, too.
            guard state.attempt.othersSince == nil || turn.options.adoptsConnected else {
                return fail(BLEError(.alreadyConnected, .connect), state.hold, &turn)
            }
            return open(state, &turn)
        case (.disconnected, let stage):
            // The services were those of the link that has ended.
            state.resolution = .unknown(wasKnown: false)
            guard case .asked(let since, true) = stage else { break }
            turn.put(.stop(.step))
            state.stage = .asked(since: since, isConnected: false)
        case (.connectAnswered(let attempt, let error), .asked(let since, _))
        where attempt == state.attempt.count:
            guard let error else { return connected(state, &turn) }
            return connectFailed(state, BlueZFault(error), since: since, &turn)
        case (.timer(.step), _): return nextAttempt(state, &turn)
        case (.resolved(let isResolved), _):
            state.resolution =
                isResolved
                ? .announced(for: state.place.device, in: turn.mirror)
                : .unknown(wasKnown: state.resolution.wasKnown)
        case (.deviceRemoved, _): return deviceVanished(state, &turn)
        case (.cancel, _):
            let error = BLEError(.cancelled, .connect)
            guard state.isAsked || state.attempt.othersSince == nil else {
                return fail(error, state.hold, &turn)
            }
            return disconnect(state, error, pending: state.isAsked, &turn)
        default: break
        }
        return .connecting(state)
    }

    private mutating func nextAttempt(_ state: Connecting, _ turn: inout Turn) -> Phase {
        switch state.stage {
        case .asked: return open(state, &turn)
        case .answered:
            let text = "the link was gone as soon as it was there"
            return retryConnect(state, BLEError(.backend, .connect, details: text), &turn)
        case .backingOff(let error) where turn.isConnected(state.place.device):
            // The last attempt has to end first: the daemon reports that.
            return retryConnect(state, error, &turn)
        case .backingOff, .othersConnecting:
            return connect(state.place, state.attempt, state.hold, &turn)
        }
    }

    private mutating func connected(_ state: consuming Connecting, _ turn: inout Turn) -> Phase {
        state.attempt.othersSince = nil
        guard !turn.isConnected(state.place.device) else { return open(state, &turn) }
        state.stage = .answered
        turn.put(.askWhetherConnected(state.place.device))
        turn.put(.start(.step, LinkLimits.lateLink))
        return .connecting(state)
    }

    private mutating func connectFailed(
        _ state: Connecting, _ fault: BlueZFault, since: Moment, _ turn: inout Turn
    ) -> Phase {
        var (kind, details) = (BLEError.Kind.backend, fault.details)
        switch fault.meaning {
        case .aborted:
            // "le-connection-abort-by-local" after 40 s means that the device is absent (testbed).
            // Soon after `Connect` it means a radio failure (pitfall 4: bleak#239, #666, #993,
            // #1673; bluez#615).
            guard turn.now.duration(since: since) < LinkLimits.shortestAbsence else {
                kind = .timedOut
                break
            }
            details +=
                "; radio interference does that, of Wi-Fi on the same board or of USB 3 "
                + "for example"
            return retryConnect(state, BLEError(.backend, .connect, details: details), &turn)
        case .inProgress: return awaitOthers(state, fault, &turn)
        case .cancelled:
            // Another program has cancelled the attempt.
            return retryConnect(state, BLEError(.backend, .connect, details: details), &turn)
        case .alreadyConnected:
            guard !turn.isConnected(state.place.device) else { return open(state, &turn) }
            return retryConnect(
                state, BLEError(.alreadyConnected, .connect, details: details), &turn)
        case .unknownObject: return deviceVanished(state, &turn)
        case .timedOut:
            let error = BLEError(.timedOut, .connect, details: details)
            return disconnect(state, error, pending: false, &turn)
        case .notReady: kind = .bluetoothOff
        case .inputOutput:
            // The error of an adapter that is off (testbed), and of other failures.
            if turn.mirror.adapters[state.place.adapter]?.isOn == false { kind = .bluetoothOff }
        case .bondLost:
            kind = .bondLost
            details += Self.bondHint(address)
        case .denied: kind = .unauthorized
        default: break
        }
        let error = BLEError(kind, .connect, details: details)
        guard turn.isConnected(state.place.device), state.attempt.othersSince == nil else {
            return fail(error, state.hold, &turn)
        }
        // A link without an owner would block the device for all programs.
        return disconnect(state, error, pending: false, &turn)
    }

    /// Returns the hint for a device that has deleted the bond which this computer still has.
    static func bondHint(_ address: String) -> String {
        "; bluetoothctl remove \(address) forgets it here, too"
    }

    private mutating func retryConnect(
        _ state: consuming Connecting, _ error: BLEError, _ turn: inout Turn
    ) -> Phase {
        state.attempt.failures += 1
        guard state.attempt.failures < LinkLimits.maximumFailures else {
            guard turn.isConnected(state.place.device) else {
                return fail(error, state.hold, &turn)
            }
            return disconnect(state, error, pending: false, &turn)
        }
        state.stage = .backingOff(error)
        let pause = LinkLimits.firstBackoff * (1 << (state.attempt.failures - 1))
        turn.put(.start(.step, pause))
        return .connecting(state)
    }

    /// Waits for another program that is connecting the device.
    private mutating func awaitOthers(
        _ state: consuming Connecting, _ fault: BlueZFault, _ turn: inout Turn
    ) -> Phase {
        let since = state.attempt.othersSince ?? turn.now
        guard turn.now.duration(since: since) < LinkLimits.connectTimeout else {
            let error = BLEError(.backend, .connect, details: fault.details)
            return fail(error, state.hold, &turn)
        }
        state.attempt.othersSince = since
        state.stage = .othersConnecting
        turn.put(.start(.step, LinkLimits.othersBackoff))
        return .connecting(state)
    }

    /// Searches anew for a device that the daemon has removed, as it does after discovery ends
    /// (pitfall 8: bleak, "may have been removed when scanning stopped").
    private mutating func deviceVanished(_ state: Connecting, _ turn: inout Turn) -> Phase {
        // The hold kept a present device: now a search is needed.
        turn.put(.releaseDiscovery(state.hold))
        var attempt = state.attempt
        attempt.failures += 1
        guard attempt.failures < LinkLimits.maximumFailures else {
            let text = "the daemon forgets the device as often as it hears of it"
            return fail(BLEError(.notFound, .connect, details: text), nil, &turn)
        }
        turn.put(.start(.step, LinkLimits.firstBackoff))
        return .searching(Searching(stage: .pausing(on: state.place.adapter), attempt: attempt))
    }

    private func open(_ state: Connecting, _ turn: inout Turn) -> Phase {
        open(state.place, state.resolution, state.hold, &turn)
    }

    private func open(
        _ place: LinkPlace, _ resolution: LinkResolution, _ hold: DiscoveryHold?, _ turn: inout Turn
    ) -> Phase {
        turn.put(.stop(.step))
        if let hold { turn.put(.releaseDiscovery(hold)) }
        turn.put(.opened)
        var link = OpenLink(place: place, mayWantKeys: agentNeed != nil, resolution: resolution)
        link.refreshServices(&turn)
        return .open(link)
    }
}
#endif
