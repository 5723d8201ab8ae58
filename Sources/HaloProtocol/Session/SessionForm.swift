#if !hasFeature(Embedded)
/// What a session waits for after a request of one command, as a value: for requests of which
/// only the bytes are at hand.
struct SessionForm: Sendable {
    /// Whether the request may be sent again, and what joins its answer; nothing if the bytes are
    /// not a request of the command.
    typealias Wait = (repeats: Bool, collector: Collector?)

    let wait: @Sendable (SessionRequest.Packet) -> Wait?

    /// An answer of one frame.
    init<Request: RequestPacket>(_ type: Request.Type) {
        wait = { packet in
            guard case .frame(let frame) = packet, let request = try? Request(decoding: frame)
            else { return nil }
            return (request.onlyReads, .frame(request))
        }
    }

    /// An answer of many frames.
    init<Request: RequestPacket>(manyFor type: Request.Type)
    where Request.Owner: ManyFrameCommand {
        wait = { packet in
            guard case .frame(let frame) = packet, let request = try? Request(decoding: frame)
            else { return nil }
            return (request.onlyReads, .frames(request))
        }
    }

    /// No answer.
    init<Request: RequestPacket>(unansweredFor type: Request.Type) {
        wait = { packet in
            guard case .frame(let frame) = packet, (try? Request(decoding: frame)) != nil else {
                return nil
            }
            return (false, nil)
        }
    }

    /// An answer of one record, or of those that belong to its command.
    init<Request: BigDataRequest>(recordsFor type: Request.Type) {
        wait = { packet in
            guard case .record(let record) = packet,
                let request = try? Request(decoding: record)
            else { return nil }
            let collector: Collector =
                switch record.id {
                case Sleep.requestID: .sleep()
                case WorkoutDetail.requestID: .workout()
                case TemperatureSeries.requestID: .records(request)
                default: .record(request)
                }
            return (request.onlyReads, collector)
        }
    }
}

extension RingSession {
    /// Sends a frame that was recorded, if it is a request of the catalogue: what its type would
    /// send.
    package mutating func send(recorded frame: Frame, at now: Moment) -> TicketNumber? {
        let packet = SessionRequest.Packet.frame(frame)
        guard let wait = CommandCatalog.entry(opcode: frame.opcode)?.session?.wait(packet) else {
            return nil
        }
        return submit(packet, repeats: wait.repeats, wait.collector, at: now)
    }

    /// Sends a record that was recorded, if it is a request of the catalogue.
    package mutating func send(recorded record: BigDataFrame, at now: Moment) -> TicketNumber? {
        let packet = SessionRequest.Packet.record(record)
        let entry = BigDataCatalog.entry(id: record.id, .toDevice)
        guard let wait = entry?.session?.wait(packet) else { return nil }
        return submit(packet, repeats: wait.repeats, wait.collector, at: now)
    }
}
#endif
