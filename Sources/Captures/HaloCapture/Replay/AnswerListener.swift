import HaloProtocol

/// A collector of the kinds of answers to each request, in a recording or on a link.
struct AnswerListener {
    struct Heard {
        var kinds: [AnswerKind] = []
        var first: Moment?
    }

    private let comparesSettings: Bool
    private var attribution = AnswerAttribution()
    /// The last subscription of each channel, and the one before it.
    private var subscriptions: [CaptureChannel: (request: Int, previous: Int?)] = [:]
    private var reassembler = BigDataReassembler()
    private(set) var heard: [Int: Heard] = [:]
    /// The last reported second of a running workout; `nil` if there is none.
    private(set) var workoutSecond: UInt16?

    init(comparesSettings: Bool) {
        self.comparesSettings = comparesSettings
    }

    mutating func ask(_ request: Int, _ channel: CaptureChannel, _ bytes: [UInt8]) {
        attribution.note(request, channel, bytes)
    }

    mutating func subscribe(_ request: Int, _ channel: CaptureChannel) {
        subscriptions[channel] = (request, subscriptions[channel]?.request)
    }

    /// Forgets a request that subscribes to a channel, since it is refused.
    mutating func undoSubscription(_ request: Int, _ channel: CaptureChannel) {
        guard let last = subscriptions[channel], last.request == request else { return }
        subscriptions[channel] = last.previous.map { ($0, nil) }
    }

    mutating func receive(_ channel: CaptureChannel, _ bytes: [UInt8], at moment: Moment) {
        let request = attribution.request(for: channel, bytes)
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
                note(.record(id: record.id), request, moment)
            }
        default:
            guard let request = subscriptions[channel]?.request else { return }
            note(.value(channel), request, moment)
        }
    }

    mutating func note(_ kind: AnswerKind, _ request: Int, _ moment: Moment) {
        var heard = heard[request] ?? Heard()
        heard.first = heard.first ?? moment
        if !kind.isOneMore(after: heard.kinds.last) { heard.kinds.append(kind) }
        self.heard[request] = heard
    }

    mutating func forgetWorkout() { workoutSecond = nil }
}
