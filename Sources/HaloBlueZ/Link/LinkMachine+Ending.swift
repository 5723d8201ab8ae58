#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The end of a link: the phases open, ending and disconnecting of ``LinkMachine``.
extension LinkMachine {
    mutating func open(
        _ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        case .close: return disconnect(link, DisconnectReason(.local), &turn)
        case .reason(let name, let text): explain(&link, name, text)
        case .deviceRemoved:
            let text = "the daemon removed the device"
            return end(link, DisconnectReason(.remote, details: text), &turn)
        case .disconnected:
            // The daemon disconnects a device that has not answered for half a minute.
            if let running = link.running, running.isSilent(turn) {
                link.explained = DisconnectReason(.noResponse)
            }
            Self.stopWaits(&turn)
            // A newer daemon has given the reason just before.
            guard link.explained == nil else { return end(link, nil, &turn) }
            turn.put(.start(.step, LinkLimits.reasonTimeout))
            return .ending(link)
        default:
            if let reason = link.handle(input, &turn) { return disconnect(link, reason, &turn) }
        }
        return .open(link)
    }

    mutating func ending(
        _ link: consuming OpenLink, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        switch input {
        case .timer(.step), .connected, .close, .deviceRemoved:
            // A device that is connected again was disconnected before the reason came.
            return end(link, nil, &turn)
        case .reason(let name, let text) where link.explained == nil:
            explain(&link, name, text)
            return end(link, nil, &turn)
        case .discover(let request): link.wait(for: request, &turn)
        case .submit(let operation): link.queue(operation, &turn)
        default: link.handleAfterEnd(input, &turn)
        }
        return .ending(link)
    }

    mutating func disconnecting(
        _ disconnecting: Disconnecting, _ input: LinkInput, _ turn: inout Turn
    ) -> Phase {
        var disconnecting = disconnecting
        let isConnected = turn.isConnected(disconnecting.place.device)
        switch (input, disconnecting.stage) {
        case (.disconnectAnswered, .asked) where !isConnected && disconnecting.pending == nil:
            guard case .attempt = disconnecting.what else { return end(disconnecting, &turn) }
            return awaitStray(disconnecting, &turn)
        case (.connectAnswered(let attempt, _), _) where disconnecting.pending == attempt:
            disconnecting.what = .attempt(disconnecting.place, pending: nil)
            guard isConnected else { return awaitStray(disconnecting, &turn) }
            return disconnectAgain(disconnecting, &turn)
        case (.connected, _):
            // A link that still comes back after this time belongs to another program.
            guard turn.now.duration(since: disconnecting.since) < LinkLimits.disconnectRetryTimeout
            else {
                return end(disconnecting, &turn)
            }
            return disconnectAgain(disconnecting, &turn)
        case (.disconnected, _):
            if disconnecting.pending == nil { return end(disconnecting, &turn) }
        case (.timer(.step), .stray):
            disconnecting.stage = .checking
            turn.put(.start(.step, LinkLimits.disconnectTimeout))
            turn.put(.askWhetherConnected(disconnecting.place.device))
        case (.strayChecked, .checking) where !isConnected: return end(disconnecting, &turn)
        case (.timer(.step), _), (.deviceRemoved, _): return end(disconnecting, &turn)
        case (.discover(let request), _):
            let error = disconnecting.error(.discover)
            turn.put(.completeServices([request], .failure(error)))
        case (.submit(let operation), _):
            let error = disconnecting.error(operation.kind)
            turn.put(.complete(operation.number, .failure(error)))
        default:
            guard case .link(var link, let reason) = disconnecting.what else { break }
            link.handleAfterEnd(input, &turn)
            disconnecting.what = .link(link, reason)
        }
        return .disconnecting(disconnecting)
    }

    private func disconnectAgain(_ disconnecting: Disconnecting, _ turn: inout Turn) -> Phase {
        turn.put(.disconnect(disconnecting.place.device))
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
        return .disconnecting(Disconnecting(what: disconnecting.what, since: disconnecting.since))
    }

    private func awaitStray(_ disconnecting: Disconnecting, _ turn: inout Turn) -> Phase {
        turn.put(.start(.step, LinkLimits.strayTimeout))
        return .disconnecting(
            Disconnecting(what: disconnecting.what, since: disconnecting.since, stage: .stray))
    }

    /// Fails the attempt, and makes the daemon stop connecting.
    func disconnect(
        _ state: Connecting, _ error: BLEError, pending isPending: Bool, _ turn: inout Turn
    ) -> Phase {
        turn.put(.failed(error))
        turn.put(.releaseDiscovery(state.hold))
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
        turn.put(.disconnect(state.place.device))
        let pending = isPending ? state.attempt.count : nil
        return .disconnecting(
            Disconnecting(what: .attempt(state.place, pending: pending), since: turn.now))
    }

    private func disconnect(_ link: OpenLink, _ reason: DisconnectReason, _ turn: inout Turn)
        -> Phase
    {
        Self.stopWaits(&turn)
        turn.put(.start(.step, LinkLimits.disconnectTimeout))
        turn.put(.disconnect(link.place.device))
        return .disconnecting(Disconnecting(what: .link(link, reason), since: turn.now))
    }

    private static func stopWaits(_ turn: inout Turn) {
        for wait in [LinkTimer.quiet, .resolution, .operation, .retry] { turn.put(.stop(wait)) }
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
        let hint = kind == .bondLost ? Self.bondHint(address) : ""
        link.explained = DisconnectReason(kind, details: (text.isEmpty ? name : text) + hint)
    }

    mutating func lost(
        _ phase: Phase, _ reason: DisconnectReason, _ kind: BLEError.Kind, _ turn: inout Turn
    ) -> Phase {
        let error = BLEError(kind, .connect, details: reason.details)
        switch phase {
        case .waiting: return fail(error, nil, &turn)
        case .searching(let searching): return fail(error, searching.hold, &turn)
        case .connecting(let state): return fail(error, state.hold, &turn)
        case .open(let link), .ending(let link): return end(link, reason, &turn)
        case .disconnecting(let disconnecting): return end(disconnecting, &turn)
        case .ended: return .ended
        }
    }

    mutating func fail(_ error: BLEError, _ hold: DiscoveryHold?, _ turn: inout Turn) -> Phase {
        turn.put(.failed(error))
        if let hold { turn.put(.releaseDiscovery(hold)) }
        return ended(&turn)
    }

    private mutating func end(_ disconnecting: Disconnecting, _ turn: inout Turn) -> Phase {
        guard case .link(var link, let reason) = disconnecting.what else { return ended(&turn) }
        link.end(reason, &turn)
        return ended(&turn)
    }

    /// Ends the link: for the known reason or, if none is known, as closed by the device.
    private mutating func end(
        _ link: OpenLink, _ reason: DisconnectReason?, _ turn: inout Turn
    ) -> Phase {
        var link = link
        link.end(link.explained ?? reason ?? DisconnectReason(.remote), &turn)
        return ended(&turn)
    }
}

extension LinkMachine.Disconnecting {
    /// Returns the error for operations that are not started any more.
    fileprivate func error(_ operation: BLEError.Operation) -> BLEError {
        var reason = DisconnectReason(.local)
        if case .link(_, let known) = what { reason = known }
        return BLEError(.disconnected, operation, reason: reason)
    }
}
#endif
