/// Streams: rule 8.
extension RingSession {
    /// Lets the ring report until it is told to stop; a stream that it excludes ends.
    ///
    /// A measurement that is to measure once ends when the ring ends it by itself; otherwise it is
    /// started again.
    public mutating func start(
        _ stream: RingStream, once: Bool = false, at now: Moment
    ) -> StreamNumber {
        let number = StreamNumber(nextNumber())
        guard isConnected else {
            effects.append(.stream(number, .ended(.disconnected)))
            return number
        }
        move(to: now)
        if let index = streams.firstIndex(where: { $0.stream.excludes(stream) }) {
            replace(index)
        }
        streams.append(OpenStream(number, stream, isOnce: once))
        enqueue(.start, of: streams.count - 1)
        settle()
        return number
    }

    /// Ends a stream: it has ended when the ring says so, or does not.
    public mutating func stop(_ number: StreamNumber, at now: Moment) {
        guard let index = index(number) else { return }
        move(to: now)
        if streams[index].phase != .stopping {
            takeBack(number)
            if streams[index].isSent {
                streams[index].phase = .stopping
                enqueue(.stop, of: index)
            } else {
                end(index, .stopped)
            }
        }
        settle()
    }

    /// Interrupts a workout; other streams go on.
    public mutating func pause(_ number: StreamNumber, at now: Moment) {
        control(.pause, number, at: now)
    }

    /// Lets an interrupted workout go on.
    public mutating func resume(_ number: StreamNumber, at now: Moment) {
        control(.resume, number, at: now)
    }

    private mutating func control(
        _ step: StreamStep, _ number: StreamNumber, at now: Moment
    ) {
        guard let index = index(number), case .workout = streams[index].stream else { return }
        move(to: now)
        if streams[index].phase != .stopping {
            line.waiting.removeAll {
                $0.purpose == .stream(number, .pause) || $0.purpose == .stream(number, .resume)
            }
            enqueue(step, of: index)
        }
        settle()
    }

    private func index(_ number: StreamNumber) -> Int? {
        streams.firstIndex { $0.number == number }
    }

    /// Puts a step in line: the end of a stream before all others.
    private mutating func enqueue(_ step: StreamStep, of index: Int) {
        let stream = streams[index]
        guard
            let request = stream.stream.request(
                step, of: stream.number, isOnce: stream.isOnce, value: stream.lastValue)
        else { return }
        if step == .stop {
            streams[index].stops += 1
            streams[index].reportsSinceStop = 0
            line.waiting.insert(request, at: 0)
        } else {
            line.waiting.append(request)
        }
    }

    /// Nothing that a stream still wants is sent, and no answer to it is waited for.
    private mutating func takeBack(_ number: StreamNumber) {
        line.waiting.removeAll { $0.belongs(to: number) }
        if line.active?.request.belongs(to: number) == true {
            line.active = nil
            line.freeAt = after(rules.spacing)
        }
    }

    /// Another stream takes the place of this one. A workout must be ended, a measurement is.
    private mutating func replace(_ index: Int) {
        let stream = streams[index]
        takeBack(stream.number)
        if case .workout = stream.stream, stream.isSent { enqueue(.stop, of: index) }
        end(index, .replaced)
    }

    mutating func end(_ index: Int, _ end: StreamEnd) {
        let number = streams.remove(at: index).number
        if end != .replaced { line.waiting.removeAll { $0.belongs(to: number) } }
        effects.append(.stream(number, .ended(end)))
    }

    /// A request of a stream was written.
    mutating func streamRequestSent(_ purpose: SessionRequest.Purpose) {
        guard case .stream(let number, .start) = purpose, let index = index(number) else { return }
        streams[index].isSent = true
    }

    /// A request of a stream has ended.
    mutating func streamRequestEnded(
        _ number: StreamNumber, _ step: StreamStep, _ completion: Completion
    ) {
        guard let index = index(number) else { return }
        let frame = completion.received.frames.first
        let isRefused = frame?.refusedOpcode != nil && completion.error == nil
        switch step {
        case .start:
            if isRefused {
                end(index, .refused)
            } else if completion.error?.kind == .writeFailed {
                end(index, .writeFailed)
            } else if completion.error == nil || streams[index].silenceEnds != nil {
                begin(index, frame)
            } else {
                end(index, .silent)
            }
        case .stop:
            let stream = streams[index]
            let goesOn = completion.error != nil && stream.reportsSinceStop > 1
            if goesOn && stream.stops < max(rules.attempts, 1) {
                enqueue(.stop, of: index)
            } else {
                end(index, .stopped)
            }
        case .keepAlive, .pause, .resume:
            break
        }
    }

    /// The ring has begun, or has begun again.
    private mutating func begin(_ index: Int, _ frame: Frame?) {
        streams[index].phase = .running
        streams[index].silenceEnds = after(rules.streamSilence)
        if case .measurement(.heartRateStream) = streams[index].stream {
            streams[index].keepAliveAt = after(rules.keepAlive)
        }
        if streams[index].hasStarted { return }
        streams[index].hasStarted = true
        let control = frame.flatMap { try? WorkoutControl.Reply(decoding: $0) }
        effects.append(.stream(streams[index].number, .started(control?.start)))
    }

    /// Does what is due.
    mutating func settleStreams() {
        for number in streams.map({ $0.number }) {
            guard let index = index(number), streams[index].phase == .running else { continue }
            let stream = streams[index]
            if let silenceEnds = stream.silenceEnds, silenceEnds <= now {
                fallSilent(index)
            } else if let keepAliveAt = stream.keepAliveAt, keepAliveAt <= now {
                streams[index].keepAliveAt = after(rules.keepAlive)
                if !line.waiting.contains(where: { $0.belongs(to: number) }) {
                    enqueue(.keepAlive, of: index)
                }
            }
        }
    }

    private mutating func fallSilent(_ index: Int) {
        let stream = streams[index]
        if stream.isOnce || stream.hasRingEnded {
            end(index, .finished)
        } else if stream.stream.restarts {
            streams[index].phase = .starting
            streams[index].silenceEnds = nil
            takeBack(stream.number)
            enqueue(.start, of: index)
        } else {
            end(index, .silent)
        }
    }
}
