import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport

/// Asks a virtual ring what an app asked a real one, and notes what either of them said.
struct TranscriptReplay {
    /// What kind of frame came, and what it says where that does not depend on the wearer.
    struct Kind: Hashable, CustomStringConvertible {
        let channel: RingChannel
        let opcode: UInt8
        let subtype: UInt8
        var content: [UInt8] = []

        var description: String {
            let digits = String(opcode, radix: 16, uppercase: true)
            return (channel == .uart ? "" : "BC ") + digits + "." + String(subtype, radix: 16)
        }
    }

    /// A request, and what came until the next one.
    struct Exchange {
        let line: Int
        let channel: RingChannel
        let request: [UInt8]
        /// When it was sent, to the second.
        let seconds: Int
        var answers: [(kind: Kind, seconds: Int)] = []
        /// The last second of a workout that was reported before the next request.
        var workoutSecond: UInt16?
    }

    let exchanges: [Exchange]

    init(_ capture: Capture) {
        var exchanges: [Exchange] = []
        var reassembler = BigDataReassembler()
        var time: UInt64 = 0
        for (index, line) in capture.lines.enumerated() {
            if case .elapsed(let microseconds) = line { time += microseconds }
            guard let packet = line.packet else { continue }
            let channel: RingChannel = packet.channel == .uart ? .uart : .bigData
            let seconds = Int(time / 1_000_000)
            guard packet.direction == .fromDevice else {
                exchanges.append(
                    Exchange(
                        line: index + 1, channel: channel, request: packet.bytes,
                        seconds: seconds))
                continue
            }
            guard !exchanges.isEmpty else { continue }
            let last = exchanges.count - 1
            for kind in Self.kinds(packet.bytes, channel, &reassembler) {
                exchanges[last].note(kind, seconds)
            }
            if let progress = Self.progress(packet.bytes) {
                exchanges[last].workoutSecond = progress
            }
        }
        self.exchanges = exchanges
    }

    /// The frames that answer something: what comes unasked is left out.
    static func kinds(
        _ bytes: [UInt8], _ channel: RingChannel, _ reassembler: inout BigDataReassembler
    ) -> [Kind] {
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes), !isUnasked(frame) else { return [] }
            return [
                Kind(
                    channel: .uart, opcode: frame.opcode, subtype: subtype(frame),
                    content: isTheSameForAll(frame) ? bytes : [])
            ]
        case .bigData:
            reassembler.receive(bytes)
            var kinds: [Kind] = []
            while let event = reassembler.nextEvent() {
                guard case .frame(let frame) = event else { continue }
                kinds.append(Kind(channel: .bigData, opcode: frame.id, subtype: 0))
            }
            return kinds
        }
    }

    private static func isUnasked(_ frame: Frame) -> Bool {
        [RingNotification.opcode, RealtimeMeasurement.opcode, WorkoutProgress.opcode].contains(
            frame.opcode)
    }

    /// Whether every ring of a kind that is set alike says just this: settings, capabilities,
    /// refusals, and that nothing is stored.
    private static func isTheSameForAll(_ frame: Frame) -> Bool {
        if frame.refusedOpcode != nil { return true }
        switch frame.opcode {
        case SetTime.opcode, PacketSizePush.opcode, PhoneName.opcode, DeviceFunctions.opcode,
            NotificationSwitches.opcode, AutoHeartRate.opcode, AutoBloodOxygen.opcode,
            AutoStress.opcode, AutoHeartRateVariability.opcode, UserPreferences.opcode,
            TouchGesture.opcode, BloodPressureSetting.opcode, TemperatureUnit.opcode,
            TemperatureSetting.opcode, Goals.opcode, Menstruation.opcode, HourlySeries.opcode:
            return true
        default:
            return frame[1] == 0xFF
        }
    }

    /// What a frame is, where its command has several: a part's place, a setting's action.
    private static func subtype(_ frame: Frame) -> UInt8 {
        if frame.refusedOpcode != nil { return frame[1] }
        switch frame.opcode {
        case Battery.opcode, TodayTotals.opcode, NotificationSwitches.opcode, SetTime.opcode,
            PacketSizePush.opcode:
            return 0
        case ActivityLog.opcode:
            // Records begin with their date: they are of one kind.
            return frame[1] >= 0xF0 ? frame[1] : 1
        default:
            return frame[1]
        }
    }

    static func progress(_ bytes: [UInt8]) -> UInt16? {
        guard let frame = try? Frame(decoding: bytes) else { return nil }
        return try? WorkoutProgress.Reply(decoding: frame).elapsedSeconds
    }
}

