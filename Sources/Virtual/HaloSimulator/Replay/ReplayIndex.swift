internal import HaloCapture
internal import HaloProtocol

struct ReplayIndex: Sendable {
    /// The reactions after each request, as indices in order; then those after each connection,
    /// before its first request.
    let reactions: [[Int]]
    /// For each request, the position of the first one from there on that a client can repeat.
    let replayable: [Int]
    private var equal: [RecordedRequest.What: [Int]] = [:]
    private var similar: [RequestShape: [(place: Int, shape: RequestShape)]] = [:]

    init(_ recording: RecordedConversations, _ options: ReplayOptions) {
        let requestCount = recording.requests.count
        var reactions = [[Int]](
            repeating: [], count: requestCount + recording.conversations.count)
        for (place, reaction) in recording.reactions.enumerated() {
            let request = Self.request(reaction, options.matching)
            reactions[request ?? requestCount + reaction.conversation].append(place)
        }
        self.reactions = reactions
        var replayable = Array(recording.requests.indices)
        for place in replayable.indices.reversed() where !recording.requests[place].isReplayable {
            replayable[place] =
                place + 1 < replayable.count ? replayable[place + 1] : replayable.count
        }
        self.replayable = replayable
        guard options.matching == .lenient else { return }
        for (place, request) in recording.requests.enumerated() where request.isReplayable {
            equal[request.what, default: []].append(place)
            guard options.answersSimilar, case .write(let channel, let bytes) = request.what,
                let shape = RequestShape(channel, bytes)
            else { continue }
            similar[shape, default: []].append((place, shape))
        }
    }

    /// The request after which a reaction is played.
    ///
    /// A direct reply to a request stays with it.
    private static func request(
        _ reaction: RecordedReaction, _ matching: ReplayOptions.Matching
    ) -> Int? {
        switch (reaction.what, matching) {
        case (.answer, _), (.acknowledged, _), (.refused, _): reaction.answered ?? reaction.after
        case (_, .strict): reaction.after
        case (_, .lenient):
            reaction.isOfConnection ? nil : reaction.answered ?? reaction.after
        }
    }

    /// The position of the request with this content that is nearest to a position; of two, the
    /// later one.
    func nearest(_ what: RecordedRequest.What, to place: Int) -> Int? {
        equal[what].flatMap { Self.nearest($0, to: place) }
    }

    /// The position of the request of the same command with the nearest arguments; of several, the
    /// one nearest to a position.
    func nearestSimilar(_ channel: CaptureChannel, _ bytes: [UInt8], to place: Int) -> Int? {
        guard !similar.isEmpty, let shape = RequestShape(channel, bytes),
            let candidates = similar[shape]
        else { return nil }
        let distances = candidates.map { shape.distance(to: $0.shape) }
        guard let least = distances.min() else { return nil }
        let nearest = zip(candidates, distances).filter { $0.1 == least }.map { $0.0.place }
        return Self.nearest(nearest, to: place)
    }

    func all(_ what: RecordedRequest.What) -> [Int] { equal[what] ?? [] }

    private static func nearest(_ places: [Int], to place: Int) -> Int? {
        let index = places.partitionPoint { $0 < place }
        let later = index < places.count ? places[index] : nil
        let earlier = index > 0 ? places[index - 1] : nil
        guard let later, let earlier else { return later ?? earlier }
        return place - earlier < later - place ? earlier : later
    }
}
