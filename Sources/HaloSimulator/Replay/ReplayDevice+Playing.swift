internal import HaloCapture
internal import HaloProtocol
internal import HaloTransport

/// What the device does of itself when its time has come.
extension ReplayDevice {
    /// How much is done at once, and how long it is to the next: so much a link carries.
    private static var burst: Int { 256 }
    private static var pauseMicroseconds: Int64 { 4_000_000 }
    /// How many values wait for a subscription.
    private static var heldLimit: Int { 1_024 }

    /// Sends what has waited for a subscription; what is too much at once is dropped.
    mutating func sendHeld(into effects: inout PeripheralEffects) {
        let waiting = state.held
        state.held = []
        for place in waiting {
            if effects.all.count < Self.heldLimit {
                send(place, into: &effects)
            } else {
                progress.droppedCount += 1
            }
        }
    }

    /// The reaction that comes next, and when.
    private var next: (track: Int, place: Int, due: Moment)? {
        var next: (track: Int, place: Int, due: Moment)?
        for (number, track) in state.tracks.enumerated() {
            let reactions = reactions(of: track)
            guard track.next < reactions.count else { continue }
            let place = reactions[track.next]
            let passed = recording.reactions[place].moment.microseconds(since: track.recordedBase)
            let due = track.base.advanced(byMicroseconds: options.timing.microseconds(passed))
            if let next, !isEarlier((place, due), than: (next.place, next.due)) { continue }
            next = (number, place, due)
        }
        return next
    }

    /// In a strict replay things come in the recorded order, however early the client asked.
    private func isEarlier(_ one: (Int, Moment), than other: (Int, Moment)) -> Bool {
        switch options.matching {
        case .strict: one.0 < other.0
        case .lenient: (one.1, one.0) < (other.1, other.0)
        }
    }

    mutating func play(at now: Moment, into effects: inout PeripheralEffects) {
        if let resumes = state.resumes {
            if resumes > now { return effects.wake(at: resumes) }
            state.resumes = nil
        }
        while let (number, place, due) = next {
            guard due <= now else { return effects.wake(at: due) }
            guard effects.all.count < Self.burst else {
                let resumes = now.advanced(byMicroseconds: Self.pauseMicroseconds)
                state.resumes = resumes
                return effects.wake(at: resumes)
            }
            let track = state.tracks[number]
            state.tracks[number].next += 1
            if state.tracks[number].next == reactions(of: track).count {
                state.tracks.remove(at: number)
            }
            react(place, track, into: &effects)
        }
        effects.wake(at: nil)
    }

    private mutating func react(
        _ place: Int, _ track: ReplayState.Track, into effects: inout PeripheralEffects
    ) {
        switch recording.reactions[place].what {
        case .value(let channel, let bytes, _):
            if channel == .uart, let opcode = bytes.first, track.silenced.contains(opcode) {
                return
            }
            send(place, into: &effects)
        case .answer(let value):
            guard let token = track.token else { return }
            if let id = attributes.source(recording.requests[track.number].channel) {
                state.lastRead[id] = value
            }
            effects.respond(value, from: track.offset, to: token)
        case .acknowledged: effects.accept(track.token)
        case .refused(let code): effects.refuse(ATTError(code: code), track.token)
        case .servicesChanged(let edition):
            self.edition = edition
            effects.append(.servicesChanged)
        case .disconnected(let reason):
            let isOfApp = reason == ControllerReason.localHost
            if options.replaysDisconnections, !isOfApp { effects.append(.disconnect) }
        }
    }

    /// Sends a recorded value, or keeps it until somebody wants it.
    mutating func send(_ place: Int, into effects: inout PeripheralEffects) {
        let what = recording.reactions[place].what
        guard case .value(let channel, let bytes, let isIndication) = what,
            let id = attributes.source(channel)
        else { return }
        guard state.subscribed.contains(id) else {
            guard state.held.count < Self.heldLimit else { return progress.droppedCount += 1 }
            return state.held.append(place)
        }
        if isIndication {
            effects.append(.indicate(id, bytes))
        } else if channel == .bigData, bytes.count > state.maximumLength {
            // Records are a stream of bytes: where it is cut means nothing.
            for start in stride(from: 0, to: bytes.count, by: state.maximumLength) {
                effects.notify(id, Array(bytes[start...].prefix(state.maximumLength)))
            }
        } else {
            effects.notify(id, bytes)
        }
    }
}
