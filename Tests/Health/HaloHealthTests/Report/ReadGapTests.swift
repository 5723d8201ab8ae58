import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloHealth

/// Days between two reads, and days that were last read before they were over.
@Suite(.passesTime) struct ReadGapTests {
    private static let ring = PeripheralIdentity("A")

    private static func day(_ day: Int) -> CivilDate { HealthStoreTests.time(day).date }

    /// A read at nine o'clock of the day before, and of three days before that, as a ring keeps
    /// them; the ring was worn all the time.
    private static func read(on day: Int, asking days: ClosedRange<Int>) -> RingHistory {
        var history = HealthStoreTests.history(readAt: HealthStoreTests.time(day, 9))
        for date in days {
            let isKept = day - date <= 3
            for kind in HistoryKind.allCases where kind != .totals {
                history.coverage[kind, Self.day(date)] = isKept ? .read : .noData
            }
            guard isKept else { continue }
            for hour in 0..<(date == day ? 9 : 24) {
                let time = HealthStoreTests.time(date, hour)
                history.heartRates.append(HealthStoreTests.sample(time, 60, minutes: 60))
                history.activity.append(
                    HealthStoreTests.sample(
                        time, ActivityAmount(steps: 100, metres: 80, kilocalories: 1), minutes: 60))
            }
            history.sleep.append(
                MadeHistory.night(endingOn: Self.day(date)))
        }
        return history
    }

    /// The reads of the 15th of January and of the 4th of February, as the file or one history.
    private static let reads = [read(on: 15, asking: 9...15), read(on: 35, asking: 29...35)]

    private static func merged() -> RingHistory {
        var history = reads[0]
        history.merge(reads[1])
        return history
    }

    private static let sentence =
        "Not synced in time: read on 15 January, and next on 4 February."

