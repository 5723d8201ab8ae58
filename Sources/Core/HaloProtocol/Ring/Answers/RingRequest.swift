/// A request to a ring with the type of its reply: what an app sends, and whose reply it awaits.
///
/// A ``RingSession`` writes the packet, and joins the frames of the reply without knowing its type.
/// The request decodes them.
package struct RingRequest<Value: Sendable>: Sendable {
    package let command: FieldName
    let packet: ChannelFrame
    /// `true` if the request may be sent again.
    let repeats: Bool
    /// `true` if the request is sent even while a late reply to the same command may come: it does
    /// no harm if that one is mistaken for its own.
    package var overtakesLateReplies = false
    /// The collector of the reply, or `nil` for a request without a reply.
    let collector: Collector?
    /// Decodes the frames of a complete reply.
    package let answer: @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Value>
    /// Decodes an incomplete reply as far as possible, or returns `nil`.
    package private(set) var partial: @Sendable (ReceivedAnswer) -> Value? = { _ in nil }

    package var channel: RingChannel {
        switch packet {
        case .frame: .uart
        case .record: .bigData
        }
    }

    /// The same request with the frames of the reply as its value.
    package var untyped: RingRequest<ReceivedAnswer> {
        reading { received throws(PacketError) in .value(received) }
    }

    package func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> RingRequest<Other> {
        reading { [answer] received throws(PacketError) in
            try answer(received).map(transform)
        } partial: { [partial] received in
            partial(received).map(transform)
        }
    }

    /// Returns the same request whose reply is decoded in another way.
    private func reading<Other: Sendable>(
        _ answer: @escaping @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Other>,
        partial: @escaping @Sendable (ReceivedAnswer) -> Other? = { _ in nil }
    ) -> RingRequest<Other> {
        RingRequest<Other>(
            command: command, packet: packet, repeats: repeats,
            overtakesLateReplies: overtakesLateReplies, collector: collector, answer: answer,
            partial: partial)
    }
}

