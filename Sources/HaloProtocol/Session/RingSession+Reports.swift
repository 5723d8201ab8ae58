/// What streams report: the second half of rule 8.
extension RingSession {
    /// Gives a frame to the stream that it belongs to. Answers whether there is one.
    mutating func takeForStream(_ frame: Frame) -> Bool {
        for index in streams.indices where streams[index].takesReports {
            do throws(PacketError) {
                guard let report = try report(frame, index) else { continue }
                noteReport(index)
                if let report { effects.append(.stream(streams[index].number, report)) }
                return true
            } catch {
                self.report(.brokenPacket(frame, error))
                return true
            }
        }
        return false
    }

    /// A measurement that was told to go on is refused: nothing waits for that, but it has ended.
    mutating func takeRefusal(_ frame: Frame) -> Bool {
        guard frame.refuses(RealtimeMeasurement.opcode) else { return false }
        let index = streams.firstIndex { stream in
            if case .measurement = stream.stream { stream.hasStarted } else { false }
        }
        guard let index else { return false }
        end(index, .refused)
        return true
    }

    /// What a frame is to a stream: nothing, a repeat, or a report.
    private mutating func report(
        _ frame: Frame, _ index: Int
    ) throws(PacketError) -> StreamReport?? {
        switch streams[index].stream {
        case .measurement(let quantity):
            guard frame.opcode == RealtimeMeasurement.opcode else { return .none }
            let reply = try RealtimeMeasurement.Reply(decoding: frame)
            guard reply.quantity == quantity else { return .none }
            if reply.value != 0 { streams[index].lastValue = reply.value }
            return .some(.measurement(reply))
        case .workout(let sport):
            guard frame.opcode == WorkoutProgress.opcode else { return .none }
            let reply = try WorkoutProgress.Reply(decoding: frame)
            guard reply.sport == sport else { return .none }
            streams[index].hasRingEnded = reply.state == .ended
            return .some(streams[index].isRepeat(reply) ? nil : .workout(reply))
        case .rawSensors:
            guard frame.opcode == RawSensors.opcode, frame.refusedOpcode == nil else {
                return .none
            }
            return .some(.rawSensors(try RawSensors.Reply(decoding: frame)))
        }
    }

    /// A report has come: the silence begins anew, and what was to end it is not needed.
    private mutating func noteReport(_ index: Int) {
        streams[index].silenceEnds = after(rules.streamSilence)
        switch streams[index].phase {
        case .starting:
            guard streams[index].hasStarted else { return }
            streams[index].phase = .running
            let start = SessionRequest.Purpose.stream(streams[index].number, .start)
            line.waiting.removeAll { $0.purpose == start }
        case .running: break
        case .stopping: streams[index].reportsSinceStop += 1
        }
    }
}
