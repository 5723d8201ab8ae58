import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// A random request of a run, with the check of its reply.
struct SimulatedRequest: Sendable {
    /// The description of the request.
    let title: String
    /// `true` if the request only reads, and so may be written more than once.
    let isRead: Bool
    /// Sends the request, given the moment and the wearer's time. Returns `nil` if it is impossible
    /// at that time.
    let ask: @Sendable (inout RingSession, Moment, CivilDateTime) -> Asked?

    /// A request that was sent.
    struct Asked {
        let number: RequestNumber
        /// The expected first write of the request.
        let opening: [UInt8]
        /// The frames that can be replies.
        let mark: ReplyMatcher
        /// Evaluates the end of the request against states of the device.
        let evaluate: (Completion, [DeviceState]) -> RequestOutcome

        init<Value>(
            _ pending: PendingRequest<Value>, opening: [UInt8], mark: ReplyMatcher,
            agrees: @escaping (Value, DeviceState) -> Bool
        ) {
            number = pending.number
            self.opening = opening
            self.mark = mark
            evaluate = { completion, states in
                do throws(SessionError) {
                    return switch try pending.answer(completion) {
                    case .value(let value):
                        .value(isTrue: states.contains { agrees(value, $0) }, "\(value)")
                    case .refused: .refused
                    case .noData: .noData
                    }
                } catch {
                    return .failed(error)
                }
            }
        }
    }

    private init<Packet, Value>(
        _ title: String, isRead: Bool, _ packet: @escaping @Sendable (CivilDateTime) -> Packet?,
        _ bytes: @escaping @Sendable (Packet) -> [UInt8], _ matcher: ReplyMatcher,
        send: @escaping @Sendable (inout RingSession, Packet, Moment) -> PendingRequest<Value>,
        agrees: @escaping @Sendable (Value, DeviceState) -> Bool
    ) {
        self.title = title
        self.isRead = isRead
        ask = { session, now, today in
            packet(today).map {
                Asked(
                    send(&session, $0, now), opening: bytes($0), mark: matcher, agrees: agrees)
            }
        }
    }

