internal import HaloProtocol

/// What a ring does with one command: decodes the request by its type, and answers.
struct RingResponder: Sendable {
    let opcode: UInt8
    let answer: @Sendable (inout VirtualRing, Frame, Moment) throws(PacketError) -> RingAnswer

    init<Subject: RequestCommand>(
        _ type: Subject.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Subject.Request, Moment) -> RingAnswer
    ) {
        self.init(Subject.Request.self, answer)
    }

    /// For a command whose requests a ring takes in a form of its own.
    init<Request: FramePacket>(
        _ request: Request.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Request, Moment) -> RingAnswer
    ) {
        opcode = Request.opcode
        self.answer = { ring, frame, now throws(PacketError) in
            answer(&ring, try Request(decoding: frame), now)
        }
    }

    /// What has an effect also where a ring does not answer.
    static let unheard: Set<UInt8> = [
        FindDevice.opcode, DangerousPowerOff.opcode, DangerousFactoryReset.opcode,
    ]

    /// Everything that a ring can be asked on its first service, by opcode.
    static let byOpcode: [UInt8: RingResponder] = {
        let all = clock + identity + settings + otherSettings + logs + live + workouts
        return Dictionary(all.map { ($0.opcode, $0) }) { first, _ in first }
    }()
}

/// What a ring does with one record: decodes the request by its type, and answers.
struct RingRecordResponder: Sendable {
    let id: UInt8
    let answer:
        @Sendable (inout VirtualRing, BigDataFrame, Moment) throws(PacketError) -> RingAnswer

    init<Subject: BigDataRequestCommand>(
        _ type: Subject.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Subject.Request, Moment) -> RingAnswer
    ) {
        id = Subject.requestID
        self.answer = { ring, frame, now throws(PacketError) in
            answer(&ring, try Subject.Request(decoding: frame), now)
        }
    }

    /// Everything that a ring can be asked on its second service, by record id.
    static let byID: [UInt8: RingRecordResponder] = {
        Dictionary((days + texts + recordings).map { ($0.id, $0) }) { first, _ in first }
    }()
}
