#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// One link, from the wish for it until its end: a value that is told what happens, and puts down
/// what is to be done about it. What exists only while a link is there is part of that state.
///
/// How a link begins:
/// - A device that the daemon does not know is waited for while it looks for devices; whoever
///   connects says how long.
/// - While the daemon connects, it goes on looking: it forgets devices when nobody looks any more
///   (pitfall 8: bleak#971, and "UnknownObject" in the testbed).
/// - The daemon's answer is waited for longer than it takes: 40.5 s for a device that is not there
///   (testbed). Sometimes none comes (pitfall 9: tinygo#320), which a link that is there makes
///   good.
///
/// How it ends:
/// - A link that the app closes has ended when the daemon says so: before, the device is still
///   connected. That takes two to three seconds (testbed); a daemon that does not say is not
///   waited for.
/// - A link that ends by itself is told a moment later, with what the daemon says about it in
///   that moment: that the adapter was switched off, or why the link ended.
/// - A link that was called off may come all the same, after both answers: then it is nobody's,
///   and would keep the device from everybody. So the end is waited for, unless there was a link.
/// - Subscriptions that are left are ended: the daemon would keep them for the next link
///   (testbed).
///
/// The tables say what comes of what, state by state. What is in none of them changes nothing, and
/// nothing is done about it. Shorthands:
///
///     fail e     the attempt is answered with e; over
///     over       discovery and the agent are let go, subscriptions and sockets ended; nothing
///                comes after it
///     end r      the link's end is told, with the reason that is known or else r; everything
///                that was asked for fails with it; over
///     leave      the waits of the link stop; `Disconnect` is asked, for 4 s           → asked
///     open       the attempt is answered with a link; review (see `OpenLink`)         → open
///     connect    `Connect` is asked, for 60 s                                         → asked
///     again e    the 4th failure: leave if the device is connected, or else fail e;
///                before that a pause of 250 ms, twice as long each time              → backing off
///     vanish     discovery is let go; the 4th failure: fail notFound; or else a
///                pause of 250 ms                                                      → pausing
///
/// In each state: `lost` → end, or fail. What is waiting, seeking or connecting: `cancel` → fail
/// cancelled, where no other line says more.
///
///     waiting         an earlier link to the device is still being closed
///       begin                              a wait of 120 s; an adapter is wanted   → adapter
///     seeking
///      adapter        an adapter is awaited
///       adapter a                                                                  → listening a
///       adapter none                       fail
///       step                               fail notFound
///      listening      the device is still to be heard of
///       look unknown, parting              discovery is held, once
///       look taken                         fail alreadyConnected
///       look there, not connected          the agent and discovery are held; connect
///       look there, connected              the agent is held; open, or fail alreadyConnected if
///                                          links are not adopted
///       discoveryEnded, if it was held     fail
///       step                               fail notFound
///      pausing        the daemon has forgotten the device
///       step                               as `begin`
///     connecting
///      asked          `Connect` has no answer
///       connected                          a wait of 5 s for the answer
///       disconnected                       that wait stops; no services are known
///       step                               open: `Connect` hangs (pitfall 9: tinygo#320)
///       connectAnswered, connected         open
///       connectAnswered, not connected     a wait of 2 s for the link              → answered
///       connectAnswered, failed            see `connectFailed`
///       cancel                             answered cancelled; leave
///      answered, backingOff, othersConnecting
///       connected                          open; or fail alreadyConnected if another program has
///                                          connected it and links are not adopted
///       cancel                             the same as `asked`; but what another program is
///                                          doing is not ours to end: fail cancelled
///      answered
///       step                               again
///      backingOff e
///       step                               again e if the device is connected; or else connect
///      othersConnecting
///       step                               connect
///      all
///       resolved                           kept for the link
///       disconnected                       forgotten
///       deviceRemoved                      vanish
///     open            see `OpenLink`
///       close                              leave, for the reason `local`
///       reason                             kept, if there is none
///       disconnected                       the waits stop; noResponse if the running operation is
///                                          29 s old; end if the reason is known and no socket
///                                          has values; or else a wait of 100 ms for the reason,
///                                          or of 1 s for the sockets              → ending
///       deviceRemoved                      end remote
///     ending          it has ended by itself
///       step, connected, close, deviceRemoved   end
///       reason                             kept, if there is none; end if no socket has values
///       socketEnded, the last with values  end if the reason is known; or else a wait of 100 ms
///       discover, submit                   fails with the end
///     leaving         the daemon was asked to end it, or to connect no longer
///      all
///       connected                          `Disconnect` is asked again, for 4 s   → asked
///                                          but after 8 s it is another program's: end
///       connectAnswered, connected         the same
///       connectAnswered, not connected     a wait of 50 ms                         → stray
///       disconnected, unless `Connect` is pending
///                                          end; if sockets have values, first a wait of 1 s
///                                                                                  → draining
///       deviceRemoved                      end
///       discover, submit                   fails at once
///      asked
///       disconnectAnswered                 end, if there was a link; or else a wait of 50 ms
///                                          → stray; not while it is connected or pending
///       step                               end: the daemon has not said so in time (bluez#947)
///      stray          a link may still come
///       step                               a question, for 4 s                     → checking
///      checking       the answer to one more question comes after what the daemon has said
///       strayChecked, not connected        end
///       step                               end
///      draining       sockets may still have values
///       socketEnded, the last with values  end
///       step                               end
struct LinkMachine: Sendable, Equatable {
    typealias Turn = LinkTurn

