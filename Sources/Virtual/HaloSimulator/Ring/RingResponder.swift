public import HaloProtocol

/// The handler of one command: decodes the request by its type, and replies.
struct RingResponder: Sendable {
    let opcode: UInt8
    let answer: @Sendable (inout VirtualRing, Frame, Moment) throws(PacketError) -> RingAnswer

    init<Subject: RequestCommand>(
        _ type: Subject.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Subject.Request, Moment) -> RingAnswer
    ) {
        self.init(Subject.Request.self, answer)
    }

    /// Creates a handler for a request type.
    init<Request: FramePacket>(
        _ request: Request.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Request, Moment) -> RingAnswer
    ) {
        opcode = Request.opcode
        self.answer = { ring, frame, now throws(PacketError) in
            answer(&ring, try Request(decoding: frame), now)
        }
    }

    /// Creates a handler that sends an empty reply to every request of a command.
    init(acknowledging command: CommandFacts) {
        opcode = command.code
        answer = { _, _, _ in .frames([FrameWriter(opcode: command.code).frame]) }
    }

    /// The opcodes of commands that take effect even where a ring does not reply.
    static let unheard: Set<UInt8> = [
        FindDevice.opcode, DangerousPowerOff.opcode, DangerousFactoryReset.opcode,
    ]

    /// The handlers of the first service, by opcode.
    static let byOpcode: [UInt8: RingResponder] = {
        let all = clock + identity + settings + otherSettings + logs + live + workouts
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
    ) -> RingAnswer {
        let usual =
            frame.opcode == refusedLog ? RingBehaviour.refuses : profile.commands[frame.opcode]
        let behaviour = fault?.behaviour ?? usual
        let refusal = Refusal(of: frame.opcode)
        let no: RingAnswer = refusal.opcode == frame.opcode ? .frames([refusal.frame]) : .silence
        switch behaviour {
        case .refuses: return no
        case .silent where !RingResponder.unheard.contains(frame.opcode): return .silence
        case .silent, .answers: break
        }
        guard let responder = RingResponder.byOpcode[frame.opcode] else { return no }
        catchUp(at: now)
        do throws(PacketError) {
            let answer = try responder.answer(&self, frame, now)
            return behaviour == .silent ? .silence : answer
        } catch {
            return behaviour == .silent ? .silence : no
        }
    }

    /// The reply to a record, by a fault or by the profile.
    mutating func reply(
        to frame: BigDataFrame, _ fault: RingFault.Effect?, at now: Moment
    ) -> RingAnswer {
        let nothing = RingAnswer.records([BigDataNoData(id: frame.id).frame])
        switch fault?.behaviour ?? profile.records[frame.id] {
        case .silent: return .silence
        case .refuses: return nothing
        case .answers: break
        }
        guard let responder = RingRecordResponder.byID[frame.id] else { return nothing }
        catchUp(at: now)
        do throws(PacketError) {
            return try responder.answer(&self, frame, now)
        } catch {
            return nothing
        }
    }

    // MARK: Expected replies

    /// The frames with which the ring would answer a request now. Its state does not change.
    public func answers(to frame: Frame) -> [Frame] {
        var copy = self
        copy.applyExternalChanges(at: lastMoment)
        let fault = copy.faults.next(for: .command(frame.opcode))
        guard case .frames(let frames) = copy.reply(to: frame, fault, at: lastMoment) else {
            return []
        }
        return frames
    }

    /// The records with which the ring would answer a request now. Its state does not change.
    public func answers(to frame: BigDataFrame) -> [BigDataFrame] {
        var copy = self
        copy.applyExternalChanges(at: lastMoment)
        let fault = copy.faults.next(for: .record(frame.id))
        guard case .records(let records) = copy.reply(to: frame, fault, at: lastMoment) else {
            return []
        }
        return records
    }
}
