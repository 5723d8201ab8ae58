public import HaloProtocol

extension VirtualRing {
    /// What the ring says to a frame, as its profile has it.
    ///
    /// A request that cannot be read is refused like an unknown one; what real rings do with such
    /// is not known. There is no refusal of an opcode whose highest bit is set: it would be that
    /// of another one, so the ring is silent.
    mutating func reply(to frame: Frame, at now: Moment) -> RingAnswer {
        let conduct = profile.commands[frame.opcode]
        let refusal = Refusal(of: frame.opcode)
        let no: RingAnswer = refusal.opcode == frame.opcode ? .frames([refusal.frame]) : .silence
        switch conduct {
        case .refuses: return no
        case .silent where !RingResponder.unheard.contains(frame.opcode): return .silence
        case .silent, .answers: break
        }
        guard let responder = RingResponder.byOpcode[frame.opcode] else { return no }
        do throws(PacketError) {
            let answer = try responder.answer(&self, frame, now)
            return conduct == .silent ? .silence : answer
        } catch {
            return conduct == .silent ? .silence : no
        }
    }

    /// What the ring says to a record, as its profile has it.
    mutating func reply(to frame: BigDataFrame, at now: Moment) -> RingAnswer {
        let nothing = RingAnswer.records([BigDataNothing(id: frame.id).frame])
        switch profile.records[frame.id] {
        case .silent: return .silence
        case .refuses: return nothing
        case .answers: break
        }
        guard let responder = RingRecordResponder.byID[frame.id] else { return nothing }
        do throws(PacketError) {
            return try responder.answer(&self, frame, now)
        } catch {
            return nothing
        }
    }
}

/// The truth that answers are compared with.
extension VirtualRing {
    /// The frames that the ring would answer a request with now, without being asked.
    public func answers(to frame: Frame) -> [Frame] {
        var copy = self
        copy.noticeOutside(at: lastMoment)
        guard case .frames(let frames) = copy.reply(to: frame, at: lastMoment) else { return [] }
        return frames
    }

    /// The records that the ring would answer a request with now, without being asked.
    public func answers(to frame: BigDataFrame) -> [BigDataFrame] {
        var copy = self
        copy.noticeOutside(at: lastMoment)
        guard case .records(let records) = copy.reply(to: frame, at: lastMoment) else {
            return []
        }
        return records
    }
}
