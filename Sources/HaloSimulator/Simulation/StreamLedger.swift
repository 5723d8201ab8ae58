internal import HaloProtocol

/// The streams of one app, and the rules that hold for them: each ends once, and is silent then.
struct StreamLedger {
    private(set) var open: [StreamNumber] = []
    private(set) var begun = 0
    private var last: [StreamNumber: StreamReport] = [:]

    /// The link is a new one, and so is the session: numbers begin again.
    mutating func beginLink() {
        open.removeAll()
        last.removeAll()
    }

    /// A stream was begun.
    mutating func began(_ number: StreamNumber) {
        begun += 1
        open.append(number)
    }

    /// A session has said something of a stream.
    mutating func reported(
        _ number: StreamNumber, _ report: StreamReport, at now: Moment
    ) -> Violation? {
        guard open.contains(number) else {
            return Violation(
                .streamAfterEnd, at: now, "the stream \(number.rawValue) goes on after its end")
        }
        switch report {
        case .ended:
            open.removeAll { $0 == number }
            last[number] = nil
        case .workout:
            defer { last[number] = report }
            guard last[number] != report else {
                return Violation(
                    .streamAfterEnd, at: now,
                    "the stream \(number.rawValue) says the same second twice")
            }
        case .started, .measurement, .rawSensors: break
        }
        return nil
    }

    /// The streams that are still open, when they should not be.
    func leftOpen(at now: Moment) -> [Violation] {
        open.map {
            Violation(.streamNeverEnded, at: now, "the stream \($0.rawValue) has not ended")
        }
    }
}