    /// The reason does not depend on the days that are shown.
    @Test func daysBetweenTwoReadsAreNotSynced() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        for read in Self.reads { try store.add(HealthRead(Self.ring, read)) }
        let last = Self.day(35)
        let gap = MissingReason.notSynced(last: Self.day(15), next: last)
        for first in [9, 14, 20, 26, 31] {
            let part = try #require(
                try store.history(of: Self.ring, since: Self.day(first), through: last))
            let reasons = MissingReasons(part)
            let whole = MissingReasons(Self.merged())
            for day in first...31 where day > 15 {
                for kind in [HistoryKind.heartRate, .activity, .sleep, .stress] {
                    #expect(reasons.reason(for: kind, on: Self.day(day)) == gap, "\(day) \(kind)")
                    #expect(whole.reason(for: kind, on: Self.day(day)) == gap, "\(day) \(kind)")
                }
            }
        }
        // Before the first read, the ring had kept four days.
        let whole = MissingReasons(Self.merged())
        #expect(whole.reason(for: .heartRate, on: Self.day(10)) == .notKept(days: 4))
        #expect(gap.sentence(of: .heartRate) == Self.sentence)
        let years = MissingReason.notSynced(last: Self.day(-3), next: last).sentence(of: .stress)
        #expect(years.hasSuffix("read on 28 December 2025, and next on 4 February 2026."))
    }

    /// Within the days that the ring keeps, a day without values is one without the ring.
    @Test func aDayThatTheRingKeepsIsNoGap() {
        let other = Self.read(on: 37, asking: 34...37).without(daysAgo: 1...1)
        var history = Self.merged()
        history.merge(other)
        // The day after the last read was read by the next one, and has no values.
        #expect(MissingReasons(history).reason(for: .stress, on: Self.day(36)) == .notWorn)
        #expect(MissingReasons(history).reason(for: .stress, on: Self.day(31)) != .notWorn)
        #expect(HealthFigures(history).day(Self.day(20)).steps == .missing(.notSynced))
    }

    /// Days without any read are one line of a page, of weeks and of months.
    @Test(arguments: [26, 60]) func aPageSaysAGapOnce(_ days: Int) throws {
        var history = Self.merged()
        if days > 31 {
            var early = Self.read(on: -20, asking: -23 ... -20)
            early.merge(history)
            history = early
        }
        let page = try HealthReportTests.read(history)
        let gaps = HealthReportTests.gaps(of: HealthReport(history))
        #expect(gaps.last == "16–31 January 2026: \(Self.sentence)")
        #expect(gaps.count == (days > 31 ? 2 : 1))
        #expect(page.all("section", "day").count == (days > 31 ? 0 : 8))
        // The weeks within the gap have no section, and the page says nothing of them twice.
        #expect(page.all("section", "week").count == (days > 31 ? 0 : 3))
        #expect(!page.all("td", "no").contains { $0.text == "not worn" })
    }

    /// A page that begins in a gap says so.
    @Test func aPageThatBeginsInAGapSaysSo() throws {
        let report = HealthReport(Self.merged(), since: Self.day(20))
        let remarks = try MarkupReader(report.htmlBytes()).all("li").map(\.text)
        #expect(remarks.contains("20–31 January 2026: \(Self.sentence)"))
        #expect(report.page().days?.lowerBound == Self.day(32))
    }

    // MARK: A day that was read in the morning

    @Test func aDayReadInTheMorningIsMarked() throws {
        let page = try HealthReportTests.read(Self.merged())
        let marks = page.all("i").map(\.text).filter { $0.hasPrefix("until") }
        #expect(marks == ["until 09:00", "until 09:00"])
        #expect(page.all("th").contains { $0.text == "Thu 15 Jan, until 09:00" })
        // Its steps are a paler bar, and no part of the mean of its week.
        #expect(page.all("path", "f").count == 2)
        let means = HealthReport(Self.merged()).html().matches(of: /<b>([0-9,]+)<\/b><small>a day</)
        #expect(means.map(\.1) == ["2,400", "2,400", "2,400"])
        let figures = HealthFigures(Self.merged())
        #expect(figures.day(Self.day(15)).steps == .soFar(900))
        #expect(figures.day(Self.day(14)).steps == .value(2400))
        let mean = figures.week(endingOn: Self.day(16)).mean(\.steps)
        #expect(mean.value?.value == 2400 && mean.value?.days == 3)
        // The night was over.
        #expect(
            figures.week(endingOn: Self.day(16)).mean { $0.night.map(\.asleepMinutes) }
                .value?.days == 4)
    }

    /// A later read completes the day, and the file has the same as the merged history.
    @Test func aDayThatIsReadAgainIsWhole() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        let reads = [Self.read(on: 15, asking: 9...15), Self.read(on: 16, asking: 14...16)]
        for read in reads { try store.add(HealthRead(Self.ring, read)) }
        var merged = reads[0]
        merged.merge(reads[1])
        for history in [merged, try #require(try store.history(of: Self.ring))] {
            #expect(history.readEnd(of: .activity, on: Self.day(15)) == nil)
            #expect(history.readEnd(of: .activity, on: Self.day(16)) != nil)
            #expect(HealthFigures(history).day(Self.day(15)).steps == .value(2400))
            #expect(history.coverage == merged.coverage)
        }
        // One that the ring keeps no longer stays one until nine.
        let last = Self.read(on: 20, asking: 16...20)
        try store.add(HealthRead(Self.ring, last))
        merged.merge(last)
        for history in [merged, try #require(try store.history(of: Self.ring))] {
            let end = history.readEnd(of: .activity, on: Self.day(16))
            #expect(end == HealthStoreTests.time(16, 9))
            #expect(history.coverage == merged.coverage)
        }
    }

    /// The views of the file mark such a day, and leave it out of the means of its week.
    @Test func viewsKnowUntilWhenADayWasRead() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        for read in Self.reads { try store.add(HealthRead(Self.ring, read)) }
        func rows(_ sql: StaticString) throws -> [String] {
            try store.withDatabase { (database) throws(HealthStoreError) in
                try database.list(sql) { (row) throws(HealthStoreError) in try row.text(0) }
            }
        }
        #expect(
            try rows("SELECT day || ' ' || steps || ' ' || until FROM day WHERE until IS NOT NULL")
                == ["2026-01-15 900 09:00", "2026-02-04 900 09:00"])
        #expect(
            try rows("SELECT monday || ' ' || days || ' ' || steps FROM week")
                == ["2026-01-12 4 2400.0", "2026-01-26 1 2400.0", "2026-02-02 3 2400.0"])
        #expect(
            try rows("SELECT CAST(minutes_asleep AS INTEGER) || '' FROM week")
                == ["450", "450", "450"])
    }

    /// The kinds that the next read has completed, and the mark of the day.
    private static let wholeKinds: [(kinds: [HistoryKind], until: String?)] = [
        ([.activity], "09:00"), ([.heartRate, .activity], "09:00"),
        ([.sleep, .temperature], "09:00"),
        ([.heartRate, .stress, .heartRateVariability, .activity, .bloodOxygen], nil),
    ]

    /// A day is no more whole than the least of its kinds. Nights and temperatures of the morning
    /// do not count.
    @Test(arguments: wholeKinds)
    func aDayIsAsWholeAsTheLeastOfItsKinds(_ whole: [HistoryKind], _ until: String?) throws {
        let first = Self.read(on: 15, asking: 12...15)
        var next = Self.read(on: 16, asking: 15...16)
        for kind in HistoryKind.allCases where kind != .totals && !whole.contains(kind) {
            next.coverage[kind, Self.day(15)] = .noData
        }
        var merged = first
        merged.merge(next)
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        for read in [first, next] { try store.add(HealthRead(Self.ring, read)) }
        for history in [merged, try #require(try store.history(of: Self.ring))] {
            #expect(history.readEnd(on: Self.day(15)).map(ReportText.clock) == until)
            let head = until.map { "Thu 15 Jan, until \($0)" } ?? "Thu 15 Jan"
            #expect(try HealthReportTests.read(history).all("th").contains { $0.text == head })
            var exporter = HistoryExporter.csv(of: .day)
            var bytes: [UInt8] = []
            exporter.append(history, to: &bytes)
            let row = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .first {
                    $0.hasPrefix("2026-01-15")
                }
            let start = "2026-01-15," + (until.map { "2026-01-15T\($0):00," } ?? ",")
            #expect(row?.hasPrefix(start) == true, "\(row ?? "")")
        }
        let rows = try store.withDatabase { (database) throws(HealthStoreError) in
            try database.list(
                """
                SELECT (SELECT until FROM day WHERE day = '2026-01-15'),
                    (SELECT steps || ' ' || minutes_asleep FROM week)
                """
            ) { (row) throws(HealthStoreError) in [try row.text(0), try row.text(1)] }
        }
        #expect(rows == [[until, "2400.0 450.0"]])
    }

    /// Of kinds that were read at different times of a day, the earliest one counts.
    @Test func theEarliestReadOfADayIsItsEnd() {
        var history = HealthStoreTests.history(readAt: HealthStoreTests.time(16, 9))
        for (kind, hour) in [(.stress, 12), (.heartRate, 9), (.activity, 15)]
            as [(HistoryKind, Int)]
        {
            history.coverage.set(
                kind, Self.day(15), .read, readAt: HealthStoreTests.time(15, hour))
        }
        #expect(history.readEnd(on: Self.day(15)) == HealthStoreTests.time(15, 9))
    }

    // MARK: Reasons

    /// The rest of the day of a read is one of the next read.
    @Test func theDayOfAReadIsOneOfTheNext() {
        let reason = MissingReasons(Self.merged()).reason(for: .stress, on: Self.day(15))
        #expect(reason == .notSynced(last: Self.day(15), next: Self.day(35)))
    }

    /// Values that a wrong clock had stored are read ones, although the ring has none under their
    /// dates when it is asked again: read with the rest, or by a program that ended before that.
    @Test(arguments: [false, true]) func daysOfAWrongClockWereRead(_ isInterrupted: Bool) throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        var old = Self.read(on: 45, asking: 42...45)
        old.clockShift = ClockShift(
            days: -30, lowestSeconds: -2_592_100, highestSeconds: -2_592_000)
        old.secondsFromUTC = nil
        if isInterrupted {
            var part = HealthRead(Self.ring, old)
            part.rightTime = WallClock(local: HealthStoreTests.time(15, 9), secondsFromUTC: 3600)
            try store.add(part)
            // The next sync asks for all: none of these days was read by a right clock.
            #expect(try store.ring(Self.ring)?.nextDay == Self.day(9))
        }
        var read = HealthRead(
            Self.ring, HealthStoreTests.history(readAt: HealthStoreTests.time(15, 10)))
        read.historyBeforeClockChange = old
        read.clocks = [
            RingClock(
                secondsFromUTC: 3600, wasSet: true, since: HealthStoreTests.time(15, 9, 59),
                shift: old.clockShift)
        ]
        for kind in HistoryKind.allCases where kind != .totals {
            for day in 8...15 { read.history.coverage[kind, Self.day(day)] = .noData }
        }
        read.history.coverage[.stress, Self.day(14)] = .failed
        try store.add(read)
        let history = try #require(try store.history(of: Self.ring))
        let reasons = MissingReasons(history)
        for kind in [HistoryKind.heartRate, .sleep, .activity] {
            #expect(
                history.coverage.dates(of: kind, .read) == (12...15).map(Self.day), "\(kind)")
            #expect(reasons.reason(for: kind, on: Self.day(11)) == .notKept(days: 4), "\(kind)")
        }
        #expect(history.coverage[.stress, Self.day(14)] == .failed)
        #expect(history.coverage[.stress, Self.day(13)] == .noData)
        // The next read finds nothing under these dates, which is no reset.
        var next = read
        next.history.readAt = HealthStoreTests.time(15, 11)
        #expect(try store.add(next).notices.isEmpty)
        #expect(try store.history(of: Self.ring)?.coverage[.activity, Self.day(13)] == .read)
    }

    /// A clock that is set back to the day before does not bring back what the ring has pushed out.
    @Test func aDayThatComesAgainCountsOnce() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        try store.add(HealthRead(Self.ring, Self.read(on: 16, asking: 11...16)))
        // At 8:00 UTC of the 16th, and at 11:00 UTC.
        var later = RingHistory(
            today: Self.day(15), readAt: HealthStoreTests.time(15, 23), secondsFromUTC: -12 * 3600)
        for day in 11...15 {
            later.coverage[.heartRate, Self.day(day)] = day < 13 ? .noData : .read
        }
        try store.add(HealthRead(Self.ring, later))
        for first in [11, 12] {
            let history = try #require(
                try store.history(of: Self.ring, since: Self.day(first), through: Self.day(16)))
            #expect(history.today == Self.day(15))
            #expect(history.coverage.earlierReads == [Self.day(16)])
            let reason = MissingReasons(history).reason(for: .heartRate, on: Self.day(12))
            #expect(reason == .notKept(days: 4))
        }
    }

    /// A file that is imported is no read of the ring.
    @Test func anImportIsNoRead() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        try store.add(HealthRead(Self.ring, Self.read(on: 20, asking: 1...20)))
        var imported = HealthStoreTests.history(readAt: HealthStoreTests.time(6, 20))
        imported[.heartRate] = [HealthStoreTests.sample(HealthStoreTests.time(3, 12), 60)]
        try store.add(HealthRead(Self.ring, imported))
        let history = try #require(try store.history(of: Self.ring))
        #expect(history.coverage.earlierReads.isEmpty)
        for kind in [HistoryKind.sleep, .stress, .bloodOxygen] {
            let reason = MissingReasons(history).reason(for: kind, on: Self.day(4))
            #expect(reason == .notKept(days: 4), "\(kind)")
        }
    }

    /// An import that is later than the last read: the days up to it are shown, but the ring was
    /// not read on them, and the next sync follows the last one.
    @Test func anImportAfterTheLastReadIsNoReadOfTheRing() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        func imported(_ ring: PeripheralIdentity) -> HealthRead {
            var history = RingHistory(
                today: Self.day(31), readAt: HealthStoreTests.time(31, 20), secondsFromUTC: 0)
            history[.heartRate] = [
                HealthStoreTests.sample(HealthStoreTests.time(30, 12), 60, from: 0)
            ]
            var read = HealthRead(ring, history)
            read.assumesUTC = true
            return read
        }
        var first = Self.read(on: 15, asking: 9...15)
        first.secondsFromUTC = -18_000
        try store.add(HealthRead(Self.ring, first))
        try store.add(imported(Self.ring))
        let ring = try #require(try store.ring(Self.ring))
        #expect(ring.lastRead == HealthStoreTests.time(31, 20) && ring.nextDay == Self.day(14))
        let history = try #require(try store.history(of: Self.ring))
        #expect(history.today == Self.day(31) && history.heartRates.count == 82)
        let reasons = MissingReasons(history)
        for kind in [HistoryKind.heartRate, .stress, .sleep] {
            #expect(reasons.reason(for: kind, on: Self.day(20)) == .notRead, "\(kind)")
            #expect(reasons.reason(for: kind, on: Self.day(10)) == .notKept(days: 4), "\(kind)")
        }
        // The clock of the client is none that was set back.
        var next = RingHistory(
            today: Self.day(31), readAt: HealthStoreTests.time(31, 18), secondsFromUTC: -18_000)
        next.coverage[.stress, Self.day(31)] = .noData
        #expect(try store.add(HealthRead(Self.ring, next)).notices == [])
        let gap = MissingReason.notSynced(last: Self.day(15), next: Self.day(31))
        let later = MissingReasons(try #require(try store.history(of: Self.ring)))
        #expect(later.reason(for: .stress, on: Self.day(20)) == gap)
        // A ring of which there is only the import is asked for a week.
        let other = PeripheralIdentity("B")
        try store.add(imported(other))
        #expect(try store.ring(other)?.nextDay == Self.day(25))
    }

    /// A journey to the east by nine hours, at an hour of the fifteenth, and a read some hours
    /// later: the reasons for heart rates and nights of the day on which it ended.
    private static let journeys: [(hour: Int, after: Int, reasons: [MissingReason])] = [
        // Three o'clock was noon at once; the ring has shown three hours of the day.
        (3, 0, [.noValues, .notYet]), (3, 8, [.noValues, .notYet]), (3, 9, [.noValues, .noValues]),
        // Twenty o'clock was five at once.
        (20, 0, [.notYet, .notYet]), (20, 1, [.notYet, .notYet]), (20, 2, [.noValues, .notYet]),
    ]

    /// Of the hours that a clock has left out, a ring has no values, worn or not.
    @Test(arguments: journeys)
    func hoursThatAClockHasLeftOutAreNoReason(
        _ hour: Int, _ after: Int, _ reasons: [MissingReason]
    ) {
        let set = HealthStoreTests.time(15, hour + 9)
        let readAt = HealthStoreTests.time(15, hour + 9 + after)
        var history = RingHistory(today: set.date, readAt: readAt, secondsFromUTC: 32_400)
        history.clocks = [
            RingClock(secondsFromUTC: 0, wasSet: true, since: HealthStoreTests.time(14, 9)),
            RingClock(secondsFromUTC: 32_400, wasSet: true, since: set),
        ]
        for kind in [HistoryKind.heartRate, .sleep] {
            history.coverage[kind, set.date.advanced(byDays: -1) ?? set.date] = .read
            history.coverage[kind, set.date] = .noData
        }
        history[.stress] = [HealthStoreTests.sample(CivilDateTime(set.date), 40)]
        let found = [HistoryKind.heartRate, .sleep].map {
            MissingReasons(history).reason(for: $0, on: set.date)
        }
        #expect(found == reasons)
    }

    /// The outcomes of a kind for yesterday and today, the hour of the read, and the reason.
    private static let lastDays:
        [(
            kind: HistoryKind, outcomes: [HistoryCoverage.Outcome], hour: Int, reason: MissingReason
        )] = [
            (.activity, [.failed, .noData], 2, .notYet),
            (.activity, [.failed, .noData], 21, .noValues),
            (.activity, [.noData, .noData], 2, .notKept(days: nil)),
            (.sleep, [.read, .noData], 2, .notYet), (.sleep, [.read, .noData], 21, .noValues),
            (.stress, [.failed, .noData], 2, .noValues),
            (.stress, [.noData, .noData], 2, .notKept(days: nil)),
            (.sleep, [.wrongClock, .noData], 2, .notYet), (.activity, [.noData], 21, .noValues),
        ]

    /// A read that was interrupted, or was in the morning, does not say that the ring has stored
    /// none of a kind, or was not worn.
    @Test(arguments: lastDays)
    func aDayThatHasJustBegunIsNoReason(
        _ kind: HistoryKind, _ outcomes: [HistoryCoverage.Outcome], _ hour: Int,
        _ reason: MissingReason
    ) {
        var history = HealthStoreTests.history(readAt: HealthStoreTests.time(15, hour))
        history[.heartRate] = [HealthStoreTests.sample(HealthStoreTests.time(15, 1), 60)]
        for (daysAgo, outcome) in outcomes.reversed().enumerated() {
            history.coverage[kind, Self.day(15 - daysAgo)] = outcome
        }
        #expect(MissingReasons(history).reason(for: kind, on: Self.day(15)) == reason)
    }

    // MARK: A page of the past

    /// A page of days in the past has the time of the read, and judges nothing of now.
    @Test func aPageOfThePastIsOfTheLastRead() throws {
        let history = Self.merged()
        let report = HealthReport(history, since: Self.day(12), through: Self.day(14))
        let page = try MarkupReader(report.htmlBytes())
        #expect(report.page().days == Self.day(12)...Self.day(14))
        #expect(page.all("dd").contains { $0.text == "Wed 04 Feb 2026, 09:00" })
        #expect(page.all("section", "day").count == 3 && page.all("path", "f").isEmpty)
        let remarks = page.all("li").map(\.text)
        #expect(!remarks.contains { $0.contains("no value since") }, "\(remarks)")
        // The ring has sent stress on other days.
        var other = history
        other.coverage[.stress, Self.day(13)] = .noData
        let sentences = try MarkupReader(
            HealthReport(other, since: Self.day(14), through: Self.day(14)).htmlBytes()
        ).all("li").map(\.text)
        #expect(!sentences.contains { $0.contains("has stored no") }, "\(sentences)")
    }
}