    /// Creates a request with a reply of one frame.
    init<Request: RequestPacket>(
        _ title: String, isRead: Bool = true,
        _ request: @escaping @Sendable (CivilDateTime) -> Request?,
        agrees: @escaping @Sendable (Request.Owner.Reply, DeviceState) -> Bool
    ) where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        self.init(
            title, isRead: isRead, request, { Array($0.frame.bytes) }, .opcode(Request.opcode),
            send: { $0.send($1, at: $2) }, agrees: agrees)
    }

    /// Creates a request with a reply of many frames.
    init<Request: RequestPacket>(
        _ title: String, log request: @escaping @Sendable (CivilDateTime) -> Request?,
        agrees: @escaping @Sendable (Request.Owner.Assembly.Reply, DeviceState) -> Bool
    ) where Request.Owner: ManyFrameCommand {
        self.init(
            title, isRead: true, request, { Array($0.frame.bytes) }, .opcode(Request.opcode),
            send: { $0.send($1, at: $2) }, agrees: agrees)
    }

    /// Creates a request with a reply of one record.
    init<Request: BigDataRequest>(
        _ title: String, record request: Request, isRead: Bool = true,
        agrees: @escaping @Sendable (Request.Owner.Reply, DeviceState) -> Bool
    ) {
        self.init(
            title, isRead: isRead, { _ in request }, { Array($0.frame.bytes) },
            .records([Request.Owner.replyID]), send: { $0.send($1, at: $2) }, agrees: agrees)
    }

    /// A request for nights and naps, whose reply is one record for each kind.
    static func sleep(
        _ request: Sleep.Request,
        agrees: @escaping @Sendable (SleepHistory, DeviceState) -> Bool
    ) -> SimulatedRequest {
        SimulatedRequest(
            "sleep", isRead: true, { _ in request }, { Array($0.frame.bytes) },
            .records([Sleep.replyID, Nap.replyID]), send: { $0.send($1, at: $2) }, agrees: agrees)
    }

    /// A request for temperatures, whose reply is one or more records.
    static func temperatures(
        _ request: TemperatureSeries.Request,
        agrees: @escaping @Sendable (TemperatureSeries.Reply, DeviceState) -> Bool
    ) -> SimulatedRequest {
        SimulatedRequest(
            "temperatures", isRead: true, { _ in request }, { Array($0.frame.bytes) },
            .records([TemperatureSeries.replyID]), send: { $0.send($1, at: $2) }, agrees: agrees)
    }

    /// The values of all slots: a day may be sent without the last ones.
    private static func celsius(_ days: [TemperatureSeries.Day]) -> [[Double?]] {
        days.map { day in (0..<48).map { day.celsius(slot: $0) } }
    }

    /// A random request, more often a read than a write.
    static func any(_ random: inout SplitMix) -> SimulatedRequest {
        if random.happens(inHundred: 25) { return anyWrite(&random) }
        if random.happens(inHundred: 45) { return anyLog(&random) }
        return random.pick(settings + records) ?? battery
    }

    /// A request for the battery level, which is also the last request of every run.
    static let battery = SimulatedRequest("battery", { _ in Battery.Request() }) { reply, state in
        let level = state.holds { ring, _ in ring.batteryLevel }
        return reply.percent == level.percent && reply.charging == Reported(level.charging)
    }

    private static let settings = [
        battery,
        SimulatedRequest("totals of today", { _ in TodayTotals.Request() }) { reply, state in
            reply == state.holds { $0.totals(at: $1) }
        },
        SimulatedRequest("functions", { _ in DeviceFunctions.Request() }) { reply, state in
            reply == state.ring.profile.functions
        },
        SimulatedRequest("goals", { _ in Goals.Request.read }) { reply, state in
            reply.reading == state.ring.settings.goals
        },
        SimulatedRequest("automatic heart rate", { _ in AutoHeartRate.Request.read }) {
            reply, state in
            reply.reading?.enabled.isOn == state.ring.settings.heartRateIsOn
                && reply.reading?.minutesPerMeasurement == state.ring.settings.heartRateMinutes
        },
        SimulatedRequest("automatic stress", { _ in AutoStress.Request.read }) { reply, state in
            reply.reading?.enabled == state.ring.settings.stress
        },
        SimulatedRequest("do not disturb", { _ in DoNotDisturb.Request.read }) { _, _ in true },
    ]

    private static let records = [
        // Nights and naps are separate records, so the loss of one cannot be detected.
        SimulatedRequest.sleep(.allNights) { history, state in
            let records = state.holds { ring, _ in ring.sleepFrames(.allNights) }
            let nights = records.compactMap { try? Sleep.Reply(decoding: $0).nights }.joined()
            let naps = records.compactMap { try? Nap.Reply(decoding: $0).naps }.joined()
            return (history.nights.isEmpty || history.nights == Array(nights))
                && (history.naps.isEmpty || history.naps == Array(naps))
        },
        SimulatedRequest("blood oxygen", record: BloodOxygen.Request.allDays) { reply, state in
            reply.days == state.holds { ring, _ in ring.bloodOxygen() }
        },
        SimulatedRequest.temperatures(.today) { reply, state in
            celsius(reply.days) == celsius(state.holds { ring, _ in ring.temperatures(.today) })
        },
        SimulatedRequest("heart rates measured by hand", record: ManualHeartRate.Request.today) {
            reply, state in
            reply.samples == state.holds { $0.manualHeartRates(daysAgo: 0, at: $1) }
        },
    ]

    private static func anyLog(_ random: inout SplitMix) -> SimulatedRequest {
        let daysAgo = random.index(below: 5)
        let day = DaysAgo(UInt8(truncatingIfNeeded: daysAgo))
        switch random.index(below: 6) {
        case 0:
            return SimulatedRequest("totals of \(day)", log: { _ in DailyTotals.Request(day: day) })
            {
                reply, state in reply.frames == state.holds { $0.dailyTotals(day, at: $1) }
            }
        case 1:
            return SimulatedRequest("stress of \(day)", log: { _ in StressLog.Request(day: day) }) {
                reply, state in
                holds(reply.samples, state.holds { $0.stress(day, at: $1) })
            }
        case 2:
            return SimulatedRequest(
                "heart-rate variability of \(day)",
                log: { _ in HeartRateVariabilityLog.Request(day: day) }
            ) { reply, state in
                holds(reply.samples, state.holds { $0.variability(day, at: $1) })
            }
        case 3:
            let request = ActivityLog.Request(day: day)
            return SimulatedRequest("activity of \(day)", log: { _ in request }) { reply, state in
                reply.frames == state.holds { $0.activityFrames(request, at: $1) }
            }
        default: return heartRates(daysAgo: daysAgo)
        }
    }

    private static func heartRates(daysAgo: Int) -> SimulatedRequest {
        SimulatedRequest(
            "heart rates of \(daysAgo) days ago",
            log: { HeartRateLog.Request(day: $0.date.advanced(byDays: -daysAgo) ?? $0.date) }
        ) { reply, state in
            holds(
                reply.samples,
                state.holds { ring, _ in ring.memory.heartRates(of: reply.day.time.date) })
        }
    }

    /// `true` if the samples begin with those of the device; the rest is padding.
    private static func holds(_ samples: some Sequence<UInt8>, _ held: [UInt8]?) -> Bool {
        guard let held else { return false }
        return Array(samples.prefix(held.count)) == held
    }

    private static func anyWrite(_ random: inout SplitMix) -> SimulatedRequest {
        let number = random.next()
        switch random.index(below: 5) {
        case 0: return setGoals(steps: UInt24(truncating: number))
        case 1: return setAutoHeartRate(minutes: UInt8(truncatingIfNeeded: number % 60) + 1)
        case 2:
            let toggle = SwitchState(number & 1 == 0)
            return SimulatedRequest(
                "set automatic stress \(toggle.label)", isRead: false,
                { _ in AutoStress.Request.write(ToggleSetting(toggle)) }
            ) { reply, state in
                reply.echo == ToggleSetting(toggle)
                    && state.ring.settings.stress == Reported(toggle)
            }
        case 3: return setTime(secondsOff: Int(truncatingIfNeeded: number % 7200) - 3600)
        default:
            return namePhone("phone \(number % 1000)")
        }
    }

    private static func setGoals(steps: UInt24) -> SimulatedRequest {
        let goals = Goals.Setting(steps: steps, smallCalories: 300_000, metres: 3000)
        return SimulatedRequest(
            "set goals to \(steps) steps", isRead: false, { _ in Goals.Request.write(goals) }
        ) { _, state in state.ring.settings.goals == goals }
    }

    private static func setAutoHeartRate(minutes: UInt8) -> SimulatedRequest {
        guard let setting = try? AutoHeartRate.Setting(isOn: true, minutesPerMeasurement: minutes)
        else { return battery }
        return SimulatedRequest(
            "set automatic heart rate to \(minutes) min", isRead: false,
            { _ in AutoHeartRate.Request.write(setting) }
        ) { _, state in state.ring.settings.heartRateMinutes == minutes }
    }

    private static func setTime(secondsOff: Int) -> SimulatedRequest {
        SimulatedRequest(
            "set the clock, \(secondsOff) s off", isRead: false,
            { try? SetTime.Request(time: $0.advanced(bySeconds: secondsOff)) }
        ) { reply, state in reply == state.ring.profile.capabilities }
    }

    private static func namePhone(_ name: String) -> SimulatedRequest {
        SimulatedRequest(
            "name the phone \(name)", isRead: false,
            { _ in try? PhoneName.Request(platform: .iOS, systemVersion: 18, phoneName: name) }
        ) { _, state in state.ring.settings.phoneName == name }
    }
}
