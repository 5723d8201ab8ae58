import HaloProtocol

/// Checks a heart-rate sensor's session with values and calls as bytes decide.
public enum SensorSessionVerifier {
    /// Beats are numbered without a gap, time on a timeline goes forward,
    /// what nobody fetches is bounded, and left alone the session waits for nothing.
    public static func verify(chance: inout FuzzBytes) throws(ContractViolation) {
        let bytes = chance.all
        if let what = fault(&chance) {
            throw ContractViolation(what, packet: "HeartRateSensorSession", bytes: bytes)
        }
    }

    private static func fault(_ chance: inout FuzzBytes) -> String? {
        var rules = HeartRateSensorSession.Rules()
        rules.effectLimit = chance.integer(in: 1...32)
        var session = HeartRateSensorSession(rules)
        var watcher = Watcher(limit: rules.effectLimit)
        var now = Moment.origin
        for _ in 0..<300 where chance.remaining > 0 {
            switch chance.integer(in: 0...8) as UInt8 {
            case 0...3: session.receive(chance.bytes(Int(chance.byte() & 31)), at: now)
            case 4: now = now + .milliseconds(50 * Int(chance.byte()))
            case 5: session.subscribed(at: now)
            case 6:
                if chance.byte() & 1 == 0 {
                    session.unsubscribed()
                    if session.deadline != nil { return "it waits for what is not to come" }
                } else {
                    now = Moment(microseconds: chance.integer())
                }
            case 7: session.tick(at: now)
            default: if let fault = watcher.drain(&session) { return fault }
            }
        }
        while let deadline = session.deadline {
            session.tick(at: deadline)
            if let next = session.deadline, next <= deadline { return "it waits for ever" }
        }
        return watcher.drain(&session)
    }

    /// What the session has said so far.
    private struct Watcher {
        let limit: Int
        private var last: SensedBeat?
        private var isGap = false

        init(limit: Int) {
            self.limit = limit
        }

        mutating func drain(_ session: inout HeartRateSensorSession) -> String? {
            var count = 0
            while let effect = session.nextEffect() {
                switch effect {
                case .dropped: isGap = true
                case .measured(let measured):
                    count += 1
                    for beat in measured.beats where !follows(beat) {
                        return "beat \(beat.number) follows \(last?.number ?? 0)"
                    }
                    isGap = false
                case .malformed, .contact, .silent: count += 1
                }
            }
            return count > limit ? "\(count) effects waited" : nil
        }

        private mutating func follows(_ beat: SensedBeat) -> Bool {
            defer { last = beat }
            guard let last, !isGap else { return true }
            isGap = false
            if beat.number != last.number + 1 { return false }
            if beat.series != last.series { return beat.series > last.series }
            return beat.ticks == last.ticks + UInt64(beat.intervalTicks)
        }
    }
}
