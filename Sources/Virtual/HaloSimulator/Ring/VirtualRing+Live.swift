internal import HaloProtocol

extension VirtualRing {
    mutating func measure(_ request: ReceivedRealtimeRequest, at now: Moment) {
        guard link != nil else { return }
        let runs = measurement?.quantity == request.quantity
        switch request.action.known {
        case .stop:
            if runs { endMeasurement(at: now) }
        case .pause:
            if runs { measurement?.isPaused = true }
        case .resume where runs:
            measurement?.resume(at: now)
        case .start, .startAsVendor, .startAsVendor25, .resume, nil:
            measurement = VirtualMeasurement(request.quantity, at: now)
            loadChanged(at: now)
        }
    }

    /// Ends a measurement. Returns its last report, and the echo of the stop.
    mutating func stopMeasuring(
        _ quantity: Reported<RealtimeMeasurement.Quantity>, at now: Moment
    ) -> [Frame] {
        var echo = StopMeasurement.Reply(.heartRate)
        echo.quantity = quantity
        guard let live = measurement, live.quantity == quantity else { return [echo.frame] }
        let last = report(live, at: now)
        endMeasurement(at: now)
        switch quantity.known {
        case .heartRateVariability: return [echo.frame]
        case .stress: break
        case .heartRate, .bloodPressure, .bloodOxygen, .fatigue, .healthCheck, .heartRateStream,
            .electrocardiogram, .bloodSugar, .temperature, nil:
            echo.value = last.reading ?? live.lastValue
        }
        return [last.frame, echo.frame]
    }

    mutating func report(at now: Moment) {
        guard var live = measurement else { return }
        guard now < live.endsAt else {
            endMeasurement(at: now)
            return
        }
        let reply = report(live, at: now)
        send(reply.frame, at: now)
        live.next = live.next + VirtualMeasurement.period
        if let value = reply.reading {
            if live.valueCount == 0 { measuredByHand(live.quantity, value, at: now) }
            live.valueCount += 1
            live.lastValue = value
        }
        measurement = live
        let endsEarly = profile.quirks.contains(.endsAfterTenValues)
        if endsEarly && live.valueCount >= VirtualMeasurement.valueLimit { endMeasurement(at: now) }
    }

    private mutating func endMeasurement(at now: Moment) {
        measurement = nil
        loadChanged(at: now)
    }

    /// Stores the first heart rate of a measurement as a manual one.
    ///
    /// The immediate push is a choice. In the only capture of such a push during a measurement it
    /// came sixteen seconds after the beginning of a slot, and may have reported that slot.
    private mutating func measuredByHand(
        _ quantity: Reported<RealtimeMeasurement.Quantity>, _ value: UInt8, at now: Moment
    ) {
        guard quantity == .heartRate else { return }
        catchUp(at: now)
        memory.storeManualHeartRate(value)
        push(.event(Reported(.heartRateStored)), at: now)
    }

    private mutating func report(
        _ live: VirtualMeasurement, at now: Moment
    ) -> RealtimeMeasurement.Reply {
        guard let quantity = live.quantity.known else {
            var reply = RealtimeMeasurement.Reply(.heartRate)
            reply.quantity = live.quantity
            return reply
        }
        guard isOnFinger else {
            let tells = profile.quirks.contains(.reportsNotWorn)
            return RealtimeMeasurement.Reply(quantity, fault: tells ? .notWorn : .noFault)
        }
        let time = world.time(at: now)
        let elapsed = now.duration(since: live.startedAt)
        var interval: UInt16 = 0
        if profile.quirks.contains(.beatIntervals), let first = live.pace.firstInterval,
            elapsed >= first
        {
            interval = body.beatMilliseconds(at: time)
        }
        let hasValue = live.pace.firstValue.map { elapsed >= $0 } ?? false
        guard hasValue else {
            return RealtimeMeasurement.Reply(quantity, beatIntervalMilliseconds: interval)
        }
        return value(quantity, body.state(at: time), interval)
    }

