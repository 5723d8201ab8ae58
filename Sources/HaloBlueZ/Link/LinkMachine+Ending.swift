#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How a link ends: the states open, ending and leaving of the tables of ``LinkMachine``.
extension LinkMachine {
    mutating func open(_ link: OpenLink, _ input: LinkInput, _ context: inout Context) -> Phase {
        var link = link
        switch input {
        case .close: return leave(link, DisconnectReason(.local), &context)
        case .reason(let name, let text): explain(&link, name, text)
        case .deviceRemoved:
            let text = "the daemon removed the device"
            return end(link, DisconnectReason(.remote, details: text), &context)
        case .disconnected:
            // A device that has not answered for half a minute loses its link, by the daemon.
            if let running = link.running,
                context.now.duration(since: running.began) >= context.silence
            {
                link.explained = DisconnectReason(.noResponse)
            }
            Self.stopWaits(&context)
            // A newer daemon has said why just before.
            guard link.explained == nil || !link.sockets.isEmpty else {
                return end(link, nil, &context)
            }
            let isEmpty = link.sockets.isEmpty
            context.put(.start(.step, isEmpty ? LinkLimits.reasonTimeout : LinkLimits.drainTimeout))
            return .ending(link)
        default:
            if let reason = link.handle(input, &context) { return leave(link, reason, &context) }
        }
        return .open(link)
    }

    mutating func ending(_ link: OpenLink, _ input: LinkInput, _ context: inout Context) -> Phase {
        var link = link
        switch input {
        case .timer(.step), .connected, .close, .deviceRemoved:
            // One that is back was away before it was said why.
            return end(link, nil, &context)
        case .reason(let name, let text) where link.explained == nil:
            explain(&link, name, text)
            if link.sockets.isEmpty { return end(link, nil, &context) }
        case .discover(let request): link.wait(for: request, &context)
        case .submit(let operation): link.queue(operation, &context)
        default:
            guard link.conclude(input, &context), !context.isConnected(link.place.device) else {
                break
            }
            if link.explained != nil { return end(link, nil, &context) }
            context.put(.start(.step, LinkLimits.reasonTimeout))
        }
        return .ending(link)
    }

    mutating func leaving(_ leaving: Leaving, _ input: LinkInput, _ context: inout Context) -> Phase
    {
        var leaving = leaving
        let isConnected = context.isConnected(leaving.place.device)
        switch (input, leaving.stage) {
        case (.disconnectAnswered, .asked) where !isConnected && leaving.pending == nil:
            guard case .attempt = leaving.what else { return end(leaving, &context) }
            return awaitStray(leaving, &context)
        case (.connectAnswered(let attempt, _), _) where leaving.pending == attempt:
            leaving.what = .attempt(leaving.place, pending: nil)
            guard isConnected else { return awaitStray(leaving, &context) }
            return askAgain(leaving, &context)
        case (.connected, _):
            // A daemon that connects it again and again does so for somebody else.
            guard context.now.duration(since: leaving.since) < LinkLimits.leavingTimeout else {
                return end(leaving, &context)
            }
            return askAgain(leaving, &context)
        case (.disconnected, .asked) where leaving.hasValueSockets:
            leaving.stage = .draining
            context.put(.start(.step, LinkLimits.drainTimeout))
        case (.disconnected, .asked), (.disconnected, .stray), (.disconnected, .checking):
            if leaving.pending == nil { return end(leaving, &context) }
        case (.timer(.step), .stray):
            leaving.stage = .checking
            context.put(.start(.step, LinkLimits.leaveTimeout))
            context.put(.askWhetherConnected(leaving.place.device))
        case (.strayChecked, .checking) where !isConnected: return end(leaving, &context)
        case (.timer(.step), _), (.deviceRemoved, _): return end(leaving, &context)
        case (.discover(let request), _):
            let error = leaving.error(.discover)
            context.put(.completeServices([request], .failure(error)))
        case (.submit(let operation), _):
            let error = leaving.error(operation.kind)
            context.put(.complete(operation.number, .failure(error)))
        default:
            guard case .link(var link, let reason) = leaving.what else { break }
            let isEmptied = link.conclude(input, &context)
            leaving.what = .link(link, reason)
            if isEmptied, !isConnected { return end(leaving, &context) }
        }
        return .leaving(leaving)
    }

    private func askAgain(_ leaving: Leaving, _ context: inout Context) -> Phase {
        context.put(.disconnect(leaving.place.device))
        context.put(.start(.step, LinkLimits.leaveTimeout))
        return .leaving(Leaving(what: leaving.what, since: leaving.since))
    }

    private func awaitStray(_ leaving: Leaving, _ context: inout Context) -> Phase {
        context.put(.start(.step, LinkLimits.strayTime))
        return .leaving(Leaving(what: leaving.what, since: leaving.since, stage: .stray))
    }

    /// Has the daemon connect no longer; whoever waited for it is answered.
    func leave(
        _ state: Connecting, _ error: BLEError, pending isPending: Bool, _ context: inout Context
    ) -> Phase {
        context.put(.failed(error))
        context.put(.releaseDiscovery(state.hold))
        context.put(.start(.step, LinkLimits.leaveTimeout))
        context.put(.disconnect(state.place.device))
        let pending = isPending ? state.attempt.count : nil
        return .leaving(Leaving(what: .attempt(state.place, pending: pending), since: context.now))
    }

    /// Has the daemon end a link.
    private func leave(_ link: OpenLink, _ reason: DisconnectReason, _ context: inout Context)
        -> Phase
    {
        Self.stopWaits(&context)
        context.put(.start(.step, LinkLimits.leaveTimeout))
        context.put(.disconnect(link.place.device))
        return .leaving(Leaving(what: .link(link, reason), since: context.now))
    }

    private static func stopWaits(_ context: inout Context) {
        for wait in [LinkWait.quiet, .resolution, .hold, .retry] { context.put(.stop(wait)) }
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
        _ phase: Phase, _ reason: DisconnectReason, _ kind: BLEError.Kind, _ context: inout Context
    ) -> Phase {
        let error = BLEError(kind, .connect, details: reason.details)
        switch phase {
        case .waiting: return fail(error, nil, &context)
        case .seeking(let seeking): return fail(error, seeking.hold, &context)
        case .connecting(let state): return fail(error, state.hold, &context)
        case .open(let link), .ending(let link): return end(link, reason, &context)
        case .leaving(let leaving): return end(leaving, &context)
        case .over: return .over
        }
    }

    /// An attempt comes to nothing.
    mutating func fail(_ error: BLEError, _ hold: LinkHold?, _ context: inout Context) -> Phase {
        context.put(.failed(error))
        if let hold { context.put(.releaseDiscovery(hold)) }
        return over(&context)
    }

    private mutating func end(_ leaving: Leaving, _ context: inout Context) -> Phase {
        guard case .link(var link, let reason) = leaving.what else { return over(&context) }
        link.end(reason, &context)
        return over(&context)
    }

    /// A link ends, for the reason that is known; closed by the device if nobody knows.
    private mutating func end(
        _ link: OpenLink, _ reason: DisconnectReason?, _ context: inout Context
    ) -> Phase {
        var link = link
        link.end(link.explained ?? reason ?? DisconnectReason(.remote), &context)
        return over(&context)
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
