/// Takes in the frames of one answer, and says how far it has come.
///
/// It is a value: taking a frame makes the next collector. So a session can be copied, and knows
/// nothing of the types that join frames.
struct Collector: Sendable {
    /// What a frame was to the answer.
    enum Step: Sendable {
        /// None of it.
        case foreign
        /// A part of it, perhaps the first; others must follow.
        case part(isFirst: Bool)
        /// A part of it after which it may be complete; others may follow.
        case enough
        /// The last part that was needed; this is the answer.
        case complete(ReceivedAnswer)
        /// The last part, but others did not come.
        case missing(PacketError)
        /// Of the same command, but it says something that cannot be.
        case broken(PacketError)
    }

    /// Whether what has come serves when the request is sent again.
    let joinsAnswers: Bool
    /// How far the answer is with a frame, and what takes the next; the same, if nothing is said.
    /// Without a frame it is told that the request is sent again.
    let receive: @Sendable (Incoming?) -> (step: Step, next: Collector?)

    init(
        joinsAnswers: Bool = true,
        receive: @escaping @Sendable (Incoming?) -> (step: Step, next: Collector?)
    ) {
        self.joinsAnswers = joinsAnswers
        self.receive = receive
    }
}

extension Collector {
    /// An answer of one frame.
    static func frame<Request: RequestPacket>(_ request: Request) -> Collector {
        Collector { incoming in
            guard case .frame(let frame) = incoming else { return (.foreign, nil) }
            let isAnswer =
                frame.refuses(Request.opcode)
                || frame.opcode == Request.opcode && request.isAnswered(by: frame)
            return (isAnswer ? .complete(ReceivedAnswer(frames: [frame])) : .foreign, nil)
        }
    }

    /// An answer of many frames.
    ///
    /// Once a frame was of another answer, so are those that follow it, up to the next first one.
    static func frames<Request: RequestPacket>(
        _ request: Request, isSkipping: Bool = false,
        _ assembly: Request.Owner.Assembly = Request.Owner.Assembly()
    ) -> Collector where Request.Owner: ManyFrameCommand {
        Collector(joinsAnswers: Request.Owner.Assembly.joinsAnswers) { incoming in
            guard let incoming else {
                var assembly = assembly
                assembly.beginAgain()
                let isSkipping = isSkipping && Request.Owner.Assembly.joinsAnswers
                return (.foreign, frames(request, isSkipping: isSkipping, assembly))
            }
            guard case .frame(let frame) = incoming else { return (.foreign, nil) }
            if frame.refuses(Request.opcode) {
                return (.complete(ReceivedAnswer(frames: [frame])), nil)
            }
            guard frame.opcode == Request.opcode else { return (.foreign, nil) }
            let isFirst = Request.Owner.Assembly.begins(frame)
            guard request.isAnswered(by: frame), isFirst || !isSkipping else {
                return (.foreign, frames(request, isSkipping: true, assembly))
            }
            var assembly = assembly
            let step: Step
            do throws(PacketError) {
                switch try assembly.receive(frame) {
                case .value(let reply): step = .complete(ReceivedAnswer(frames: reply.frames))
                case .refused, .noData: step = .complete(ReceivedAnswer(frames: [frame]))
                case nil: step = .part(isFirst: isFirst)
                }
            } catch {
                step = error.kind == .missing ? .missing(error) : .broken(error)
            }
            return (step, frames(request, assembly))
        }
    }

    /// An answer of one record.
    static func record<Request: BigDataRequest>(_ request: Request) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming, record.answers(Request.Owner.self),
                request.isAnswered(by: record)
            else { return (.foreign, nil) }
            return (.complete(ReceivedAnswer(bigData: [record])), nil)
        }
    }

    /// An answer of one record or more, nobody knows how many.
    static func records<Request: BigDataRequest>(_ request: Request) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming, record.answers(Request.Owner.self),
                request.isAnswered(by: record)
            else { return (.foreign, nil) }
            if record.isNothing { return (.complete(ReceivedAnswer(bigData: [record])), nil) }
            return (.enough, nil)
        }
    }
}
