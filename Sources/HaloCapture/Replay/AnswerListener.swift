import HaloProtocol

/// Notes which kinds of answers come for which request, in a recording or on a link.
struct AnswerListener {
    /// What came for one request.
    struct Heard {
        var kinds: [AnswerKind] = []
        /// When the first of it came.
        var first: Moment?
    }

    private let comparesSettings: Bool
    private var attribution = AnswerAttribution()
    private var subscriptions: [CaptureChannel: Int] = [:]
    private var reassembler = BigDataReassembler()
    /// By the number of the request.
    private(set) var heard: [Int: Heard] = [:]
    /// The second of a workout that was reported last.
    private(set) var workoutSecond: UInt16?

    init(comparesSettings: Bool) {
        self.comparesSettings = comparesSettings
    }

    /// A request is written.
    mutating func ask(_ request: Int, _ channel: CaptureChannel, _ bytes: [UInt8]) {
        attribution.note(
            request, CapturePacket(unchecked: .toDevice, nil, channel, bytes))
    }

    /// Values of a characteristic are switched on by a request.
    mutating func subscribe(_ request: Int, _ channel: CaptureChannel) {
        subscriptions[channel] = request
    }

    /// A value came.
    mutating func take(_ channel: CaptureChannel, _ bytes: [UInt8], at moment: Moment) {
        let packet = CapturePacket(unchecked: .fromDevice, nil, channel, bytes)
        let request = attribution.request(for: packet)
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes) else { return }
            if let progress = try? WorkoutProgress.Reply(decoding: frame) {
                workoutSecond = progress.elapsedSeconds
            }
            guard let request,
                let kind = AnswerKind(frame, comparesSettings: comparesSettings)
            else { return }
            note(kind, request, moment)
        case .bigData:
            reassembler.receive(bytes)
            while let event = reassembler.nextEvent() {
                guard case .frame(let record) = event, let request else { continue }
                note(AnswerKind(.record(id: record.id)), request, moment)
            }
        default:
            guard let request = subscriptions[channel] else { return }
            note(AnswerKind(.value(channel)), request, moment)
        }
    }

    /// Something was said to a request itself.
    mutating func note(_ kind: AnswerKind, _ request: Int, _ moment: Moment) {
        var heard = heard[request] ?? Heard()
        heard.first = heard.first ?? moment
        if !kind.isOneMore(after: heard.kinds.last) { heard.kinds.append(kind) }
        self.heard[request] = heard
    }

    /// Forgets the second of a workout that was reported last.
    mutating func forgetWorkout() { workoutSecond = nil }
}
