internal import HaloProtocol

struct RingRecordResponder: Sendable {
    let id: UInt8
    let answer:
        @Sendable (inout VirtualRing, BigDataFrame, Moment) throws(PacketError) -> [BigDataFrame]

    init<Subject: BigDataRequestCommand>(
        _ type: Subject.Type,
        _ answer: @escaping @Sendable (inout VirtualRing, Subject.Request, Moment) -> [BigDataFrame]
    ) {
        id = Subject.requestID
        self.answer = { ring, frame, now throws(PacketError) in
            answer(&ring, try Subject.Request(decoding: frame), now)
        }
    }

    /// Creates the handler of an undescribed record, which replies with a captured payload.
    init(_ raw: CommandFacts, payload: [UInt8]) {
        id = raw.code
        answer = { _, frame, _ in
            (try? BigDataFrame(id: frame.id, payload: payload)).map { [$0] } ?? []
        }
    }

    static let byID: [UInt8: RingRecordResponder] = {
        Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }()
}
