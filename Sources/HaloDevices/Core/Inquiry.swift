internal import HaloProtocol

/// A request with the type of its answer, before a conversation takes it.
struct Inquiry<Value: Sendable>: Sendable {
    /// The command, as programs write it.
    let command: FieldName
    /// The service that it travels on.
    let channel: RingChannel
    /// Puts it in a session's line.
    let send: @Sendable (inout RingSession, Moment) -> Ticket<Value>

    /// What came of it.
    func outcome(_ ticket: Ticket<Value>, _ ended: RingState.EndedCall) -> Outcome<Value> {
        do throws(SessionError) {
            return Outcome(result: .success(try ticket.answer(ended.completion)))
        } catch {
            let error = DeviceError(
                error, command: command, bleError: ended.writeError, reason: ended.reason)
            return Outcome(result: .failure(error), partial: ticket.partial(ended.completion))
        }
    }
}

/// What came of a request.
struct Outcome<Value: Sendable>: Sendable {
    /// The answer, or why there is none.
    let result: Result<Answer<Value>, DeviceError>
    /// What can be made of an answer that has gaps.
    var partial: Value?
}

extension Inquiry {
    /// What one frame answers.
    init<Request: RequestPacket>(_ request: Request)
    where
        Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket,
        Value == Request.Owner.Reply
    {
        self.init(command: Request.Owner.name, channel: .uart) { session, now in
            session.send(request, at: now)
        }
    }

    /// What many frames answer.
    init<Request: RequestPacket>(_ request: Request)
    where Request.Owner: ManyFrameCommand, Value == Request.Owner.Assembly.Reply {
        self.init(command: Request.Owner.name, channel: .uart) { session, now in
            session.send(request, at: now)
        }
    }

    /// What a record answers.
    init<Request: BigDataRequest>(_ request: Request)
    where Request.Owner: BigDataReplyCommand, Value == Request.Owner.Reply {
        self.init(command: Request.Owner.name, channel: .bigData) { session, now in
            session.send(request, at: now)
        }
    }
}

extension Inquiry where Value == SleepHistory {
    /// Nights, and the naps that come with them.
    init(_ request: Sleep.Request) {
        self.init(command: Sleep.name, channel: .bigData) { session, now in
            session.send(request, at: now)
        }
    }
}

extension Inquiry where Value == TemperatureSeries.Reply {
    /// Days of temperatures, in one record or in several.
    init(_ request: TemperatureSeries.Request) {
        self.init(command: TemperatureSeries.name, channel: .bigData) { session, now in
            session.send(request, at: now)
        }
    }
}

extension Inquiry where Value == WorkoutRecording {
    /// What was recorded during a workout, all its pieces.
    init(_ request: WorkoutDetail.Request) {
        self.init(command: WorkoutDetail.name, channel: .bigData) { session, now in
            session.send(request, at: now)
        }
    }
}
