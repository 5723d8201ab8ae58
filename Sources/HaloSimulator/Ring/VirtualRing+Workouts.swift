internal import HaloProtocol
internal import HaloTransport

/// Workouts: while they run, and as records.
extension VirtualRing {
    /// The start as the ring tells it: firmware with the quirk takes its clock for UTC+8.
    func key(of start: CivilDateTime) -> CivilDateTime {
        profile.quirks.contains(.workoutsInUTC8) ? start.advanced(bySeconds: -8 * 3600) : start
    }

    mutating func control(_ request: WorkoutControl.Request, at now: Moment) -> [Frame] {
        switch request.action {
        case .start: return start(request.sport, at: now)
        case .askStart:
            guard let workout else { return [WorkoutControl.Reply.done.frame] }
            return [WorkoutControl.Reply.running(since: key(of: workout.start)).frame]
        case .pause, .resume:
            workout?.isPaused = request.action == .pause
            return [WorkoutControl.Reply.done.frame]
        case .end:
            let stored = endWorkout(at: now)
            let push = RingNotification.Reply(.workoutStored).frame
            return (stored ? [push] : []) + [WorkoutControl.Reply.done.frame]
        }
    }

    /// The report of second 0 comes before the answer, as captured. Started again, a workout goes
    /// on; what real rings do then is not known.
    private mutating func start(_ sport: Sport, at now: Moment) -> [Frame] {
        if let workout { return [WorkoutControl.Reply.started(at: key(of: workout.start)).frame] }
        let time = clock.time(at: now)
        let running = RunningWorkout(
            sport: sport, start: time, next: now + RunningWorkout.period)
        workout = running
        loadChanged(at: now)
        return [
            running.report(0).frame, WorkoutControl.Reply.started(at: key(of: time)).frame,
        ]
    }

    /// Ends the workout, and stores it if it was long enough.
    private mutating func endWorkout(at now: Moment) -> Bool {
        guard let ended = workout else { return false }
        workout = nil
        loadChanged(at: now)
        guard ended.elapsed >= RunningWorkout.leastStored else { return false }
        catchUp(at: now)
        memory.store(ended.record)
        return true
    }

    /// A second of the workout is over.
    mutating func passSecond(at now: Moment) {
        guard var running = workout else { return }
        running.next = running.next + RunningWorkout.period
        if !running.isPaused {
            running.elapsed &+= 1
            let beats = heartBeats(of: running, at: now)
            running.keep(beats)
            if isOnFinger {
                let time = world.time(at: now)
                let step = body.movement(from: time.advanced(bySeconds: -1), to: time)
                running.movement = running.movement + step
            }
            running.lastBeats = beats
        }
        workout = running
        let report = running.report(running.lastBeats).frame
        if link != nil {
            send(report, at: now)
            let isTenth = running.elapsed % RunningWorkout.repeatEvery == 0
            if isTenth && !running.isPaused { send(report, at: now) }
        }
        if running.elapsed >= RunningWorkout.longest, endWorkout(at: now) {
            push(.workoutStored, at: now)
        }
    }

    private mutating func heartBeats(of running: RunningWorkout, at now: Moment) -> UInt8 {
        guard isOnFinger, running.elapsed >= RunningWorkout.warmUp else { return 0 }
        return body.state(at: world.time(at: now)).beatsPerMinute
    }

    /// Without a central nobody waits for each second: they pass at once.
    mutating func passSeconds(until now: Moment) {
        while link == nil, let running = workout, running.next <= now {
            if running.isPaused {
                let behind = now.microseconds(since: running.next)
                workout?.next = now.advanced(byMicroseconds: 1_000_000 - behind % 1_000_000)
                return
            }
            passSecond(at: running.next)
        }
    }
}

extension VirtualRing {
    /// The entry in the list of workouts, with the fields that an R10 has for a run.
    ///
    /// Speeds and the rate of steps were zero in captures, and their units are not known.
    func record(of workout: RingWorkout) -> StoredWorkout? {
        let rates = workout.heartRates
        let numbers: [(WorkoutTag, UInt32)] = [
            (.start, key(of: workout.start).secondsSince1970),
            (.duration, UInt32(UInt16(clamping: workout.seconds))),
            (.distance, UInt32(UInt16(clamping: workout.movement.metres))),
            (.calories, UInt32(clamping: workout.movement.calories)), (.averageSpeed, 0),
            (.highestSpeed, 0), (.averageHeartRate, UInt32(rates.average)),
            (.lowestHeartRate, UInt32(rates.least)), (.highestHeartRate, UInt32(rates.most)),
            (.stepRate, 0), (.steps, UInt32(clamping: workout.movement.steps)),
        ]
        let fields = numbers.compactMap { try? StoredWorkout.Field($0.0, $0.1) }
        return try? StoredWorkout(sport: workout.sport, fields: fields)
    }

    /// One package of 65 samples was captured; how many a package holds at most was not.
    private static let samplesPerPackage = 240

    /// The answer to a request for a recording: how it is cut, then its packages.
    func recording(of workout: RingWorkout) -> [BigDataFrame] {
        var packages: [BigDataFrame] = []
        var rest = workout.samples[...]
        while !rest.isEmpty, packages.count < Int(UInt8.max) {
            let number = UInt8(clamping: packages.count + 1)
            let samples = Array(rest.prefix(Self.samplesPerPackage))
            rest = rest.dropFirst(Self.samplesPerPackage)
            guard let package = try? WorkoutSamples.Reply(package: number, samples: samples)
            else { break }
            packages.append(package.frame)
        }
        let layout = WorkoutDetail.Layout(
            packages: UInt8(clamping: packages.count))
        return [WorkoutDetail.Reply(layout).frame] + packages
    }
}
