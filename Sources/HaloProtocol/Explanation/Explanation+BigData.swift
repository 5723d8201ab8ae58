#if !hasFeature(Embedded)
extension Explanation {
    /// What a big-data frame says; where it is not said which way it travelled, as for a ``Frame``.
    public init(of frame: BigDataFrame, direction: Direction? = nil) {
        guard direction == nil else {
            self.init(of: frame, direction ?? .fromDevice)
            return
        }
        let question = Explanation(of: frame, .toDevice)
        let answer = Explanation(of: frame, .fromDevice)
        let isEmpty = frame.payload.isEmpty
        self = question.doubt < answer.doubt + (isEmpty ? 1 : 0) ? question : answer
    }

    private init(of frame: BigDataFrame, _ direction: Direction) {
        let bytes = frame.bytes
        let subject = BigDataCatalog.entry(id: frame.id, direction)?.title.description
        let framing = Self.framing(of: frame, subject ?? "unknown")
        guard let form = BigDataCatalog.form(of: frame, direction) else {
            self.init(
                .unknown, packet: nil, title: "an unknown record", bytes: bytes, fields: framing)
            return
        }
        let way = direction == .toDevice ? "to" : "from"
        let title = "\(subject ?? "an unknown record"), \(way) the device"
        var recorder = FieldRecorder()
        do throws(PacketError) {
            let payload = try form.record(frame.payload, &recorder)
            let fields = recorder.fields.map { $0.moved(by: BigDataFrame.headerLength) }
            let reencoded = BigDataFrame(id: frame.id, unchecked: payload).bytes
            self.init(
                .decoded, packet: form.name, title: title, bytes: bytes,
                fields: framing + fields, reencoded: reencoded)
        } catch {
            let fields = recorder.fields.map { $0.moved(by: BigDataFrame.headerLength) }
            let problem = error.moved(by: BigDataFrame.headerLength).description
            self.init(
                .refused, packet: form.name, title: title, bytes: bytes,
                fields: framing + fields, problem: problem)
        }
    }

    private static func framing(of frame: BigDataFrame, _ title: String) -> [DecodedField] {
        let length = frame.payload.count
        let checksum = CRC16.checksum(of: frame.payload)
        return [
            .framing("marker", at: 0, UInt64(BigDataFrame.marker), "big-data frame"),
            .framing("id", at: 1, UInt64(frame.id), title),
            .framing("length", at: 2, length: 2, UInt64(length), FieldUnit.bytes.text(length)),
            .framing("checksum", at: 4, length: 2, UInt64(checksum), "right"),
        ]
    }
}
#endif
