/// A request of a ``RingSession`` that waits for its reply, with the type of that reply.
///
/// The session collects the frames of a reply without knowing its type. The pending request decodes
/// them.
public struct PendingRequest<Value: Sendable>: Sendable {
    /// The number of the request and of its ``Completion``.
    public let number: RequestNumber
    let read: @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Value>
    let readPartial: @Sendable (ReceivedAnswer) -> Value?

    init(
        _ number: RequestNumber,
        read: @escaping @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Value>,
        readPartial: @escaping @Sendable (ReceivedAnswer) -> Value? = { _ in nil }
    ) {
        self.number = number
        self.read = read
        self.readPartial = readPartial
    }

    /// Reads the answer from the completion with the same number.
    public func answer(_ completion: Completion) throws(SessionError) -> Answer<Value> {
        guard completion.number == number else {
            throw SessionError(.otherRequest, received: completion.received)
        }
        if let error = completion.error { throw error }
        do throws(PacketError) {
            return try read(completion.received)
        } catch {
            throw SessionError(.malformed, packetError: error, received: completion.received)
        }
    }

    /// Reads an incomplete reply as far as possible, or returns `nil`.
    ///
    /// Missing elements are left out, or zero where they have a position among others.
    public func partial(_ completion: Completion) -> Value? {
        guard completion.number == number, completion.error != nil else { return nil }
        return readPartial(completion.received)
    }
}

/// The number of a request within its session.
public struct RequestNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension RequestNumber: CustomStringConvertible {
    /// The number as text: `#12`.
    public var description: String { "#\(rawValue)" }
}

/// The value of a request without a reply: the request was written.
public struct Sent: Hashable, Sendable {
    init() {}
}

/// The end of a request. Each request has exactly one.
public struct Completion: Hashable, Sendable {
    /// The number of the request.
    public let number: RequestNumber
    /// The frames received for the request, including incomplete and broken replies.
    public let received: ReceivedAnswer
    /// The reason for the missing answer, or `nil` if there is an answer.
    public let error: SessionError?
    /// The number of times that the request was written.
    public let attempts: Int
    /// The last write of the request, or `nil` if it was never written.
    public let lastWrite: WriteNumber?

    init(
        number: RequestNumber, received: ReceivedAnswer = ReceivedAnswer(),
        error: SessionError? = nil, attempts: Int, lastWrite: WriteNumber? = nil
    ) {
        self.lastWrite = lastWrite
        self.number = number
        self.received = received
        self.error = error
        self.attempts = attempts
    }
}

extension Completion: CustomStringConvertible {
    /// The end in one sentence, for logs.
    public var description: String {
        let end = error?.description ?? "The ring has answered."
        return "\(number): \(end) (sent \(attempts == 1 ? "once" : "\(attempts) times"))"
    }
}

/// The reason for a missing answer.
public struct SessionError: Error, Hashable, Sendable {
    /// The kind of a session error; further kinds may be added.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// No reply came in time, in any attempt.
        public static let timedOut = Kind(code: 0)
        /// Frames of the reply are missing after the last attempt.
        public static let incomplete = Kind(code: 1)
        /// The reply cannot be decoded; ``SessionError/packetError`` has the reason.
        public static let malformed = Kind(code: 2)
        /// The app has cancelled the request.
        public static let cancelled = Kind(code: 3)
        /// The link has ended.
        public static let disconnected = Kind(code: 4)
        /// The queue is full: ``SessionRules/queueLimit``.
        public static let overloaded = Kind(code: 5)
        /// The completion belongs to another pending request.
        public static let otherRequest = Kind(code: 6)
        /// The ring sent more frames than a reply can have.
        public static let tooLong = Kind(code: 7)
        /// The request could not be written: ``RingSession/writeFailed(_:at:)``.
        public static let writeFailed = Kind(code: 8)
    }

    /// The kind of the error.
    public let kind: Kind
    /// The fault of a packet, or the missing frame; `nil` for other errors.
    public let packetError: PacketError?
    /// The frames received before the error.
    public let received: ReceivedAnswer

    /// Creates an error of a kind.
    package init(
        _ kind: Kind, packetError: PacketError? = nil,
        received: ReceivedAnswer = ReceivedAnswer()
    ) {
        self.kind = kind
        self.packetError = packetError
        self.received = received
    }
}

extension SessionError: CustomStringConvertible {
    /// The error in one sentence; no text in it comes from a device.
    public var description: String {
        switch kind {
        case .timedOut: "The ring did not answer in time."
        case .incomplete: "The ring's answer is not complete\(cause)"
        case .malformed: "The ring's answer is not what it should be\(cause)"
        case .cancelled: "The request was cancelled."
        case .disconnected: "The link to the ring has ended."
        case .overloaded: "Too many requests are waiting."
        case .otherRequest: "The completion belongs to another request."
        case .tooLong: "The ring sent more than an answer can be."
        case .writeFailed: "The request could not be written to the ring."
        default: "The request has no answer."
        }
    }

