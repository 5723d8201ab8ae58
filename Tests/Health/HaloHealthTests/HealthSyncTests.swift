import Foundation
import HaloDevices
import HaloHealthFoundation
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloHealth

/// A sync loses nothing: links are lost at each packet, and the program ends at any moment.
///
/// `HALO_SYNC_CUTS` is the number of moments.
@Suite(.passesTime) struct HealthSyncTests {
    private static let cuts =
        ProcessInfo.processInfo.environment["HALO_SYNC_CUTS"].flatMap { Int($0) } ?? 12
    private static let behind = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))

    private let folder = TestFolder()

    /// The values of a ring in a file, before a time.
    private struct Kept: Equatable, CustomStringConvertible {
        var values: Set<[Int]> = []
        var nights: Set<[Int]> = []

        init(_ folder: TestFolder, _ name: String, before end: CivilDateTime) throws {
            let store = try HealthStore(path: folder.path(name))
            guard let ring = try store.rings().first,
                let history = try store.history(of: ring.identity)
            else { return }
            let lists = [history[.heartRate], history[.stress], history[.heartRateVariability]]
            for (kind, list) in lists.enumerated() {
                values.formUnion(
                    list.filter { $0.time < end }.map { [kind, $0.time.seconds, $0.value] })
            }
            nights = Set(
                history[.sleep].filter { $0.end < end }.map { [$0.start.seconds, $0.end.seconds] })
        }

        var description: String { "\(values.count) values, \(nights.count) nights" }

        /// What one of two has, and the other one lacks.
        func difference(to other: Kept) -> String? {
            if self == other { return nil }
            let missing = other.values.subtracting(values)
            let wrong = values.subtracting(other.values)
            return
                "\(missing.count) values are missing, \(wrong.count) wrong; \(self), not \(other)"
        }
    }

    /// An air with a ring that was worn for three days, and the time of its values.
    private static func world(
        _ device: VirtualRingOptions = VirtualRingOptions(), _ faults: FaultPlan = .none
    ) -> (air: VirtualBluetooth, ring: Placed<VirtualRing>, now: CivilDateTime) {
        let air = VirtualBluetooth(
            seed: 4, startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: 120),
            faults: faults)
        let ring = air.add(
            VirtualRing(.r10, wearer: Wearer(seed: 4), days: 3, options: device))
        // The slot under way may get its value during a sync.
        return (air, ring, air.time.wallClock().local.advanced(bySeconds: -3600))
    }

    private func sync(_ air: VirtualBluetooth, _ name: String) throws -> HealthSync {
        HealthSync(into: try HealthStore(path: folder.path(name)), over: air)
    }

    /// The number of values that the ring sends in a whole sync.
    private func packetCount(
        _ device: VirtualRingOptions, _ timeout: Duration = .seconds(60)
    ) async throws -> Int {
        let (air, _, _) = Self.world(device)
        let count = Locked(0)
        var sync = try sync(air, "count\(timeout).db")
        sync.options.connectTimeout = timeout
        sync.options.observer = { trace in
            if trace.event != nil, trace.bytes != nil { count.withLock { $0 += 1 } }
        }
        #expect(try await sync.run().isComplete)
        return count.withLock { $0 }
    }

    /// The first sync has all; the next one only what is new.
    @Test func aSyncKeepsWhatIsNew() async throws {
        let (air, ring, _) = Self.world()
        let sync = try sync(air, "a.db")
        let steps = Locked<[HealthSync.Progress]>([])
        let first = try await sync.run { step in steps.withLock { $0.append(step) } }
        #expect(first.isComplete && first.since == nil && first.lostLinks == 0)
        #expect((first.changes.added[.heartRate] ?? 0) > 500, "\(first.changes)")
        #expect(first.read.battery != nil && first.read.settings[.heartRateLog] == 1)
        let begin = steps.withLock { Array($0.prefix(2)) }
        #expect(begin == [.finding, .connecting(name: first.read.name, ring.identity)])
        let second = try await sync.run()
        #expect(second.changes.isEmpty && second.since != nil, "\(second.changes)")
        try await air.clock.sleep(for: .seconds(7200))
        let third = try await sync.run()
        #expect((third.changes.added[.heartRate] ?? 0) > 20, "\(third.changes)")
        var again = sync
        again.readsAll = true
        #expect(try await again.run().since == nil)
    }

    /// One request ends the link each time. The kinds after it are read nevertheless.
    @Test func aKindThatBreaksTheLinkKeepsNoOtherOut() async throws {
        let fault = RingFault(.disconnection, of: .command(HeartRateLog.facts.code))
        let (air, _, _) = Self.world(VirtualRingOptions(faults: [fault]))
        let outcome = try await sync(air, "a.db").run()
        #expect(!outcome.isComplete && outcome.changes.added[.heartRate] == nil)
        let others: [HistoryKind] = [.stress, .heartRateVariability, .activity, .sleep]
        #expect(others.allSatisfy { (outcome.changes.added[$0] ?? 0) > 1 }, "\(outcome.changes)")
    }

    /// The link is lost once, at one packet after the other.
    @Test(arguments: [VirtualRingOptions(), Self.behind].indices)
    func aSyncSurvivesALinkLostAtEachPacket(_ index: Int) async throws {
        let device = [VirtualRingOptions(), Self.behind][index]
        let (air, _, now) = Self.world(device)
        try await sync(air, "whole.db").run()
        let whole = try Kept(folder, "whole.db", before: now)
        #expect(whole.values.count > 500 && whole.nights.count > 1, "\(whole)")
        let count = try await packetCount(device)
        var faults: [String] = []
        for packet in stride(from: 0, to: count, by: max(count / (Self.cuts * 2), 1)) {
            let rule = FaultRule(.disconnection, .notification(packet))
            let (air, _, _) = Self.world(device, FaultPlan(rules: [rule]))
            let name = "lost\(packet).db"
            let outcome = try await sync(air, name).run()
            let kept = try Kept(folder, name, before: now)
            if let difference = kept.difference(to: whole) {
                faults.append("packet \(packet) of \(count): \(difference)")
            }
            if !outcome.isComplete { faults.append("\(packet): \(outcome.read.history.failures)") }
        }
        #expect(faults == [])
    }

    /// The program ends at a packet of a sync that sets a wrong clock, and begins again. It ends
    /// with a copy of the file of that moment, and the ring is out of its reach.
    ///
    /// The clock is set while connecting, or after a read that had no time before: with a short
    /// timeout the moments are those around that.
    @Test(arguments: [60, 20])
    func aProgramThatEndsAtAnyMomentLosesNothingOfAWrongClock(_ seconds: Int) async throws {
        let (air, _, now) = Self.world(Self.behind)
        let undisturbed = try await sync(air, "whole.db").run()
        #expect(undisturbed.changes.notices.count == 1)
        let whole = try Kept(folder, "whole.db", before: now)
        let timeout = Duration.seconds(seconds)
        let count = try await packetCount(Self.behind, timeout)
        var faults: [String] = []
        var clocksSet = 0
        for cut in 0..<Self.cuts {
            let packet = seconds < 60 ? count - Self.cuts + cut : cut * count / Self.cuts
            let (air, ring, _) = Self.world(Self.behind)
            let (name, copy) = ("ended\(cut).db", "again\(cut).db")
            var ended = try sync(air, name)
            ended.patience = .seconds(1)
            ended.options.connectTimeout = timeout
            let seen = Locked(0)
            ended.options.observer = { [folder] trace in
                guard trace.event != nil, trace.bytes != nil else { return }
                let number = seen.withLock { seen in
                    seen += 1
                    return seen - 1
                }
                guard number == packet else { return }
                try? FileManager.default.copyItem(
                    atPath: folder.path(name), toPath: folder.path(copy))
                ring.moveAway()
            }
            _ = try? await ended.run()
            let isRight = ring.state?.time.date == air.time.wallClock().local.date
            if isRight { clocksSet += 1 }
            ring.comeBack()
            let outcome = try await sync(air, copy).run()
            let kept = try Kept(folder, copy, before: now)
            if let difference = kept.difference(to: whole) {
                faults.append("packet \(packet) of \(count), set: \(isRight): \(difference)")
            }
            // The program that ended has told nobody of the clock.
            let told = outcome.changes.notices
            if told.map(\.isOfClock) != [true] { faults.append("packet \(packet): \(told)") }
        }
        #expect(faults == [])
        #expect(clocksSet > 0 && clocksSet < Self.cuts)
    }

    /// A request without an answer, and a sync after it that has one: nothing stays unread.
    @Test func daysThatTheRingHasAnsweredAreRead() async throws {
        let fault = RingFault(.silence, of: .command(HeartRateLog.facts.code))
        let (broken, ring, _) = Self.world(VirtualRingOptions(faults: [fault]))
        #expect(try await sync(broken, "a.db").run().isComplete == false)
        // The same week once more: it begins before the one that had to wait for answers.
        let (air, _, _) = Self.world()
        var again = try sync(air, "a.db")
        again.ring = ring.identity
        #expect(try await again.run().isComplete)
        let store = try HealthStore(path: folder.path("a.db"))
        let history = try #require(try store.history(of: ring.identity))
        let failed = history.coverage.days.filter { $0.outcome == .failed && $0.kind != .totals }
        #expect(failed.isEmpty, "\(failed)")
        #expect(!history.coverage.dates(of: .heartRate, .noData).isEmpty)
    }

    /// The days of values that a wrong clock had stored are read ones, and the ring was not reset.
    @Test func daysOfAWrongClockAreRead() async throws {
        let (air, ring, _) = Self.world(Self.behind)
        let sync = try sync(air, "a.db")
        try await sync.run()
        let store = try HealthStore(path: folder.path("a.db"))
        // What was kept before the clock was set, and the rest, are one read.
        let count = try store.withDatabase { (database) throws(HealthStoreError) in
            try database.value("SELECT count(*) FROM sync")
        }
        #expect(count == 1)
        let coverage = try #require(try store.history(of: ring.identity)).coverage
        let kinds: [(HistoryKind, Int)] = [(.heartRate, 4), (.stress, 4), (.activity, 4)]
        for (kind, count) in kinds {
            #expect(coverage.dates(of: kind, .read).count == count, "\(kind) \(coverage)")
        }
        try await air.clock.sleep(for: .seconds(7200))
        #expect(try await sync.run().changes.notices == [])
    }

    /// A journey to the east right after the first sync: the ring was worn all the time.
    @Test func aJourneyIsNoReasonForMissingValues() async throws {
        let (air, ring, _) = Self.world()
        for hours in [0, 9] {
            var sync = try sync(air, "a.db")
            sync.options.clock = .set(.secondsFromUTC(hours * 3600))
            try await sync.run()
        }
        let store = try HealthStore(path: folder.path("a.db"))
        let history = try #require(try store.history(of: ring.identity))
        let ceased = history.freshness().filter { $0.state == .notWorn || $0.state == .stale }
        #expect(ceased == [])
        let reasons = MissingReasons(history)
        let sentences = HistoryKind.allCases.flatMap { kind in
            reasons.missingDays(of: kind, on: [history.today]).map(\.reason)
        }
        #expect(!sentences.contains(.notWorn) && !sentences.contains(.noValues), "\(sentences)")
    }

    /// Links on which nothing comes end a sync only if they are in a row. Here, four come before
    /// the first values, and more after them.
    @Test func linksThatBringNothingCountInARow() async throws {
        let faults = [HeartRateLog.facts.code, StressLog.facts.code].map {
            RingFault(.disconnection, of: .command($0), count: 4)
        }
        let (air, _, _) = Self.world(VirtualRingOptions(faults: faults))
        let outcome = try await sync(air, "a.db").run()
        #expect(outcome.isComplete && outcome.lostLinks == 8, "\(outcome)")
    }

    /// A ring that goes away for good: what has come is kept.
    @Test func whatCameBeforeTheRingWentAwayIsKept() async throws {
        let (air, ring, _) = Self.world()
        let sync = try sync(air, "a.db")
        let start = air.time.wallClock().utc
        let outcome = try await sync.run { step in
            guard case .reading(let part) = step, part.step == 8 else { return }
            ring.moveAway()
        }
        #expect(!outcome.isComplete && !outcome.changes.isEmpty && outcome.lostLinks == 1)
        // It is waited for once, and not for its battery and its settings again.
        let seconds = air.time.wallClock().utc.seconds - start.seconds
        #expect(120..<240 ~= seconds, "\(seconds)")
        ring.comeBack()
        let next = try await sync.run()
        #expect(next.isComplete && !next.changes.isEmpty)
    }

    @Test func aCancelledSyncKeepsWhatHasCome() async throws {
        let (air, _, _) = Self.world()
        let sync = try sync(air, "a.db")
        let task = Task {
            try await sync.run { step in
                guard case .reading(let part) = step, part.step == 8 else { return }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let outcome = try await task.value
        #expect(!outcome.isComplete && !outcome.changes.isEmpty)
        #expect(try await sync.run().isComplete)
    }

    /// A file that cannot be written at first: the clock is left alone, the ring keeps its values,
    /// and the sync ends with the error, although the file could be written later.
    @Test func aClockIsNotSetIfItsValuesCannotBeKept() async throws {
        let (air, ring, _) = Self.world(Self.behind)
        let full = HealthStoreError(.full, path: "a.db")
        let (path, wasFull) = (folder.path("a.db"), Locked(false))
        let open: @Sendable () throws(HealthStoreError) -> HealthStore = {
            () throws(HealthStoreError) in
            let isFull = wasFull.withLock { (wasFull) in
                defer { wasFull = true }
                return !wasFull
            }
            if isFull { throw full }
            return try HealthStore(path: path)
        }
        let sync = HealthSync(into: nil, orInto: open, over: air)
        do throws(HealthSyncError) {
            try await sync.run()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.storeError == full && error.deviceError == nil)
            #expect(error.title == full.title && error.advice == full.advice)
        }
        let shown = try #require(ring.state?.time.date)
        #expect(shown == air.time.wallClock().local.date.advanced(byDays: -5))
    }

    @Test func theErrorOfARingIsSaid() async throws {
        let sync = try sync(VirtualBluetooth(), "a.db")
        await #expect(
            throws: HealthSyncError(DeviceError(.notFound, bleError: .init(.notFound, .scan)))
        ) {
            try await sync.run()
        }
    }

    /// Many tasks add to one store, and read from it.
    @Test func aStoreIsSharedByTasks() async throws {
        let store = try HealthStore(path: folder.database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for day in 1...10 {
                        var history = HealthStoreTests.history(
                            readAt: HealthStoreTests.time(day, 12, number))
                        history[.stress] = [
                            HealthStoreTests.sample(HealthStoreTests.time(day, 9), 40)
                        ]
                        let ring = PeripheralIdentity("70:CB:0D:D0:34:1\(number)")
                        try store.add(HealthRead(ring, history))
                        _ = try store.rings()
                    }
                }
            }
            try await group.waitForAll()
        }
        let rings = try store.rings()
        #expect(rings.count == 8)
        for ring in rings {
            #expect(try store.history(of: ring.identity)?.stress.count == 10)
        }
    }

    /// The time for connecting does not suffice to read what a wrong clock has stored: the clock is
    /// set after the read.
    @Test(arguments: [3, 20, 35]) func aShortTimeoutLeavesNoClockWrong(_ seconds: Int) async throws
    {
        let (air, ring, now) = Self.world(Self.behind)
        var sync = try sync(air, "short.db")
        sync.options.connectTimeout = .seconds(seconds)
        let outcome = try await sync.run()
        #expect(outcome.isComplete && outcome.changes.notices.count == 1, "\(outcome.changes)")
        #expect(ring.state?.time.date == air.time.wallClock().local.date)
        let clock = try #require(outcome.read.clocks.last)
        #expect(clock.wasSet && clock.shift != nil)
        #expect(try HealthStore(path: folder.path("short.db")).rings()[0].clocks.last == clock)
        let (other, _, _) = Self.world(Self.behind)
        try await self.sync(other, "whole.db").run()
        let whole = try Kept(folder, "whole.db", before: now)
        #expect(try Kept(folder, "short.db", before: now).difference(to: whole) == nil)
        #expect(whole.values.count > 500)
        let next = try await sync.run()
        #expect(next.changes.notices.isEmpty && next.read.history.clockShift == nil)
        #expect(try Kept(folder, "short.db", before: now).difference(to: whole) == nil)
    }

    /// A clock that is wrong by a day may be that of another zone; an app that knows the zone says
    /// so before the first sync.
    @Test(arguments: [-86_400, 86_400])
    func anAppDecidesAboutAnotherTimeZone(_ seconds: Int) async throws {
        let device = VirtualRingOptions(clock: .off(seconds: seconds))
        let days = seconds / 86_400
        var starts: [CivilDateTime?] = []
        for zone in [nil, .local] as [ClockPolicy.Zone?] {
            let (air, _, now) = Self.world(device)
            let name = "\(zone == nil ? "unknown" : "known").db"
            var sync = try sync(air, name)
            sync.options.earlierZone = zone
            let notices = try await sync.run().changes.notices
            switch (zone, notices.first) {
            case (nil, .clockMayBeOfOtherZone(let shift)?), (.local?, .clockWasWrong(let shift)?):
                #expect(shift.days == -days && notices.count == 1)
            default: Issue.record("\(notices)")
            }
            let store = try HealthStore(path: folder.path(name))
            let ring = try #require(try store.rings().first)
            let history = try #require(try store.history(of: ring.identity))
            starts.append(history[.stress].first?.time)
            #expect(
                zone == nil
                    || history[.stress].allSatisfy { $0.time <= now.advanced(bySeconds: 3600) })
        }
        let (unknown, known) = (try #require(starts[0]), try #require(starts[1]))
        #expect(known == unknown.advanced(bySeconds: -seconds))
    }

    @Test func errorsOfAFileAreSaidToPeople() throws {
        let kinds: [HealthStoreError.Kind] = [
            .noLibrary, .notOpened, .damaged, .ofOtherProgram, .notOfClient, .newer, .busy, .full,
            .readOnly, .other, .changedByOtherProgram, .isURI,
        ]
        for kind in kinds {
            let error = HealthStoreError(kind, path: "a.db", details: "words")
            #expect(error.title.first?.isUppercase == true && error.title.hasSuffix("."))
            #expect(!error.title.contains("a.db"))
            #expect(error.advice?.hasSuffix(".") == true, "\(error.title)")
            #expect("\(error)".contains("a.db") && "\(error)".contains("words"))
            // Foundation's words, where an alert looks for them.
            let sync = HealthSyncError(error)
            #expect(error.localizedDescription == error.title)
            #expect(sync.localizedDescription == error.title)
            #expect(sync.failureReason == "\(error)" && sync.recoverySuggestion == error.advice)
            #expect(error.failureReason == "\(error)" && error.recoverySuggestion == error.advice)
        }
    }
}
