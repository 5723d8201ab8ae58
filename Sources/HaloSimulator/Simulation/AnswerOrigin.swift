internal import HaloProtocol

/// What an answer is made of, and what the device has sent for it.
struct AnswerOrigin {
    private let title: String
    private let request: OpenRequest
    private let frames: [Frame]
    private let records: [BigDataFrame]

    init(_ completion: Completion, _ request: OpenRequest) {
        title = "request \(completion.number) (\(request.title))"
        self.request = request
        frames = completion.received.frames
        records = completion.received.bigData
    }

    /// Something in it was not sent by the device since the request was written.
    var fault: RequestFault? {
        for frame in frames where !request.sent.contains(frame) {
            return RequestFault(
                .foreignAnswer,
                "\(title) was answered by \(frame), which the device did not send for it")
        }
        for record in records where !request.sentRecords.contains(record) {
            return RequestFault(
                .foreignAnswer,
                "\(title) was answered by a record that the device did not send for it")
        }
        guard frames.isEmpty, records.isEmpty else { return nil }
        return RequestFault(.foreignAnswer, "\(title) was answered by nothing")
    }

    /// Something of what the device has sent is not in it.
    ///
    /// Records of unknown number are left out: if one of them is lost, nobody can know.
    var omission: RequestFault? {
        guard case .opcode = request.asked.mark else { return nil }
        let whole = request.sentForArrival.filter { $0 > 0 }.min() ?? 0
        guard frames.count < whole else { return nil }
        return RequestFault(
            .untrueAnswer, "\(title) was answered by \(frames.count) frames of \(whole)")
    }
}
