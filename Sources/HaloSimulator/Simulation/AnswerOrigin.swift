internal import HaloProtocol

/// What an answer is made of, and what the device has sent since it was asked.
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
    ///
    /// Records are not looked for: they have a CRC, and are compared with what the device holds.
    /// A doubled piece of zeros can make one whole before the device has sent the last of it.
    var fault: RequestFault? {
        for frame in frames where !request.sent.contains(frame) {
            return RequestFault(
                .foreignAnswer,
                "\(title) was answered by \(frame), which the device did not send for it")
        }
        guard frames.isEmpty, records.isEmpty else { return nil }
        return RequestFault(.foreignAnswer, "\(title) was answered by nothing")
    }
}
