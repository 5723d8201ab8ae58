internal import HaloProtocol

enum HistoryPart: Sendable {
    /// A reply, with an error if it has gaps.
    case some(HistoryReply, DeviceError? = nil)
    case noData
    /// The request was not sent: the ring is not likely to have anything stored.
    case notRequested
    case unsupported
    case failed(DeviceError)

    init(_ request: RingRequest<HistoryReply>, _ reply: RingReply) {
        switch request.answer(reply) {
        case .success(.value(let values)): self = .some(values)
        case .success(.noData): self = .noData
        case .success(.refused): self = .unsupported
        case .failure(let error):
            if error.kind == .notSupported {
                self = .unsupported
            } else if let partial = request.partial(reply) {
                self = .some(partial, error)
            } else {
                self = .failed(error)
            }
        }
    }

    /// The ring's today, if the reply contains it.
    var today: CivilDate? {
        guard case .some(let reply, _) = self else { return nil }
        return reply.today
    }

    var error: DeviceError? {
        switch self {
        case .some(_, let error): error
        case .failed(let error): error
        case .noData, .notRequested, .unsupported: nil
        }
    }

    /// The outcome for the days of the request; for a reply with several days, the outcome for
    /// those that are not in it is `.noData`.
    func outcome(of step: HistoryStep) -> HistoryCoverage.Outcome {
        switch self {
        case .some(_, _?), .failed: .failed
        case .some: step.isOfOneDay ? .read : .noData
        case .noData: .noData
        case .notRequested: .notRequested
        case .unsupported: .unsupported
        }
    }
}
