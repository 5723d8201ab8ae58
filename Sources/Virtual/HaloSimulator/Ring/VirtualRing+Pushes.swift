internal import HaloProtocol

/// Unsolicited frames, which a ring sends while a central is connected.
extension VirtualRing {
    /// The moment of the next possible push; without a central, the moment of an empty battery.
    var pushDue: Moment? {
        guard link != nil else { return emptyAt }
        let battery = battery.nextChange ?? .distantFuture
        return min(battery, storeDue ?? .distantFuture)
    }

    mutating func push(at now: Moment) {
        if let storeDue, storeDue <= now { catchUp(at: now) }
        age(at: now)
        if let emptyAt, emptyAt <= now { loadChanged(at: now) }
    }

    /// Advances the battery: each percent is pushed, and an empty one turns the ring off.
    mutating func age(at now: Moment) {
        if case .percent = battery.advance(to: now) { pushBattery(at: now) }
        if battery.isEmpty { powerOff(restarting: false, at: now) }
    }

    mutating func push(_ content: RingNotification.Content, at now: Moment) {
        guard let link, link.subscriptions.contains(VirtualRingAttributes.uartNotify) else {
            return
        }
        send(RingNotification.Reply(content).frame, at: now)
    }

    mutating func push(_ event: StoredEvent, at now: Moment) {
        switch event.content {
        case .heartRate: push(.event(Reported(.heartRateStored)), at: now)
        case .stress(let score): push(.stressStored(score: score), at: now)
        case .variability(let milliseconds):
            push(.variabilityStored(milliseconds: milliseconds), at: now)
        case .bloodOxygen: push(.event(Reported(.bloodOxygenStored)), at: now)
        case .temperature(let tenths):
            push(
                .temperatureStored(RingNotification.Temperature(tenthsOfCelsiusAbove20: tenths)),
                at: now)
        case .activity: push(.event(Reported(.activityChanged)), at: now)
        case .night, .nap: break
        }
    }

    mutating func pushBattery(at now: Moment) {
        let level = reportedBatteryLevel()
        push(.battery(percent: level.percent, charging: Reported(level.charging)), at: now)
    }

    var batteryLevel: (percent: UInt8, charging: Battery.Charging) {
        (battery.percent, battery.isOnDock ? .charging : .discharging)
    }

    mutating func reportedBatteryLevel() -> (percent: UInt8, charging: Battery.Charging) {
        var level = batteryLevel
        batteryReports &+= 1
        level.percent -= min(
            anomalies.batterySag(report: batteryReports), max(level.percent, 1) - 1)
        return level
    }

    /// Updates the battery's load after a change of activity.
    mutating func loadChanged(at now: Moment) {
        age(at: now)
        battery.load = RingBattery.Load(
            measurements: measuring, isWorn: isOnFinger, isConnected: link != nil,
            isStreaming: measurement != nil || legacy != nil || rawStream != nil || workout != nil)
        var later = battery
        emptyAt = nil
        for _ in 0...100 {
            guard let next = later.nextChange else { break }
            later.advance(to: next)
            if later.isEmpty {
                emptyAt = next
                break
            }
        }
    }

    // MARK: Steps

    /// Schedules the next report of steps, for the current or the next walk.
    mutating func scheduleStepReport(at now: Moment) {
        walk = nil
        guard link != nil, isOnFinger else { return }
        let time = world.time(at: now)
        let next =
            nextWalk(on: time.date, after: time)
            ?? time.date.advanced(byDays: 1).flatMap { nextWalk(on: $0, after: time) }
        // Without a walk today or tomorrow, the next check is in a day.
        let start = next?.start ?? time.advanced(bySeconds: 86_400)
        walk = max(world.moment(of: start), now) + .seconds(1)
    }

    private mutating func nextWalk(on date: CivilDate, after time: CivilDateTime) -> Exertion? {
        body.exertions(on: date).first { $0.activity != .cycling && $0.end > time }
    }

    /// Reports today's steps if they have changed, every 1 to 2.5 seconds while the wearer walks.
    mutating func reportSteps(at now: Moment) {
        let movement = movementToday(at: now)
        let time = world.time(at: now)
        let walks = body.state(at: time).stepsPerMinute > 0
        if movement.steps != reported.steps {
            reported = movement
            let steps = RingNotification.Content.liveActivity(
                LiveActivity(
                    steps: UInt24(clamping: movement.steps),
                    smallCalories: UInt24(clamping: movement.smallCalories),
                    metres: UInt24(clamping: movement.metres)))
            if walks { push(steps, at: now) }
            // In captures a report is sometimes sent twice.
            if walks && dice.next(1...8) == 1 { push(steps, at: now) }
        }
        if walks {
            walk = now + .milliseconds(dice.next(1000...2500))
        } else {
            scheduleStepReport(at: now)
            // After the end of a walk there is one more check in 20 seconds, then the next walk is
            // awaited.
            if let next = walk, next <= now + .seconds(2) { walk = now + .seconds(20) }
        }
    }
}
