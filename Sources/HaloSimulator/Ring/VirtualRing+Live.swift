internal import HaloProtocol
internal import HaloTransport

/// Realtime measurements: one at a time.
extension VirtualRing {
    /// Starts, goes on with, interrupts or ends a measurement.
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
            measurement = LiveMeasurement(request.quantity, at: now)
            loadChanged(at: now)
        }
    }

    /// The last report, and the echo of the stop.
    mutating func stopMeasuring(_ quantity: RealtimeMeasurement.Quantity, at now: Moment) -> [Frame]
    {
        guard let live = measurement, live.quantity == quantity else {
            return [StopMeasurement.Reply(quantity).frame]
        }
        let last = report(live, at: now)
        let value = last.reading ?? live.lastValue
        endMeasurement(at: now)
        switch quantity {
        case .heartRateVariability:
            return [StopMeasurement.Reply(quantity).frame]
        case .stress:
            return [last.frame, StopMeasurement.Reply(quantity).frame]
        case .heartRate, .bloodPressure, .bloodOxygen, .fatigue, .healthCheck, .heartRateStream,
            .electrocardiogram, .bloodSugar, .temperature:
            return [last.frame, StopMeasurement.Reply(quantity, value: value).frame]
        }
    }

    /// The report that is due.
    mutating func report(at now: Moment) {
        guard var live = measurement else { return }
        guard now < live.endsAt else {
            endMeasurement(at: now)
            return
        }
        let reply = report(live, at: now)
        send(reply.frame, at: now)
        live.next = live.next + LiveMeasurement.period
        if let value = reply.reading {
            if live.valueCount == 0 { measuredByHand(live.quantity, value, at: now) }
            live.valueCount += 1
            live.lastValue = value
        }
        measurement = live
        let endsEarly = profile.quirks.contains(.endsAfterTenValues)
        if endsEarly && live.valueCount >= LiveMeasurement.valueLimit { endMeasurement(at: now) }
    }

    private mutating func endMeasurement(at now: Moment) {
        measurement = nil
        loadChanged(at: now)
    }

    /// The first heart rate of a measurement is stored as one that was measured by hand.
    ///
    /// That it is said at once is a choice: the one time that a heart rate was said to be stored
    /// during a measurement, it was sixteen seconds after a slot had begun, so it may have been
    /// that of the slot.
    private mutating func measuredByHand(
        _ quantity: Reported<RealtimeMeasurement.Quantity>, _ value: UInt8, at now: Moment
    ) {
        guard quantity == .heartRate else { return }
        catchUp(at: now)
        memory.storeManualHeartRate(value)
        push(.heartRateStored, at: now)
    }

    private mutating func report(
        _ live: LiveMeasurement, at now: Moment
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
            // What a ring sends that does not name it was not captured: zeros are a choice.
            guard Capabilities(profile.capabilities).heartRateVariability == true else {
                return reply(0)
            }
            return reply(state.variabilityMilliseconds)
        case .temperature:
            guard measuresTemperature else { return reply(0) }
            return reply(UInt8(clamping: state.skinTemperatureTenths - 200))
        case .healthCheck:
            guard Capabilities(profile.capabilities).healthCheck == true else { return reply(0) }
            // The wearer has no blood pressure: it is made of how hard the heart works.
            let effort = state.beatsPerMinute / 4 &+ state.stress / 5
            return RealtimeMeasurement.Reply(
                .healthCheck, value: state.beatsPerMinute, second: 95 &+ effort,
                third: 62 &+ effort / 2, beatIntervalMilliseconds: interval)
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar: return reply(0)
        }
    }
}

/// The streams of old firmware.
extension VirtualRing {
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

    /// One reading of each channel. Optical values swing around those of a captured R02.
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
                value: UInt16(clamping: value), most: UInt16(clamping: most),
                least: UInt16(clamping: least), difference: UInt16(clamping: most - least))
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
}