extension RingRequest {
    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    package init<Request: RequestPacket>(_ request: Request)
    where
        Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket,
        Value == Request.Owner.Reply
    {
        self.init(
            command: Request.Owner.name, packet: .frame(request.frame),
            repeats: request.onlyReads, collector: .frame(request)
        ) { received throws(PacketError) in
            guard let frame = received.frames.first else { throw .noAnswer(Request.Owner.name) }
            if frame.refuses(Request.opcode) { return .refused }
            return try Request.Owner.Reply.answer(frame)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    package init<Request: RequestPacket>(_ request: Request)
    where Request.Owner: ManyFrameCommand, Value == Request.Owner.Assembly.Reply {
        self.init(
            command: Request.Owner.name, packet: .frame(request.frame),
            repeats: request.onlyReads, collector: .frames(request)
        ) { received throws(PacketError) in
            var assembly = Request.Owner.Assembly()
            for frame in received.frames {
                if frame.refuses(Request.opcode) { return .refused }
                if let answer = try assembly.receive(frame) { return answer }
            }
            throw .noAnswer(Request.Owner.name)
        } partial: { received in
            var assembly = Request.Owner.Assembly()
            for frame in received.frames { _ = try? assembly.receive(frame) }
            return assembly.partial
        }
    }

    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    package init<Request: RequestPacket>(_ request: Request)
    where Request.Owner: UnansweredCommand, Value == Sent {
        self.init(
            command: Request.Owner.name, packet: .frame(request.frame), repeats: false,
            collector: nil
        ) { _ throws(PacketError) in .value(Sent()) }
    }

    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    package init<Request: BigDataRequest>(_ request: Request)
    where Value == Request.Owner.Reply {
        self.init(
            command: Request.Owner.name, packet: .record(request.frame),
            repeats: request.onlyReads, collector: .record(request)
        ) { received throws(PacketError) in
            guard let record = received.bigData.first else { throw .noAnswer(Request.Owner.name) }
            return try Request.Owner.Reply.answer(record)
        }
    }
}

extension RingRequest where Value == Frame {
    /// Creates a request of a ``RawCommand``, whose reply is one frame; `nil` for a frame of
    /// another command.
    package init?(raw frame: Frame) {
        guard let facts = RawCommand.row(opcode: frame.opcode) else { return nil }
        self.init(frame, facts)
    }

    /// Creates a request of a command of which only the name is known; the frame has its code.
    init(_ frame: Frame, _ facts: CommandFacts) {
        self.init(
            command: facts.name, packet: .frame(frame), repeats: facts.onlyReads,
            collector: .frame(facts.code)
        ) { received throws(PacketError) in
            guard let reply = received.frames.first else { throw .noAnswer(facts.name) }
            return reply.refuses(facts.code) ? .refused : .value(reply)
        }
    }
}

extension RingRequest where Value == BigDataFrame {
    /// Creates a request of a ``RawRecord``, whose reply is one record; `nil` for a frame of
    /// another record.
    package init?(raw frame: BigDataFrame) {
        guard let facts = RawRecord.row(id: frame.id) else { return nil }
        self.init(frame, facts)
    }

    /// Creates a request of a record of which only the name is known; the frame has its code.
    init(_ frame: BigDataFrame, _ facts: CommandFacts) {
        self.init(
            command: facts.name, packet: .record(frame), repeats: facts.onlyReads,
            collector: .record { $0.id == facts.code }
        ) { received throws(PacketError) in
            guard let reply = received.bigData.first else { throw .noAnswer(facts.name) }
            return reply.isSingleZero ? .noData : .value(reply)
        }
    }
}

extension RingRequest where Value == TemperatureSeries.Reply {
    /// Creates a request for temperatures; the days come in one record, or each in its own. A day
    /// that comes again has changed since: the later one counts. A day that ends early has no
    /// further values.
    package init(_ request: TemperatureSeries.Request) {
        self.init(
            command: TemperatureSeries.name, packet: .record(request.frame),
            repeats: request.onlyReads, collector: .records(request)
        ) { received throws(PacketError) in
            var days: [TemperatureSeries.Day] = []
            for record in received.bigData {
                guard let reply = try TemperatureSeries.Reply.answer(record).value else { continue }
                for day in reply.days.map({ $0.whole }) {
                    if let index = days.firstIndex(where: { $0.daysAgo == day.daysAgo }) {
                        days[index] = day
                    } else {
                        days.append(day)
                    }
                }
            }
            guard let reply = try? TemperatureSeries.Reply(days: days), !days.isEmpty else {
                return .noData
            }
            return .value(reply)
        }
    }
}

extension RingRequest where Value == SleepHistory {
    /// Creates a request for the stored sleep; naps that come with the nights belong to the reply.
    package init(_ request: Sleep.Request) {
        self.init(
            command: Sleep.name, packet: .record(request.frame), repeats: request.onlyReads,
            collector: .sleep(),
            answer: { received throws(PacketError) in try SleepHistory.answer(received) },
            partial: { received in (try? SleepHistory.answer(received))?.value })
    }
}

extension RingRequest where Value == WorkoutRecording {
    /// Creates a request for the recording of one workout: its layout, and all packages of samples.
    package init(_ request: WorkoutDetail.Request) {
        self.init(
            command: WorkoutDetail.name, packet: .record(request.frame),
            repeats: request.onlyReads, collector: .workout(),
            answer: { received throws(PacketError) in try WorkoutRecording.answer(received) },
            partial: { received in (try? WorkoutRecording.answer(received))?.value })
    }
}

extension PacketError {
    /// Returns the error of a complete reply without a frame, which sessions never create.
    static func noAnswer(_ command: FieldName) -> PacketError {
        PacketError(.missing, packet: PacketName(command, "Reply"), field: "frame", at: 0)
    }
}
