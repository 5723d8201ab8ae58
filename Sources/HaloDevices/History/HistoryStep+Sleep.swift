internal import HaloProtocol

extension HistoryStep {
    /// Nights and naps: the ways to ask are tried in their order, the one that was answered before
    /// first.
    ///
    /// "Nothing" may also be what a ring says to a way that it does not know: then the next one
    /// is tried.
    static var sleep: HistoryStep {
        HistoryStep(.sleep, .severalDaysAgo) { core, asker, aim, finish in
            var forms = aim.dialect.sleepRequests.value ?? SleepRequestForm.allCases
            if let known = core.knowledge.sleepForm {
                forms = [known]
            }
            SleepInquiry(core, asker, finish).ask(forms[...], .unsupported)
        }
    }
}

/// Asks for sleep in one way after the other.
private struct SleepInquiry: Sendable {
    private let core: RingCore
    private let asker: RingCore.Asker
    private let finish: @Sendable (HistoryPart) -> Void

    init(
        _ core: RingCore, _ asker: RingCore.Asker,
        _ finish: @escaping @Sendable (HistoryPart) -> Void
    ) {
        self.core = core
        self.asker = asker
        self.finish = finish
    }

    func ask(_ forms: ArraySlice<SleepRequestForm>, _ last: HistoryPart) {
        guard let form = forms.first else {
            finish(last)
            return
        }
        guard let request = form.request else {
            askOldCommand(.today, [])
            return
        }
        core.submit(Inquiry<SleepHistory>(request), as: asker) { outcome in
            let part = HistoryPart(outcome, take)
            switch part {
            case .some:
                core.update { $0.knowledge.sleepForm = form }
                finish(part)
            case .nothing, .unsupported:
                ask(forms.dropFirst(), part)
            case .failed(let error):
                if error.kind == .timedOut {
                    ask(forms.dropFirst(), part)
                } else {
                    finish(part)
                }
            }
        }
    }

    private func take(
        _ sleep: SleepHistory, _ context: HistoryContext, _ history: inout RingHistory
    ) {
        history.add(sleep.nights, areNaps: false, context)
        history.add(sleep.naps, areNaps: true, context)
    }

    /// Day after day, until the ring has nothing more.
    private func askOldCommand(_ day: DaysAgo, _ replies: [OldSleep.Reply]) {
        core.submit(Inquiry(OldSleep.Request(day: day)), as: asker) { outcome in
            switch outcome.result {
            case .success(.value(let reply)) where day.count < Self.lastDay:
                askOldCommand(DaysAgo(day.count &+ 1), replies + [reply])
            case .success(.value(let reply)):
                finish(.some({ $1.undescribedSleep += replies + [reply] }))
            case .success(.noData) where replies.isEmpty:
                finish(.nothing)
            case .success(.refused) where replies.isEmpty:
                finish(.unsupported)
            case .success(.noData), .success(.refused):
                finish(.some({ $1.undescribedSleep += replies }))
            case .failure(let error):
                finish(
                    replies.isEmpty
                        ? .failed(error) : .some({ $1.undescribedSleep += replies }, error))
            }
        }
    }

    private static var lastDay: UInt8 { 6 }
}

extension RingHistory {
    fileprivate mutating func add(
        _ periods: [SleepPeriod], areNaps: Bool, _ context: HistoryContext
    ) {
        sleep += periods.compactMap { period in
            guard let start = period.startTime(today: context.today) else { return nil }
            let minutes = period.stages.reduce(0) { $0 + Int($1.minutes) }
            return SleepRecord(
                period, isNap: areNaps, today: context.today,
                secondsFromUTC: context.secondsFromUTC(from: start, seconds: minutes * 60))
        }
    }
}

extension SleepRequestForm {
    /// What is sent; nothing for the old command.
    fileprivate var request: Sleep.Request? {
        switch self {
        case .twoBytes: .allNights
        case .oneByte: .allNightsInOneByte
        case .empty: .empty
        case .oldCommand: nil
        }
    }
}
