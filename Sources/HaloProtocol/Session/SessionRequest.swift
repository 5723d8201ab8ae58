/// A request in a session's line: what is written, for whom, and what its answer looks like.
struct SessionRequest: Sendable {
    /// Whose request it is.
    enum Purpose: Hashable, Sendable {
        case ticket(TicketNumber)
        case stream(StreamNumber, StreamStep)
    }

    /// What is written.
    enum Packet: Sendable {
        case frame(Frame)
        case record(BigDataFrame)
    }

    /// What answers are told apart by, before all else.
    struct Key: Hashable, Sendable {
        let channel: RingChannel
        let code: UInt8
    }

    let purpose: Purpose
    let packet: Packet
    /// Whether it may be sent again.
    let repeats: Bool
    /// What joins its answer; nothing if rings do not answer it.
    let collector: Collector?
    /// Whether it is sent although a late answer of its command may come.
    var overtakesLateAnswers = false
    /// Whether an answer that comes late is waited for; what is a report like others is not.
    var leavesLateAnswers = true

    var key: Key {
        switch packet {
        case .frame(let frame): Key(channel: .uart, code: frame.opcode)
        case .record(let record): Key(channel: .bigData, code: record.id)
        }
    }

    var ticket: TicketNumber? {
        if case .ticket(let number) = purpose { number } else { nil }
    }

    func effect(_ write: WriteNumber) -> RingSession.Effect {
        switch packet {
        case .frame(let frame): .write(frame, write)
        case .record(let record): .writeRecord(record, write)
        }
    }

    func belongs(to stream: StreamNumber) -> Bool {
        if case .stream(stream, _) = purpose { true } else { false }
    }
}

/// What a request of a stream is for.
enum StreamStep: Hashable, Sendable {
    case start
    case keepAlive
    case pause
    case resume
    case stop
}