    private func value(
        _ quantity: RealtimeMeasurement.Quantity, _ state: BodyState, _ interval: UInt16
    ) -> RealtimeMeasurement.Reply {
        func reply(_ value: UInt8) -> RealtimeMeasurement.Reply {
            RealtimeMeasurement.Reply(
                quantity, value: value, beatIntervalMilliseconds: interval)
        }
        switch quantity {
        case .heartRate, .heartRateStream: return reply(state.beatsPerMinute)
        case .bloodOxygen: return .bloodOxygen(percent: state.bloodOxygenPercent)
        case .stress: return reply(state.stress)
        case .heartRateVariability:
            // A ring without this capability was not captured: zeros are a choice.
            guard Capabilities(profile.capabilities).heartRateVariability == true else {
                return reply(0)
            }
            return reply(state.variabilityMilliseconds)
        case .temperature:
            guard measuresTemperature else { return reply(0) }
            return reply(UInt8(clamping: state.skinTemperatureTenths - 200))
        case .healthCheck:
            guard Capabilities(profile.capabilities).healthCheck == true else { return reply(0) }
            // The wearer has no blood pressure; it is derived from heart rate and stress.
            let effort = state.beatsPerMinute / 4 &+ state.stress / 5
            return RealtimeMeasurement.Reply(
                .healthCheck, value: state.beatsPerMinute, second: 95 &+ effort,
                third: 62 &+ effort / 2, beatIntervalMilliseconds: interval)
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar: return reply(0)
        }
    }

    // MARK: Streams of old firmware

    mutating func reportLegacy(at now: Moment) {
        guard var stream = legacy else { return }
        guard now < stream.endsAt else {
            legacy = nil
            loadChanged(at: now)
            return
        }
        let beats = isOnFinger ? body.state(at: world.time(at: now)).beatsPerMinute : 0
        send(LegacyRealtimeHeartRate.Reply(beatsPerMinute: beats).frame, at: now)
        stream.next = stream.next + LegacyStream.period
        legacy = stream
    }

    /// One sample of each raw channel. Optical values vary around those captured on an R02.
    mutating func rawFrames(at now: Moment) -> [Frame] {
        let time = world.time(at: now)
        let part = Int(now.microseconds(since: world.moment(of: time)) / 1000)
        let pulled = body.acceleration(at: time, milliseconds: part)
        let light: Int64 = isOnFinger ? 10_800 : 300
        let swing: Int64 = isOnFinger ? 150 : 2
        func optical(_ base: Int64) -> RawSensors.Optical {
            let most = base + dice.next(1...swing)
            let least = base - dice.next(1...swing)
            let value = dice.next(least...most)
            return RawSensors.Optical(
                value: UInt16(clamping: value), maximum: UInt16(clamping: most),
                minimum: UInt16(clamping: least), difference: UInt16(clamping: most - least))
        }
        func axis(_ thousandths: Int) -> Acceleration.Axis? {
            let counts = thousandths * Acceleration.Axis.countsPerG / 1000
            return try? Acceleration.Axis(counts: min(max(counts, -2048), 2047))
        }
        var frames = [
            RawSensors.Reply(.bloodOxygen(optical(light / 60))).frame,
            RawSensors.Reply(.pulse(optical(light))).frame,
        ]
        if let x = axis(pulled.x), let y = axis(pulled.y), let z = axis(pulled.z) {
            frames.append(RawSensors.Reply(.acceleration(Acceleration(x: x, y: y, z: z))).frame)
        }
        return frames
    }

    // MARK: Workouts

    /// The start of a workout as the ring reports it: firmware with the quirk takes its clock for
    /// UTC+8.
    func key(of start: CivilDateTime) -> CivilDateTime {
        profile.quirks.contains(.workoutsInUTC8) ? start.advanced(bySeconds: -8 * 3600) : start
    }

