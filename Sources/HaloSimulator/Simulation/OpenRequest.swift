internal import HaloProtocol

/// A request of a run that has not ended yet.
struct OpenRequest {
    /// What was asked, in a few words.
    let title: String
    /// Whether it only reads.
    let isRead: Bool
    let asked: Question.Asked
    /// How often its bytes were given to be written.
    var writes = 0
    /// The device as it was when the bytes had arrived, and when it began to answer.
    var states: [DeviceState] = []
    /// What the device has sent since it was first written, of what can answer it.
    var sent: [Frame] = []
    /// The same of the second service.
    var sentRecords: [BigDataFrame] = []

    /// More states than this are not kept: the later ones are the likely truth.
    static let stateLimit = 16

    init(_ question: Question, _ asked: Question.Asked) {
        title = question.title
        isRead = question.isRead
        self.asked = asked
    }

    mutating func add(_ state: DeviceState) {
        if states.count == Self.stateLimit { states.removeFirst() }
        states.append(state)
    }

    mutating func sent(_ frame: Frame) {
        if asked.mark.includes(frame) { sent.append(frame) }
    }

    mutating func sent(_ record: BigDataFrame) {
        if asked.mark.includes(record) { sentRecords.append(record) }
    }
}

/// Which frames of a device can answer a request.
enum ReplyMark {
    /// Frames of an opcode.
    case opcode(UInt8)
    /// Records of these ids.
    case records([UInt8])

    func includes(_ frame: Frame) -> Bool {
        if case .opcode(frame.opcode) = self { true } else { refusal(is: frame) }
    }

    func includes(_ record: BigDataFrame) -> Bool {
        guard case .records(let ids) = self else { return false }
        return ids.contains(record.id)
    }

    /// Whether bytes that were written are a request of the same command.
    func asks(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .opcode(let opcode): bytes.first == opcode
        case .records(let ids): bytes.dropFirst().first.map { ids.contains($0) } ?? false
        }
    }

    /// Whether a frame is the ring's "no".
    func refusal(is frame: Frame) -> Bool {
        guard case .opcode(let opcode) = self, let refused = frame.refusedOpcode else {
            return false
        }
        return refused == Refusal(of: opcode).opcode
    }
}

/// A ring as it was at a moment of a run.
struct DeviceState: Sendable {
    let ring: VirtualRing
    let moment: Moment

    /// What the ring holds, asked as it asks itself; the ring of the run is left as it was.
    func holds<Value>(_ question: (inout VirtualRing, Moment) -> Value) -> Value {
        var copy = ring
        return question(&copy, moment)
    }
}

/// What is to be thought of how a request has ended.
enum Judgement {
    /// There is an answer; whether it is what the device holds, and what it says.
    case value(isTrue: Bool, String)
    /// The ring's "no".
    case refused
    /// The ring's "nothing stored".
    case noData
    /// There is none.
    case failed(SessionError)
}
