internal import HaloProtocol
internal import HaloTransport

/// What goes on by itself: each thing at the moment at which it is due, the earliest first.
extension VirtualRing {
    /// The earliest moment at which something is due.
    var nextDue: Moment? {
        if isOff { return restartsAt }
        var due = Moment.distantFuture
        func consider(_ moment: Moment?) {
            if let moment, moment < due { due = moment }
        }
        consider(outbox.due)
        consider(commands.due)
        consider(recordDue)
        if let measurement, !measurement.isPaused { consider(measurement.next) }
        consider(legacy?.next)
        consider(rawStream)
        if link != nil { consider(workout?.next) }
        consider(link?.slowsDownAt)
        consider(walk)
        consider(pushDue)
        return due == .distantFuture ? nil : due
    }

    /// When a record is answered: not while a command waits for its answer or is being answered.
    ///
    /// So it was on an R12, which answered commands that had come after a request for a record
    /// first, and a command that had come during the answer after it.
    private var recordDue: Moment? {
        guard commands.due == nil, let due = records.due else { return nil }
        return max(due, commands.freeAt + .milliseconds(10))
    }

    /// Does all that is due by a moment.
    mutating func run(until now: Moment, into effects: inout PeripheralEffects) {
        skipWhatWasMissed(until: now)
        if link == nil { passSeconds(until: now) }
        settle(into: &effects)
        while let due = nextDue, due <= now {
            if isOff {
                restartsAt = nil
                powerOn(at: due)
            } else {
                act(at: due, into: &effects)
            }
            settle(into: &effects)
        }
    }

    /// One thing that is due at a moment. Notifications go first, so that what was promised
    /// earlier is sent earlier.
    private mutating func act(at due: Moment, into effects: inout PeripheralEffects) {
        if let entry = outbox.take(at: due) {
            send(entry, into: &effects)
        } else if let slows = link?.slowsDownAt, slows <= due {
            link?.slowsDownAt = nil
            link?.isSlow = true
            wishes.append(.requestParameters(Self.slowRhythm))
        } else if let frame = commands.take(at: due) {
            answer(frame, at: due)
        } else if let turn = recordDue, turn <= due, let frame = records.take(at: due) {
            answer(frame, at: due)
        } else if let live = measurement, !live.isPaused, live.next <= due {
            report(at: due)
        } else if let stream = legacy, stream.next <= due {
            reportLegacy(at: due)
        } else if let raw = rawStream, raw <= due {
            rawStream = due + .seconds(1)
            for frame in rawFrames(at: due) { send(frame, at: due) }
        } else if link != nil, let running = workout, running.next <= due {
            passSecond(at: due)
        } else if let walk, walk <= due {
            reportSteps(at: due)
        } else {
            push(at: due)
        }
    }

    /// The rhythm that rings ask for: captured on an R12.
    private static let slowRhythm = LinkParameters(
        interval: .milliseconds(123), latency: 4, supervisionTimeout: .seconds(5))

    /// Puts down the effects other than notifications.
    private mutating func settle(into effects: inout PeripheralEffects) {
        for wish in wishes { effects.append(wish) }
        wishes.removeAll(keepingCapacity: true)
    }

    private mutating func send(_ entry: RingOutbox.Entry, into effects: inout PeripheralEffects) {
        guard let link, link.subscriptions.contains(entry.attribute) else {
            losses.unheard &+= 1
            return
        }
        effects.notify(entry.attribute, entry.bytes)
    }

    /// Streams are not made up for: a ring that was asked too late goes on from now.
    private mutating func skipWhatWasMissed(until now: Moment) {
        let earliest = now - .seconds(60)
        if let raw = rawStream, raw < earliest { rawStream = earliest }
        if let next = walk, next < earliest { walk = earliest }
        if let due = storeDue, due < now - .seconds(86_400) { storeDue = now }
    }
}

/// Answers on their way.
extension VirtualRing {
    /// Puts a frame onto its way at a moment.
    mutating func send(_ frame: Frame, at moment: Moment) {
        guard link != nil else { return }
        outbox.put(Array(frame.bytes), to: RingAttributes.uartNotify, at: moment)
        losses.overflowed = outbox.dropped
    }

    private mutating func answer(_ frame: Frame, at now: Moment) {
        let end = send(reply(to: frame, at: now), at: now)
        commands.answered(until: end, nextAfter: delay(profile.timing.answerMilliseconds))
    }

    private mutating func answer(_ frame: BigDataFrame, at now: Moment) {
        let end = send(reply(to: frame, at: now), at: now)
        records.answered(until: end, nextAfter: delay(profile.timing.recordMilliseconds))
        commands.wait(until: end)
    }

    /// Puts an answer onto its way, with the pauses that rings make; says when its end is sent.
    private mutating func send(_ answer: RingAnswer, at now: Moment) -> Moment {
        guard let link else { return now }
        var moment = now
        switch answer {
        case .silence: break
        case .frames(let frames):
            let timing = profile.timing
            let pause = link.isSlow ? timing.slowFrameSpacing : timing.frameSpacing
            for (index, frame) in frames.enumerated() {
                if index > 0 { moment = moment + pause }
                send(frame, at: moment)
            }
        case .records(let frames):
            moment = send(frames, at: now, link)
        }
        return moment
    }

    private mutating func send(
        _ frames: [BigDataFrame], at now: Moment, _ link: RingLink
    ) -> Moment {
        let timing = profile.timing
        let pause = link.isSlow ? timing.slowPieceSpacing : timing.pieceSpacing
        let most = max(min(Int(profile.notificationLength), link.maximumLength), 1)
        var moment = now
        var isFirst = true
        for frame in frames {
            var rest = frame.bytes[...]
            while !rest.isEmpty {
                if !isFirst { moment = moment + pause }
                isFirst = false
                outbox.put(
                    Array(rest.prefix(most)), to: RingAttributes.bigDataNotify, at: moment)
                rest = rest.dropFirst(most)
            }
        }
        losses.overflowed = outbox.dropped
        return moment
    }
}
