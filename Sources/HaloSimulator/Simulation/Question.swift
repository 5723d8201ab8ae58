internal import HaloProtocol

/// Something that a run asks of a ring: how a session is asked, and what a true answer is.
struct Question: Sendable {
    /// What is asked, in a few words.
    let title: String
    /// Whether it only reads: then it may be written more than once.
    let isRead: Bool
    /// Asks a session; the time is that of the wearer's clock. Nothing if it cannot be asked then.
    let ask: @Sendable (inout RingSession, Moment, CivilDateTime) -> Asked?

    /// A question that was asked.
    struct Asked {
        let number: TicketNumber
        /// The bytes that are to be written for it.
        let opening: [UInt8]
        /// Which of the device's frames can answer it.
        let mark: ReplyMark
        /// What is to be thought of how it has ended.
        let judge: (Completion, [DeviceState]) -> Judgement

        init<Value>(
            _ ticket: Ticket<Value>, opening: [UInt8], mark: ReplyMark,
            agrees: @escaping (Value, DeviceState) -> Bool
        ) {
            number = ticket.number
            self.opening = opening
            self.mark = mark
            judge = { completion, states in
                do throws(SessionError) {
                    return switch try ticket.answer(completion) {
                    case .value(let value):
                        .value(isTrue: states.contains { agrees(value, $0) }, "\(value)")
                    case .refused: .refused
                    case .noData: .noData
                    }
                } catch {
                    return .failed(error)
                }
            }
        }
    }

    private init(
        _ title: String, isRead: Bool,
        ask: @escaping @Sendable (inout RingSession, Moment, CivilDateTime) -> Asked?
    ) {
        self.title = title
        self.isRead = isRead
        self.ask = ask
    }

    /// A question that is answered by one frame.
    init<Request: RequestPacket>(
        _ title: String, isRead: Bool = true,
        _ request: @escaping @Sendable (CivilDateTime) -> Request?,
        agrees: @escaping @Sendable (Request.Owner.Reply, DeviceState) -> Bool
    ) where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        self.init(title, isRead: isRead) { session, now, today in
            guard let request = request(today) else { return nil }
            return Asked(
                session.send(request, at: now), opening: Array(request.frame.bytes),
                mark: .opcode(Request.opcode), agrees: agrees)
        }
    }

    /// A question that is answered by many frames.
    init<Request: RequestPacket>(
        _ title: String, log request: @escaping @Sendable (CivilDateTime) -> Request?,
        agrees: @escaping @Sendable (Request.Owner.Assembly.Reply, DeviceState) -> Bool
    ) where Request.Owner: ManyFrameCommand {
        self.init(title, isRead: true) { session, now, today in
            guard let request = request(today) else { return nil }
            return Asked(
                session.send(request, at: now), opening: Array(request.frame.bytes),
                mark: .opcode(Request.opcode), agrees: agrees)
        }
    }

    /// A question that is answered by a record.
    init<Request: BigDataRequest>(
        _ title: String, record request: Request, isRead: Bool = true,
        agrees: @escaping @Sendable (Request.Owner.Reply, DeviceState) -> Bool
    ) where Request.Owner: BigDataReplyCommand {
        self.init(title, isRead: isRead) { session, now, _ in
            Asked(
                session.send(request, at: now), opening: Array(request.frame.bytes),
                mark: .records([Request.Owner.replyID]), agrees: agrees)
        }
    }

    /// Nights and naps, which come as records of their own.
    static func sleep(
        _ request: Sleep.Request,
        agrees: @escaping @Sendable (SleepHistory, DeviceState) -> Bool
    ) -> Question {
        Question("sleep", isRead: true) { session, now, _ in
            Asked(
                session.send(request, at: now), opening: Array(request.frame.bytes),
                mark: .records([Sleep.replyID, Nap.replyID]), agrees: agrees)
        }
    }

    /// Temperatures, which come as one record or many.
    static func temperatures(
        _ request: TemperatureSeries.Request,
        agrees: @escaping @Sendable (TemperatureSeries.Reply, DeviceState) -> Bool
    ) -> Question {
        Question("temperatures", isRead: true) { session, now, _ in
            Asked(
                session.send(request, at: now), opening: Array(request.frame.bytes),
                mark: .records([TemperatureSeries.replyID]), agrees: agrees)
        }
    }
}
