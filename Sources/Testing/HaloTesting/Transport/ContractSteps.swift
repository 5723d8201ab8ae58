import HaloTransport

final class ContractSteps: Sendable {
    private struct State {
        /// The operations without a reply, by their numbers on their links.
        var pending: [(name: BLEError.Operation, number: UInt64?)] = []
        var last = "the check begins"
    }

    private let state = Locked(State())

    func begin(_ step: String) { state.withLock { $0.last = step } }

    func note(_ trace: LinkTrace) {
        guard let name = trace.operation else { return }
        state.withLock { state in
            switch trace.kind {
            case .reply:
                let index = state.pending.firstIndex { $0 == (name, trace.number) }
                if let index { state.pending.remove(at: index) }
                state.last = "\(name) has ended"
            case .request:
                // Closing a link has no reply.
                if name != .disconnect { state.pending.append((name, trace.number)) }
                state.last = "\(name)"
            default: break
            }
        }
    }

    /// The violation of a wait that does not end, with the step that has not ended.
    var endlessWait: String {
        state.withLock { state in
            let names = state.pending.map { "\($0.name)" }
            let pending = names.isEmpty ? "" : "; without a reply: \(names.joined(separator: ", "))"
            return "a wait does not end; the last step: \(state.last)\(pending)"
        }
    }
}