    enum Phase: Sendable, Equatable {
        case waiting
        case seeking(Seeking)
        case connecting(Connecting)
        case open(OpenLink)
        case ending(OpenLink)
        case leaving(Leaving)
        case over
    }

    /// What there was of attempts, from the first one to the link.
    struct Attempt: Sendable, Equatable {
        /// How often the daemon was asked: which answer is to the last question.
        var count = 0
        /// How often what the daemon said was worth another attempt.
        var failures = 0
        /// Since when another program is connecting the device: until an attempt succeeds.
        var othersSince: Moment?
    }

    struct Seeking: Sendable, Equatable {
        enum Stage: Sendable, Equatable {
            case adapter
            case listening(on: DBusObjectPath, holdsDiscovery: Bool)
            case pausing(on: DBusObjectPath)
        }

        var stage = Stage.adapter
        var attempt: Attempt

        var hold: LinkHold? { if case .listening(_, true) = stage { .seeking } else { nil } }

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
            /// What the attempt before came to.
            case backingOff(BLEError)
            case othersConnecting
        }

        let place: LinkPlace
        var stage: Stage
        var attempt: Attempt
        /// The first need for discovery goes on, if there was one before.
        let hold: LinkHold
        /// The daemon may say that the services are known before it answers.
        var resolution = LinkResolution.unknown(wasKnown: false)

