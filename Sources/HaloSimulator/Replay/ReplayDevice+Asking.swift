internal import HaloCapture
internal import HaloProtocol
internal import HaloTransport

/// What a client asks, and where that stands in the recording.
extension ReplayDevice {
    /// How much can be played at the same time.
    private static var trackLimit: Int { 256 }

    mutating func connect(at now: Moment) {
        state = ReplayState()
        let number = progress.connectionCount
        progress.connectionCount += 1
        let count = recording.conversations.count
        switch options.matching {
        case .strict: state.conversation = number < count ? number : nil
        case .lenient: state.conversation = count > 0 ? min(number, count - 1) : nil
        }
        guard let conversation = state.conversation else {
            progress.position = recording.requests.count
            return
        }
        let recorded = recording.conversations[conversation]
        progress.position = recorded.requests.lowerBound
        edition = recorded.edition
        start(
            ReplayState.Track(
                number: recording.requests.count + conversation, base: now,
                recordedBase: recorded.began, token: nil))
    }

    mutating func write(
        _ value: [UInt8], to id: AttributeID, _ token: ResponseToken?, at now: Moment,
        into effects: inout PeripheralEffects
    ) {
        guard let channel = attributes.channel(id) else {
            return effects.refuse(.invalidHandle, token)
        }
        let what = RecordedRequest.What.write(channel, value)
        guard let request = find(what) ?? findSimilar(channel, value) else {
            note(unknown: what, at: now)
            switch options.unknown {
            case .taken: effects.accept(token)
            case .refused(let error): effects.refuse(error, token)
            }
            return
        }
        let isAnswered = recording.requests[request].outcome != nil
        if !isAnswered { effects.accept(token) }
        silence(value, channel)
        go(to: request, isAnswered ? token : nil, at: now)
    }

    mutating func read(
        _ id: AttributeID, from offset: Int, _ token: ResponseToken, at now: Moment,
        into effects: inout PeripheralEffects
    ) {
        guard let channel = attributes.channel(id) else {
            return effects.refuse(.invalidHandle, token)
        }
        if offset > 0, let value = state.lastRead[id] {
            return effects.respond(value, from: offset, to: token)
        }
        let what = RecordedRequest.What.read(channel)
        guard let request = options.matching == .strict ? find(what) : nextRead(what) else {
            note(unknown: what, at: now)
            return effects.refuse(.unlikely, token)
        }
        guard recording.requests[request].outcome != nil else {
            go(to: request, nil, at: now)
            return effects.refuse(.unlikely, token)
        }
        go(to: request, token, offset, at: now)
    }

    mutating func subscribe(
        _ id: AttributeID, isOn: Bool, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if isOn { state.subscribed.insert(id) } else { state.subscribed.remove(id) }
        if let channel = attributes.channel(id), let conversation = state.conversation,
            recording.conversations[conversation].notesSubscriptions
        {
            let what = RecordedRequest.What.subscription(channel, isOn: isOn)
            if let request = find(what) {
                go(to: request, nil, at: now)
            } else if isOn {
                // Who wants nothing more asks for nothing: a link that ends says the same.
                note(unknown: what, at: now)
            }
        }
        if isOn { sendHeld(into: &effects) }
    }

    // MARK: Finding

    private func find(_ what: RecordedRequest.What) -> Int? {
        switch options.matching {
        case .lenient: return index.nearest(what, to: progress.position)
        case .strict:
            let next = expected
            return next.flatMap { recording.requests[$0].what == what ? $0 : nil }
        }
    }

    /// The request that is due next in this conversation.
    private var expected: Int? {
        guard let conversation = state.conversation else { return nil }
        let requests = recording.conversations[conversation].requests
        return requests.contains(progress.position) ? progress.position : nil
    }

    private mutating func findSimilar(_ channel: CaptureChannel, _ value: [UInt8]) -> Int? {
        let found = index.nearestSimilar(channel, value, to: progress.position)
        if found != nil { progress.similarCount += 1 }
        return found
    }

    /// The next read of a characteristic that was not asked yet; the last that was, if there is
    /// none: values are given in their order.
    private func nextRead(_ what: RecordedRequest.What) -> Int? {
        guard let conversation = state.conversation else { return nil }
        let reads = index.all(what).filter { recording.requests[$0].outcome != nil }
        let first = recording.conversations[conversation].requests.lowerBound
        return reads.first { $0 >= first && !isAsked[$0] } ?? reads.last { isAsked[$0] }
            ?? reads.first
    }

    /// A request of the recording was asked: what the device did then begins to be played.
    private mutating func go(
        to request: Int, _ token: ResponseToken?, _ offset: Int = 0, at now: Moment
    ) {
        progress.matchedCount += 1
        progress.position = request + 1
        isAsked[request] = true
        start(
            ReplayState.Track(
                number: request, base: now, recordedBase: recording.requests[request].moment,
                token: token, offset: offset))
    }

    private mutating func start(_ track: ReplayState.Track) {
        guard !reactions(of: track).isEmpty else { return }
        guard state.tracks.count < Self.trackLimit else {
            progress.droppedCount += reactions(of: track).count
            return
        }
        state.tracks.append(track)
    }

    /// What is played of a track, as places among the reactions.
    func reactions(of track: ReplayState.Track) -> [Int] {
        let count = recording.requests.count
        return track.number < count
            ? index.afterRequests[track.number] : index.afterConnecting[track.number - count]
    }

    private mutating func note(unknown what: RecordedRequest.What, at now: Moment) {
        progress.unknownCount += 1
        guard progress.unknown.count < ReplayReport.listLimit else { return }
        let line =
            options.matching == .strict ? expected.map { recording.requests[$0].line } : nil
        progress.unknown.append(
            ReplayReport.Unknown(moment: now, what: what, expectedLine: line))
    }

    /// A measurement or a workout that is ended or renewed reports no more of what it was.
    private mutating func silence(_ value: [UInt8], _ channel: CaptureChannel) {
        guard options.matching == .lenient, channel == .uart, let opcode = value.first else {
            return
        }
        let silenced: UInt8
        switch opcode {
        case StopMeasurement.opcode, RealtimeMeasurement.opcode:
            silenced = RealtimeMeasurement.opcode
        case WorkoutControl.opcode: silenced = WorkoutProgress.opcode
        default: return
        }
        for place in state.tracks.indices where !state.tracks[place].silenced.contains(silenced) {
            state.tracks[place].silenced.append(silenced)
        }
    }
}