extension TranscriptReplay.Kind {
    /// Whether this is one more record of activity: how many there are depends on the day.
    func isOneMore(after last: Self?) -> Bool {
        opcode == ActivityLog.opcode && self == last
    }
}

extension TranscriptReplay.Exchange {
    /// Notes a kind; of the records of a day the first only.
    mutating func note(_ kind: TranscriptReplay.Kind, _ seconds: Int) {
        if !kind.isOneMore(after: answers.last?.kind) { answers.append((kind, seconds)) }
    }
}

extension TranscriptReplay {
    /// What the virtual ring said to one request, and when, in microseconds since it was asked.
    struct Heard {
        var answers: [(kind: Kind, microseconds: Int64)] = []
    }

    /// An app sends right after a meeting of the radios: its request travels at the next one.
    private static let travel: Duration = .milliseconds(40)

    /// Plays all requests to a ring. The next one is sent when as much came as in the transcript.
    func play(to bench: inout RingBench) -> [Heard] {
        var reassembler = BigDataReassembler()
        var all: [Heard] = []
        for (index, exchange) in exchanges.enumerated() {
            let asked = bench.now
            bench.advance(by: Self.travel)
            bench.write(
                exchange.request,
                to: exchange.channel == .uart
                    ? RingServices.uartWrite : RingServices.bigDataWrite)
            var heard = Heard()
            let deadline = bench.now + .seconds(12)
            while heard.answers.count < exchange.answers.count || bench.isAmidRecords(heard),
                let wake = bench.wake, wake <= deadline
            {
                bench.advance(to: wake)
                heard.take(&bench, since: asked, &reassembler)
            }
            if let second = exchange.workoutSecond { bench.advance(toWorkoutSecond: second) }
            heard.take(&bench, since: asked, &reassembler)
            if index + 1 < exchanges.count {
                let gap = exchanges[index + 1].seconds - exchange.seconds
                if gap >= 2 { bench.advance(to: asked + .seconds(gap)) }
                heard.take(&bench, since: asked, &reassembler)
            }
            all.append(heard)
        }
        return all
    }
}

extension TranscriptReplay.Heard {
    mutating func take(
        _ bench: inout RingBench, since asked: Moment, _ reassembler: inout BigDataReassembler
    ) {
        for piece in bench.take() {
            let time = piece.moment.microseconds(since: asked)
            let kinds = TranscriptReplay.kinds(piece.bytes, piece.channel, &reassembler)
            for kind in kinds where !kind.isOneMore(after: answers.last?.kind) {
                answers.append((kind, time))
            }
        }
    }
}

extension RingBench {
    /// Whether the next thing that comes is one more record of the kind that came last.
    func isAmidRecords(_ heard: TranscriptReplay.Heard) -> Bool {
        guard let last = heard.answers.last?.kind, last.opcode == ActivityLog.opcode else {
            return false
        }
        var next = self
        var reassembler = BigDataReassembler()
        _ = next.take()
        next.advance(by: .milliseconds(90))
        return next.take().contains { piece in
            TranscriptReplay.kinds(piece.bytes, piece.channel, &reassembler).contains(last)
        }
    }

    mutating func advance(toWorkoutSecond second: UInt16) {
        let deadline = now + .seconds(Int(second) + 5)
        while let wake, wake <= deadline {
            advance(to: wake)
            let seconds = heard.compactMap { TranscriptReplay.progress($0.bytes) }
            if seconds.contains(second) { return }
        }
    }
}