        var isAsked: Bool { if case .asked = stage { true } else { false } }
    }

    struct Leaving: Sendable, Equatable {
        enum What: Sendable, Equatable {
            case link(OpenLink, DisconnectReason)
            /// An attempt that was answered, and whose `Connect` may not be.
            case attempt(LinkPlace, pending: Int?)
        }

        enum Stage: Hashable, Sendable { case asked, stray, checking, draining }

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

        /// The link, if there was one.
        var link: OpenLink? { if case .link(let link, _) = what { link } else { nil } }

        var hasValueSockets: Bool { link?.sockets.isEmpty == false }
    }

    let address: String
    private(set) var phase = Phase.waiting
    /// What our agent is there for as long as the link is: the device may want to be paired with.
    private(set) var agentNeed: UInt64?

    init(address: String) { self.address = address }

    mutating func handle(_ input: LinkInput, _ turn: inout Turn) {
        switch input {
        case .lost(let reason, let kind): phase = lost(take(), reason, kind, &turn)
        case .agentIsThere(let need) where !wants(need): turn.put(.releaseAgent(need))
        default:
            switch take() {
            case .waiting: phase = waiting(input, &turn)
            case .seeking(let seeking): phase = self.seeking(seeking, input, &turn)
            case .connecting(let state): phase = connecting(state, input, &turn)
            case .open(let link): phase = open(link, input, &turn)
            case .ending(let link): phase = ending(link, input, &turn)
            case .leaving(let leaving): phase = self.leaving(leaving, input, &turn)
            case .over: break
            }
        }
    }

    /// Takes the phase out, so that what belongs to it is changed and not copied; each handler
    /// gives the next one.
    private mutating func take() -> Phase {
        var taken = Phase.over
        swap(&taken, &phase)
        return taken
    }

    private func wants(_ need: UInt64) -> Bool {
        if case .open(let link) = phase, link.running?.stage == .awaitingAgent(need) { return true }
        return need == agentNeed
    }

    mutating func over(_ turn: inout Turn) -> Phase {
        if let agentNeed { turn.put(.releaseAgent(agentNeed)) }
        agentNeed = nil
        turn.put(.over)
        return .over
    }

    // MARK: Seeking

    private mutating func waiting(_ input: LinkInput, _ turn: inout Turn) -> Phase {
        switch input {
        case .begin: seek(Attempt(), &turn)
        case .cancel: fail(BLEError(.cancelled, .connect), nil, &turn)
        default: .waiting
        }
    }

    private func seek(_ attempt: Attempt, _ turn: inout Turn) -> Phase {
        turn.put(.start(.step, LinkLimits.seekTimeout))
        turn.put(.wantAdapter)
        return .seeking(Seeking(attempt: attempt))
    }

    private mutating func seeking(
        _ seeking: consuming Seeking, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch (input, seeking.stage) {
        case (.adapter(.success(let adapter)), .adapter):
            seeking.stage = .listening(on: adapter, holdsDiscovery: false)
        case (.adapter(.failure(let outage)), .adapter):
            return fail(outage.error(.connect), nil, &turn)
        case (.look(let sighting), .listening(let adapter, _)):
            return look(sighting, on: adapter, seeking, &turn)
        case (.discoveryEnded(let outage, let place), .listening(let adapter, true))
        where place == adapter: return fail(outage.error(.connect), seeking.hold, &turn)
        case (.timer(.step), .pausing): return seek(seeking.attempt, &turn)
        case (.timer(.step), _): return fail(BLEError(.notFound, .connect), seeking.hold, &turn)
        case (.cancel, _): return fail(BLEError(.cancelled, .connect), seeking.hold, &turn)
        default: break
        }
        return .seeking(seeking)
    }

    private mutating func look(
        _ sighting: LinkSighting, on adapter: DBusObjectPath, _ seeking: Seeking, _ turn: inout Turn
    ) -> Phase {
        switch sighting {
        case .unknown, .parting:
            // The daemon may forget a device together with its link.
            guard seeking.hold == nil else { return .seeking(seeking) }
            turn.put(.holdDiscovery(.seeking))
            return .seeking(
                Seeking(
                    stage: .listening(on: adapter, holdsDiscovery: true), attempt: seeking.attempt))
        case .taken:
            // The same device by another address: pairing can give it one (pitfall 20: bleak#1737).
            turn.put(.stop(.step))
            return fail(BLEError(.alreadyConnected, .connect), seeking.hold, &turn)
        case .there(let device):
            holdAgent(for: device, &turn)
            let place = LinkPlace(device: device, adapter: adapter)
            guard turn.isConnected(device) else {
                turn.put(.stop(.step))
                if seeking.hold == nil { turn.put(.holdDiscovery(.keeping)) }
                return connect(place, seeking.attempt, seeking.hold ?? .keeping, &turn)
            }
            // Somebody else has connected it, or we have before a crash (pitfall 7: bluez#89):
            // Connect would have nothing to do.
            guard turn.options.adoptsConnected else {
                turn.put(.stop(.step))
                return fail(BLEError(.alreadyConnected, .connect), seeking.hold, &turn)
            }
            let isResolved = turn.mirror.devices[device]?.isResolved == true
            return open(
                place, isResolved ? .told(of: device, in: turn.mirror) : .unknown(wasKnown: false),
                seeking.hold, &turn)
        }
    }

    /// Has our agent there for a link to a device that may want to be paired with.
    private mutating func holdAgent(for device: DBusObjectPath, _ turn: inout Turn) {
        guard turn.options.pairing != nil, agentNeed == nil,
            turn.mirror.devices[device]?.isPaired != true
        else { return }
        let need = turn.newNumber()
        agentNeed = need
        turn.put(.wantAgent(need))
    }

    // MARK: Connecting

    private func connect(
        _ place: LinkPlace, _ attempt: Attempt, _ hold: LinkHold, _ turn: inout Turn
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
            // Who else has asked for it has it, too.
            guard state.attempt.othersSince == nil || turn.options.adoptsConnected else {
                return fail(BLEError(.alreadyConnected, .connect), state.hold, &turn)
            }
            return open(state, &turn)
        case (.disconnected, let stage):
            // What was known is known of a link that is no more.
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
                ? .told(of: state.place.device, in: turn.mirror)
                : .unknown(wasKnown: state.resolution.wasKnown)
        case (.deviceRemoved, _): return vanish(state, &turn)
        case (.cancel, _):
            let error = BLEError(.cancelled, .connect)
            guard state.isAsked || state.attempt.othersSince == nil else {
                return fail(error, state.hold, &turn)
            }
            return leave(state, error, pending: state.isAsked, &turn)
        default: break
        }
        return .connecting(state)
    }

    private mutating func nextAttempt(_ state: Connecting, _ turn: inout Turn) -> Phase {
        switch state.stage {
        case .asked: return open(state, &turn)
        case .answered:
            let text = "the link was gone as soon as it was there"
            return again(state, BLEError(.backend, .connect, details: text), &turn)
        case .backingOff(let error) where turn.isConnected(state.place.device):
            // What is left of the attempt has to be over before: the daemon says so.
            return again(state, error, &turn)
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
            // "le-connection-abort-by-local" after 40 s: the device is not there (testbed). Soon:
            // the radio failed (pitfall 4: bleak#239, #666, #993, #1673; bluez#615).
            guard turn.now.duration(since: since) < LinkLimits.shortestAbsence else {
                kind = .timedOut
                break
            }
            details +=
                "; radio interference does that, of Wi-Fi on the same board or of USB 3 "
                + "for example"
            return again(state, BLEError(.backend, .connect, details: details), &turn)
        case .inProgress: return awaitOthers(state, fault, &turn)
        case .cancelled:
            // Somebody has stopped it.
            return again(state, BLEError(.backend, .connect, details: details), &turn)
        case .alreadyConnected:
            guard !turn.isConnected(state.place.device) else { return open(state, &turn) }
            return again(state, BLEError(.alreadyConnected, .connect, details: details), &turn)
        case .unknownObject: return vanish(state, &turn)
        case .timedOut:
            let error = BLEError(.timedOut, .connect, details: details)
            return leave(state, error, pending: false, &turn)
        case .notReady: kind = .poweredOff
        case .inputOutput:
            // What a daemon says whose adapter is off (testbed), and of other troubles.
            if turn.mirror.adapters[state.place.adapter]?.isOn == false { kind = .poweredOff }
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
        // A link that is nobody's would keep the device from everybody.
        return leave(state, error, pending: false, &turn)
    }

    /// What helps when the device has forgotten the bond that this computer still has.
    static func bondHint(_ address: String) -> String {
        "; bluetoothctl remove \(address) forgets it here, too"
    }

    private mutating func again(
        _ state: consuming Connecting, _ error: BLEError, _ turn: inout Turn
    ) -> Phase {
        state.attempt.failures += 1
        guard state.attempt.failures < LinkLimits.maximumFailures else {
            guard turn.isConnected(state.place.device) else {
                return fail(error, state.hold, &turn)
            }
            return leave(state, error, pending: false, &turn)
        }
        state.stage = .backingOff(error)
        let pause = LinkLimits.firstPause * (1 << (state.attempt.failures - 1))
        turn.put(.start(.step, pause))
        return .connecting(state)
    }

    /// Another program is connecting the device: what comes of that is waited for.
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
        turn.put(.start(.step, LinkLimits.othersPause))
        return .connecting(state)
    }

    /// The daemon has forgotten the device, as it does when nobody looks for devices any more: it
    /// is waited for again (pitfall 8: bleak, "may have been removed when scanning stopped").
    private mutating func vanish(_ state: Connecting, _ turn: inout Turn) -> Phase {
        // It was kept in mind only while it was there: now it is to be heard anew.
        turn.put(.releaseDiscovery(state.hold))
        var attempt = state.attempt
        attempt.failures += 1
        guard attempt.failures < LinkLimits.maximumFailures else {
            let text = "the daemon forgets the device as often as it hears of it"
            return fail(BLEError(.notFound, .connect, details: text), nil, &turn)
        }
        turn.put(.start(.step, LinkLimits.firstPause))
        return .seeking(Seeking(stage: .pausing(on: state.place.adapter), attempt: attempt))
    }

    private func open(_ state: Connecting, _ turn: inout Turn) -> Phase {
        open(state.place, state.resolution, state.hold, &turn)
    }

    private func open(
        _ place: LinkPlace, _ resolution: LinkResolution, _ hold: LinkHold?, _ turn: inout Turn
    ) -> Phase {
        turn.put(.stop(.step))
        if let hold { turn.put(.releaseDiscovery(hold)) }
        turn.put(.opened)
        var link = OpenLink(place: place, mayWantKeys: agentNeed != nil, resolution: resolution)
        link.review(&turn)
        return .open(link)
    }
}
#endif
