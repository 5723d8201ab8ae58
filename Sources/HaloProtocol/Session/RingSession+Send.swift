/// Requests of every shape; each gives a ticket with the type of its answer.
extension RingSession {
    /// Sends a request that the ring answers with one frame.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> Ticket<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        let number = submit(
            .frame(request.frame), repeats: request.onlyReads, .frame(request), at: now)
        return Ticket(number) { received throws(PacketError) in
            guard let frame = received.frames.first else { throw .noAnswer(Request.Owner.name) }
            if frame.refuses(Request.opcode) { return .refused }
            return try Request.Owner.Reply.answer(frame)
        }
    }

    /// Sends a request that the ring answers with many frames.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> Ticket<Request.Owner.Assembly.Reply> where Request.Owner: ManyFrameCommand {
        let number = submit(
            .frame(request.frame), repeats: request.onlyReads, .frames(request), at: now)
        return Ticket(number) { received throws(PacketError) in
            var assembly = Request.Owner.Assembly()
            for frame in received.frames {
                if frame.refuses(Request.opcode) { return .refused }
                if let answer = try assembly.receive(frame) { return answer }
            }
            throw .noAnswer(Request.Owner.name)
        } readPartial: { received in
            var assembly = Request.Owner.Assembly()
            for frame in received.frames { _ = try? assembly.receive(frame) }
            return assembly.partial
        }
    }

    /// Sends a request that rings do not answer: it has ended once it is sent and some time has
    /// passed.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> Ticket<Sent> where Request.Owner: UnansweredCommand {
        let number = submit(.frame(request.frame), repeats: false, nil, at: now)
        return Ticket(number) { _ throws(PacketError) in .value(Sent()) }
    }

    /// Sends a request that the ring answers with one record.
    public mutating func send<Request: BigDataRequest>(
        _ request: Request, at now: Moment
    ) -> Ticket<Request.Owner.Reply> where Request.Owner: BigDataReplyCommand {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .record(request), at: now)
        return Ticket(number) { received throws(PacketError) in
            guard let record = received.bigData.first else { throw .noAnswer(Request.Owner.name) }
            return try Request.Owner.Reply.answer(record)
        }
    }

    /// Asks for temperatures: days may come in one record, or each in its own.
    public mutating func send(
        _ request: TemperatureSeries.Request, at now: Moment
    ) -> Ticket<TemperatureSeries.Reply> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .records(request), at: now)
        return Ticket(number) { received throws(PacketError) in
            var days: [TemperatureSeries.Day] = []
            for record in received.bigData {
                guard let reply = try TemperatureSeries.Reply.answer(record).value else { continue }
                days += reply.days
            }
            guard let reply = try? TemperatureSeries.Reply(days: days), !days.isEmpty else {
                return .noData
            }
            return .value(reply)
        }
    }

    /// Asks for nights; naps that come with them are a part of the answer.
    public mutating func send(
        _ request: Sleep.Request, at now: Moment
    ) -> Ticket<SleepHistory> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .sleep(), at: now)
        return Ticket(
            number, read: { received throws(PacketError) in try SleepHistory.answer(received) },
            readPartial: { received in (try? SleepHistory.answer(received))?.value })
    }

    /// Asks for what was recorded during one workout: how it is cut, and all its pieces.
    public mutating func send(
        _ request: WorkoutDetail.Request, at now: Moment
    ) -> Ticket<WorkoutRecording> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .workout(), at: now)
        return Ticket(
            number,
            read: { received throws(PacketError) in try WorkoutRecording.answer(received) },
            readPartial: { received in (try? WorkoutRecording.answer(received))?.value })
    }
}

extension PacketError {
    /// A completion without a frame, which no session makes.
    static func noAnswer(_ command: FieldName) -> PacketError {
        PacketError(.missing, packet: PacketName(command, "Reply"), field: "frame", at: 0)
    }
}