    mutating func control(_ request: WorkoutControl.Request, at now: Moment) -> [Frame] {
        switch request.action {
        case .start: return start(request.sport, at: now)
        case .requestStart:
            guard let workout else { return [WorkoutControl.Reply.done.frame] }
            return [WorkoutControl.Reply.running(since: key(of: workout.record.start)).frame]
        case .pause, .resume:
            workout?.isPaused = request.action == .pause
            return [WorkoutControl.Reply.done.frame]
        case .end:
            let stored = endWorkout(at: now)
            let push = RingNotification.Reply(.event(Reported(.workoutStored))).frame
            return (stored ? [push] : []) + [WorkoutControl.Reply.done.frame]
        }
    }

    /// Starts a workout. The report of second 0 comes before the reply, as captured. Starting a
    /// running workout continues it, which was not observed on real rings.
    private mutating func start(_ sport: Sport, at now: Moment) -> [Frame] {
        if let start = workout?.record.start {
            return [WorkoutControl.Reply.started(at: key(of: start)).frame]
        }
        let time = clock.time(at: now)
        let running = RunningWorkout(
            record: RingWorkout(
                sport: sport, start: time, seconds: 0, movement: .none, samples: []),
            next: now + RunningWorkout.period)
        workout = running
        loadChanged(at: now)
        return [running.report.frame, WorkoutControl.Reply.started(at: key(of: time)).frame]
    }

    /// Ends the workout, and stores it if it was long enough.
    private mutating func endWorkout(at now: Moment) -> Bool {
        guard let ended = workout else { return false }
        workout = nil
        loadChanged(at: now)
        guard ended.record.seconds >= RunningWorkout.leastStored else { return false }
        catchUp(at: now)
        memory.store(ended.record)
        return true
    }

    mutating func passSecond(at now: Moment) {
        guard var running = workout else { return }
        running.next = running.next + RunningWorkout.period
        if !running.isPaused {
            running.record.seconds += 1
            let time = world.time(at: now)
            let isMeasured = isOnFinger && running.record.seconds >= RunningWorkout.warmUp
            running.keep(isMeasured ? body.state(at: time).beatsPerMinute : 0)
            if isOnFinger {
                let step = body.movement(from: time.advanced(bySeconds: -1), to: time)
                running.record.movement = running.record.movement + step
            }
        }
        workout = running
        if link != nil {
            send(running.report.frame, at: now)
            let isTenth = running.record.seconds % RunningWorkout.repeatEvery == 0
            if isTenth && !running.isPaused { send(running.report.frame, at: now) }
        }
        if running.record.seconds >= RunningWorkout.longest, endWorkout(at: now) {
            push(.event(Reported(.workoutStored)), at: now)
        }
    }

    /// Advances the workout to a moment without reports, while no central is connected.
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

    /// The entry in the list of workouts, with the fields that an R10 has for a run.
    ///
    /// Speeds and the step rate were zero in captures, and their units are not known.
    func record(of workout: RingWorkout) -> StoredWorkout? {
        let rates = workout.heartRates
        let numbers: [(WorkoutTag, UInt32)] = [
            (.start, key(of: workout.start).secondsSince1970),
            (.duration, UInt32(UInt16(clamping: workout.seconds))),
            (.distance, UInt32(UInt16(clamping: workout.movement.metres))),
            (.smallCalories, UInt32(clamping: workout.movement.smallCalories)), (.averageSpeed, 0),
            (.highestSpeed, 0), (.averageHeartRate, UInt32(rates.average)),
            (.lowestHeartRate, UInt32(rates.least)), (.highestHeartRate, UInt32(rates.most)),
            (.stepRate, 0), (.steps, UInt32(clamping: workout.movement.steps)),
        ]
        let fields = numbers.compactMap { try? StoredWorkout.Field($0.0, $0.1) }
        return try? StoredWorkout(sport: workout.sport, fields: fields)
    }

    /// The maximum number of samples in one package: a choice. One package of 65 was captured.
    private static let samplesPerPackage = 240

    /// The reply to a request for a recording: its division into packages, then the packages.
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
            packageCount: UInt8(clamping: packages.count))
        return [WorkoutDetail.Reply(layout).frame] + packages
    }
}
