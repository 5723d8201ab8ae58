public import HaloProtocol

struct RingResponder: Sendable {
    let opcode: UInt8
    let answer: @Sendable (inout VirtualRing, Frame, Moment) throws(PacketError) -> [Frame]

    init<Subject: RequestCommand>(
        _ type: Subject.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Subject.Request, Moment) -> [Frame]
    ) {
        self.init(Subject.Request.self, answer)
    }

    init<Request: FramePacket>(
        _ request: Request.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Request, Moment) -> [Frame]
    ) {
        opcode = Request.opcode
        self.answer = { ring, frame, now throws(PacketError) in
            answer(&ring, try Request(decoding: frame), now)
        }
    }

    init(acknowledging command: CommandFacts) {
        opcode = command.code
        answer = { _, _, _ in [FrameWriter(opcode: command.code).frame] }
    }

    /// The opcodes of commands that take effect even where a ring does not reply.
    static let unheard: Set<UInt8> = [
        FindDevice.opcode, DangerousPowerOff.opcode, DangerousFactoryReset.opcode,
    ]

    static let byOpcode: [UInt8: RingResponder] = {
        let all = identity + settings + otherSettings + logs + live
        return Dictionary(all.map { ($0.opcode, $0) }) { first, _ in first }
    }()
}

extension VirtualRing {
    /// The reply to a frame, by a fault, an anomaly or the profile.
    ///
    /// A malformed request is refused like an unknown one, which was not observed on real rings. An
    /// opcode with the highest bit set cannot be refused, since the refusal would be another
    /// opcode's: the ring stays silent.
    mutating func reply(
        to frame: Frame, _ fault: RingFault.Effect?, at now: Moment
    ) -> [Frame] {
        let usual =
            frame.opcode == refusedLog ? RingBehaviour.refuses : profile.commands[frame.opcode]
        let behaviour = fault?.behaviour ?? usual
        let refusal = Refusal(of: frame.opcode)
        let no: [Frame] = refusal.opcode == frame.opcode ? [refusal.frame] : []
        switch behaviour {
        case .refuses: return no
        case .silent where !RingResponder.unheard.contains(frame.opcode): return []
        case .silent, .answers: break
        }
        guard let responder = RingResponder.byOpcode[frame.opcode] else { return no }
        catchUp(at: now)
        let answer = (try? responder.answer(&self, frame, now)) ?? no
        return behaviour == .silent ? [] : answer
    }

    mutating func reply(
        to frame: BigDataFrame, _ fault: RingFault.Effect?, at now: Moment
    ) -> [BigDataFrame] {
        let nothing = [BigDataNoData(id: frame.id).frame]
        switch fault?.behaviour ?? profile.records[frame.id] {
        case .silent: return []
        case .refuses: return nothing
        case .answers: break
        }
        guard let responder = RingRecordResponder.byID[frame.id] else { return nothing }
        catchUp(at: now)
        return (try? responder.answer(&self, frame, now)) ?? nothing
    }

    // MARK: Expected replies

    /// The frames with which the ring would answer a request now. Its state does not change.
    public func answers(to frame: Frame) -> [Frame] {
        var copy = changed
        let fault = copy.faults.next(for: .command(frame.opcode))
        return copy.reply(to: frame, fault, at: lastMoment)
    }

    /// The records with which the ring would answer a request now. Its state does not change.
    public func answers(to frame: BigDataFrame) -> [BigDataFrame] {
        var copy = changed
        let fault = copy.faults.next(for: .record(frame.id))
        return copy.reply(to: frame, fault, at: lastMoment)
    }
}