    private var cause: String { packetError.map { ": \($0)" } ?? "." }
}

extension SessionError.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .timedOut: "the ring did not answer in time"
        case .incomplete: "the answer is not complete"
        case .malformed: "the answer is not what it should be"
        case .cancelled: "the request was cancelled"
        case .disconnected: "the link to the ring has ended"
        case .overloaded: "too many requests are waiting"
        case .otherRequest: "the completion belongs to another request"
        case .tooLong: "the answer is longer than it can be"
        case .writeFailed: "the request could not be written"
        default: "the request has no answer"
        }
    }
}

/// Functions that send requests of every kind.
extension RingSession {
    /// Sends a request whose reply is one frame.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        let number = submit(
            .frame(request.frame), repeats: request.onlyReads, .frame(request), at: now)
        return PendingRequest(number) { received throws(PacketError) in
            guard let frame = received.frames.first else { throw .noAnswer(Request.Owner.name) }
            if frame.refuses(Request.opcode) { return .refused }
            return try Request.Owner.Reply.answer(frame)
        }
    }

    /// Sends a request whose reply is many frames.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Assembly.Reply> where Request.Owner: ManyFrameCommand {
        let number = submit(
            .frame(request.frame), repeats: request.onlyReads, .frames(request), at: now)
        return PendingRequest(number) { received throws(PacketError) in
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

    /// Sends a request without a reply; the request ends ``SessionRules/spacingWithoutReply`` after
    /// its write.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Sent> where Request.Owner: UnansweredCommand {
        let number = submit(.frame(request.frame), repeats: false, nil, at: now)
        return PendingRequest(number) { _ throws(PacketError) in .value(Sent()) }
    }

    /// Sends a request whose reply is one record.
    public mutating func send<Request: BigDataRequest>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Reply> where Request.Owner: BigDataReplyCommand {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .record(request), at: now)
        return PendingRequest(number) { received throws(PacketError) in
            guard let record = received.bigData.first else { throw .noAnswer(Request.Owner.name) }
            return try Request.Owner.Reply.answer(record)
        }
    }

    /// Requests temperatures; the days come in one record, or each in its own.
    public mutating func send(
        _ request: TemperatureSeries.Request, at now: Moment
    ) -> PendingRequest<TemperatureSeries.Reply> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .records(request), at: now)
        return PendingRequest(number) { received throws(PacketError) in
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

    /// Requests the stored sleep; naps that come with the nights belong to the reply.
    public mutating func send(
        _ request: Sleep.Request, at now: Moment
    ) -> PendingRequest<SleepHistory> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .sleep(), at: now)
        return PendingRequest(
            number, read: { received throws(PacketError) in try SleepHistory.answer(received) },
            readPartial: { received in (try? SleepHistory.answer(received))?.value })
    }

    /// Requests the recording of one workout: its layout, and all packages of samples.
    public mutating func send(
        _ request: WorkoutDetail.Request, at now: Moment
    ) -> PendingRequest<WorkoutRecording> {
        let number = submit(
            .record(request.frame), repeats: request.onlyReads, .workout(), at: now)
        return PendingRequest(
            number,
            read: { received throws(PacketError) in try WorkoutRecording.answer(received) },
            readPartial: { received in (try? WorkoutRecording.answer(received))?.value })
    }
}

extension PacketError {
    /// Returns the error of a completion without a frame, which sessions never create.
    static func noAnswer(_ command: FieldName) -> PacketError {
        PacketError(.missing, packet: PacketName(command, "Reply"), field: "frame", at: 0)
    }
}

#if !hasFeature(Embedded)
extension RingSession {
    /// Sends a recorded frame as a request of its command. Returns `nil` if the frame is no
    /// request.
    package mutating func send(recorded frame: Frame, at now: Moment) -> RequestNumber? {
        let packet = ChannelFrame.frame(frame)
        guard let wait = CommandCatalog.entry(opcode: frame.opcode)?.session?.wait(packet) else {
            return nil
        }
        return submit(packet, repeats: wait.repeats, wait.collector, at: now)
    }

    /// Sends a recorded record as a request of its command. Returns `nil` if it is no request.
    package mutating func send(recorded record: BigDataFrame, at now: Moment) -> RequestNumber? {
        let packet = ChannelFrame.record(record)
        let entry = BigDataCatalog.entry(id: record.id, .toDevice)
        guard let wait = entry?.session?.wait(packet) else { return nil }
        return submit(packet, repeats: wait.repeats, wait.collector, at: now)
    }
}
#endif
