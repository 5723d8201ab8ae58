#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How a link ends: the states open, ending and leaving of the tables of ``LinkMachine``.
extension LinkMachine {
    mutating func open(
        _ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        case .close: return leave(link, DisconnectReason(.local), &turn)
        case .reason(let name, let text): explain(&link, name, text)
        case .deviceRemoved:
            let text = "the daemon removed the device"
            return end(link, DisconnectReason(.remote, details: text), &turn)
        case .disconnected:
            // A device that has not answered for half a minute loses its link, by the daemon.
            if let running = link.running, turn.now.duration(since: running.began) >= turn.silence {
                link.explained = DisconnectReason(.noResponse)
            }
            Self.stopWaits(&turn)
            // A newer daemon has said why just before.
            guard link.explained == nil || !link.sockets.isEmpty else {
                return end(link, nil, &turn)
            }
            let isEmpty = link.sockets.isEmpty
            turn.put(.start(.step, isEmpty ? LinkLimits.reasonTimeout : LinkLimits.drainTimeout))
            return .ending(link)
        default: if let reason = link.handle(input, &turn) { return leave(link, reason, &turn) }
        }
        return .open(link)
    }

    mutating func ending(
        _ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        case .timer(.step), .connected, .close, .deviceRemoved:
            // One that is back was away before it was said why.
            return end(link, nil, &turn)
        case .reason(let name, let text) where link.explained == nil:
            explain(&link, name, text)
            if link.sockets.isEmpty { return end(link, nil, &turn) }
        case .discover(let request): link.wait(for: request, &turn)
        case .submit(let operation): link.queue(operation, &turn)
        default:
            guard link.conclude(input, &turn), !turn.isConnected(link.place.device) else { break }
            if link.explained != nil { return end(link, nil, &turn) }
            turn.put(.start(.step, LinkLimits.reasonTimeout))
        }
        return .ending(link)
    }

    mutating func leaving(_ leaving: Leaving, _ input: LinkInput, _ turn: inout Turn) -> Phase {
        var leaving = leaving
        let isConnected = turn.isConnected(leaving.place.device)
        switch (input, leaving.stage) {
        case (.disconnectAnswered, .asked) where !isConnected && leaving.pending == nil:
            guard case .attempt = leaving.what else { return end(leaving, &turn) }
            return awaitStray(leaving, &turn)
        case (.connectAnswered(let attempt, _), _) where leaving.pending == attempt:
            leaving.what = .attempt(leaving.place, pending: nil)
            guard isConnected else { return awaitStray(leaving, &turn) }
            return askAgain(leaving, &turn)
        case (.connected, _):
            // If the link still comes back after so long, another program wants it.
            guard turn.now.duration(since: leaving.since) < LinkLimits.leavingTimeout else {
                return end(leaving, &turn)
            }
            return askAgain(leaving, &turn)
        case (.disconnected, .asked) where leaving.hasValueSockets:
            leaving.stage = .draining
            turn.put(.start(.step, LinkLimits.drainTimeout))
        case (.disconnected, .asked), (.disconnected, .stray), (.disconnected, .checking):
            if leaving.pending == nil { return end(leaving, &turn) }
        case (.timer(.step), .stray):
            leaving.stage = .checking
            turn.put(.start(.step, LinkLimits.leaveTimeout))
            turn.put(.askWhetherConnected(leaving.place.device))
        case (.strayChecked, .checking) where !isConnected: return end(leaving, &turn)
        case (.timer(.step), _), (.deviceRemoved, _): return end(leaving, &turn)
        case (.discover(let request), _):
            let error = leaving.error(.discover)
            turn.put(.completeServices([request], .failure(error)))
        case (.submit(let operation), _):
            let error = leaving.error(operation.kind)
            turn.put(.complete(operation.number, .failure(error)))
        default:
            guard case .link(var link, let reason) = leaving.what else { break }
            let isEmptied = link.conclude(input, &turn)
            leaving.what = .link(link, reason)
            if isEmptied, !isConnected { return end(leaving, &turn) }
        }
        return .leaving(leaving)
    }

    private func askAgain(_ leaving: Leaving, _ turn: inout Turn) -> Phase {
        turn.put(.disconnect(leaving.place.device))
        turn.put(.start(.step, LinkLimits.leaveTimeout))
        return .leaving(Leaving(what: leaving.what, since: leaving.since))
    }

    private func awaitStray(_ leaving: Leaving, _ turn: inout Turn) -> Phase {
        turn.put(.start(.step, LinkLimits.strayTime))
        return .leaving(Leaving(what: leaving.what, since: leaving.since, stage: .stray))
    }

    /// Fails the attempt, and asks the daemon to stop connecting.
    func leave(
        _ state: Connecting, _ error: BLEError, pending isPending: Bool, _ turn: inout Turn
    ) -> Phase {
        turn.put(.failed(error))
        turn.put(.releaseDiscovery(state.hold))
        turn.put(.start(.step, LinkLimits.leaveTimeout))
        turn.put(.disconnect(state.place.device))
        let pending = isPending ? state.attempt.count : nil
        return .leaving(Leaving(what: .attempt(state.place, pending: pending), since: turn.now))
    }

    private func leave(_ link: OpenLink, _ reason: DisconnectReason, _ turn: inout Turn) -> Phase {
        Self.stopWaits(&turn)
        turn.put(.start(.step, LinkLimits.leaveTimeout))
        turn.put(.disconnect(link.place.device))
        return .leaving(Leaving(what: .link(link, reason), since: turn.now))
    }

    private static func stopWaits(_ turn: inout Turn) {
        for wait in [LinkWait.quiet, .resolution, .hold, .retry] { turn.put(.stop(wait)) }
    }

    /// The daemon says why a link ends: from 5.83 on, just before it says that it has (its source).
    /// By switch only, never seen.
    private func explain(_ link: inout OpenLink, _ name: String, _ text: String) {
        guard link.explained == nil else { return }
        let kind: DisconnectReason.Kind =
            switch name {
            case BlueZReason.timeout: .outOfReach
            case BlueZReason.suspend: .adapterGone
            case BlueZReason.authentication: .bondLost
            // What this computer has ended and the app has not was ended by another program: that
            // is as if the device had.
            default: .remote
            }
        let hint = kind == .bondLost ? Self.bondHint(address) : ""
        link.explained = DisconnectReason(kind, details: (text.isEmpty ? name : text) + hint)
    }

    mutating func lost(
        _ phase: Phase, _ reason: DisconnectReason, _ kind: BLEError.Kind, _ turn: inout Turn
    ) -> Phase {
        let error = BLEError(kind, .connect, details: reason.details)
        switch phase {
        case .waiting: return fail(error, nil, &turn)
        case .seeking(let seeking): return fail(error, seeking.hold, &turn)
        case .connecting(let state): return fail(error, state.hold, &turn)
        case .open(let link), .ending(let link): return end(link, reason, &turn)
        case .leaving(let leaving): return end(leaving, &turn)
        case .over: return .over
        }
    }

    mutating func fail(_ error: BLEError, _ hold: LinkHold?, _ turn: inout Turn) -> Phase {
        turn.put(.failed(error))
        if let hold { turn.put(.releaseDiscovery(hold)) }
        return over(&turn)
    }

    private mutating func end(_ leaving: Leaving, _ turn: inout Turn) -> Phase {
        guard case .link(var link, let reason) = leaving.what else { return over(&turn) }
        link.end(reason, &turn)
        return over(&turn)
    }

    /// A link ends, for the reason that is known; closed by the device if nobody knows.
    private mutating func end(
        _ link: OpenLink, _ reason: DisconnectReason?, _ turn: inout Turn
    ) -> Phase {
        var link = link
        link.end(link.explained ?? reason ?? DisconnectReason(.remote), &turn)
        return over(&turn)
    }
}

extension LinkMachine.Leaving {
    /// Why nothing is begun any more.
    fileprivate func error(_ operation: BLEError.Operation) -> BLEError {
        var reason = DisconnectReason(.local)
        if case .link(_, let known) = what { reason = known }
        return BLEError(.disconnected, operation, reason: reason)
    }
}
#endif
