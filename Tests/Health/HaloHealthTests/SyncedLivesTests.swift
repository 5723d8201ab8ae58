import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloHealth

/// Weeks of virtual rings, read in parts over links that are lost, with journeys and with rings of
/// a bad week: the file has what the rings have held, and nothing else.
///
/// `HALO_HEALTH_LIVES` is the number of weeks, and `HALO_SWEEP_SEED` the first seed.
@Suite(.passesTime) struct SyncedLivesTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds: Range<UInt64> = {
        let first = environment["HALO_SWEEP_SEED"].flatMap(UInt64.init) ?? 1
        return first..<first + (environment["HALO_HEALTH_LIVES"].flatMap(UInt64.init) ?? 40)
    }()

    /// What a ring has held: the values of each slot, at the times at which it was looked at.
    private struct Held {
        var values: [SlotKey: Set<Int>] = [:]
        /// The slots that were under way. A read of some seconds may see their values, and then set
        /// the clock back before it.
        var underWay: Set<SlotKey> = []

        struct SlotKey: Hashable {
            let kind: HistoryKind
            let time: CivilDateTime
        }

        mutating func note(_ memory: RingMemory?) {
            guard let memory else { return }
            for key in Self.now(memory) { values[key.key, default: []].insert(key.value) }
            for (kind, minutes) in Self.kinds {
                let seconds = memory.now.seconds - memory.now.seconds % (minutes * 60)
                let time = CivilDateTime(secondsSince1970: UInt32(clamping: seconds))
                underWay.insert(SlotKey(kind: kind, time: time))
            }
        }

        private static let kinds: [(HistoryKind, minutes: Int)] = [
            (.heartRate, 5), (.stress, 30), (.heartRateVariability, 30),
        ]

        func has(_ value: Int, _ key: SlotKey) -> Bool {
            underWay.contains(key) || values[key]?.contains(value) == true
        }

        /// The values that the ring holds now, also old ones in later slots.
        static func now(_ memory: RingMemory) -> [SlotKey: Int] {
            var values: [SlotKey: Int] = [:]
            for age in 0..<8 {
                guard let date = memory.now.date.daysEarlier(UInt8(age)) else { continue }
                func add(_ kind: HistoryKind, _ slots: [UInt8]?, _ minutes: Int) {
                    for (index, value) in (slots ?? []).enumerated() where value != 0 {
                        let time = CivilDateTime(date).advanced(bySeconds: index * minutes * 60)
                        values[SlotKey(kind: kind, time: time)] = Int(value)
                    }
                }
                add(.heartRate, memory.heartRates(of: date), 5)
                add(.stress, memory.stress(of: date), 30)
                add(.heartRateVariability, memory.heartRateVariability(of: date), 30)
            }
            return values
        }
    }

    private static func values(of history: RingHistory) -> [(key: Held.SlotKey, value: Int)] {
        func values(
            _ kind: HistoryKind, _ samples: [TimedSample<Int>]
        ) -> [(key: Held.SlotKey, value: Int)] {
            samples.map { (Held.SlotKey(kind: kind, time: $0.time), $0.value) }
        }
        return values(.heartRate, history[.heartRate]) + values(.stress, history[.stress])
            + values(.heartRateVariability, history[.heartRateVariability])
    }

    @Test(arguments: seeds) func aFileHasWhatTheRingHasHeld(_ seed: UInt64) throws {
        let air = VirtualBluetooth(seed: seed, mode: .manual)
        try runDeterministically(step: { air.step() }) { try await Self.live(seed, air) }
    }

    private static func live(_ seed: UInt64, _ air: VirtualBluetooth) async throws {
        var random = SplitMix(seed: seed)
        let travels = random.next() % 4 == 0
        var options = VirtualRingOptions.badWeek(seed: seed)
        // Values of a wrong clock are moved: another test has them.
        options.anomalies.remove(.clockAhead)
        if random.next() % 3 == 0 { options.anomalies = [] }
        let profiles: [RingProfile] = [.r02, .r10, .r12]
        let ring = air.add(
            VirtualRing(
                profiles[Int(random.next() % 3)], wearer: Wearer(seed: seed), days: 3,
                options: options))
        let folder = TestFolder()
        var held = Held()
        for step in 0..<5 {
            let hours = Int(random.next() % 40) + 1
            try await air.clock.sleep(for: .seconds(hours * 3600 + Int(random.next() % 3600)))
            if travels, random.next() % 2 == 0 {
                air.setZone(secondsFromUTC: (Int(random.next() % 23) - 11) * 3600)
            }
            // An event: the ring stores what has happened since the last one.
            ring.modify { $0.setBattery(percent: 80) }
            held.note(ring.state?.history)
            let isLast = step == 4
            let loss = isLast || random.next() % 3 == 0 ? nil : random.next() % 20_000
            let read = try await sync(air, ring, folder, lostAfter: loss)
            held.note(ring.state?.history)
            guard isLast else { continue }
            let history = try #require(read).history
            #expect(history.isComplete, "seed \(seed): \(history.failures)")
            // What the ring holds now, and was asked for, is in the file. The last hour may have
            // got its values after the request.
            guard !travels, let memory = ring.state?.history else { continue }
            let store = try HealthStore(path: folder.database)
            let address = try #require(read).ring
            let kept = try #require(try store.history(of: address))
            let stored = Dictionary(
                values(of: kept).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
            let first = try #require(history.coverage.days.map(\.date).min())
            for (key, value) in Held.now(memory)
            where key.time.date >= first
                && key.time.advanced(bySeconds: 3600) < history.readAt ?? memory.now
                && history.coverage[key.kind, key.time.date] == .read
            {
                #expect(stored[key] == value, "seed \(seed): \(key)")
            }
        }
        try check(folder, held, seed)
    }

    /// Nothing is in the file that the ring has not held, and nothing is there twice.
    private static func check(_ folder: TestFolder, _ held: Held, _ seed: UInt64) throws {
        let store = try HealthStore(path: folder.database)
        let ring = try #require(try store.rings().first)
        let kept = try #require(try store.history(of: ring.identity))
        for (key, value) in values(of: kept) {
            #expect(held.has(value, key), "seed \(seed): \(key) \(value)")
        }
        for samples in [kept[.heartRate], kept[.stress], kept[.heartRateVariability]] {
            let keys = samples.map { [$0.time.seconds, $0.utc?.seconds ?? -1] }
            #expect(Set(keys).count == keys.count, "seed \(seed)")
        }
        let isSound = try store.withDatabase { (database) throws(HealthStoreError) in
            try database.value("PRAGMA integrity_check")
        }
        #expect(isSound == "ok")
    }

    /// Reads what is new, over a link that may be lost, and adds it as an app does.
    private static func sync(
        _ air: VirtualBluetooth, _ placed: Placed<VirtualRing>, _ folder: TestFolder,
        lostAfter milliseconds: UInt64?
    ) async throws -> HealthRead? {
        let store = try HealthStore(path: folder.database)
        let known = try store.rings().first
        var options = RingOptions()
        options.earlierClocks = known?.clocks ?? []
        options.reconnect = .never
        options.keepBeforeClockChange = { try store.add(HealthRead($0)) }
        async let disturbance: Void = disturb(air, placed, after: milliseconds)
        // The link may be lost before the first answer.
        let read = try? await self.read(air, since: known?.nextDay, options)
        await disturbance
        guard let read else { return nil }
        try store.add(read)
        let again = try store.add(read)
        #expect(again.isEmpty, "\(again)")
        return read
    }

    /// Takes the ring out of reach for two minutes.
    private static func disturb(
        _ air: VirtualBluetooth, _ placed: Placed<VirtualRing>, after milliseconds: UInt64?
    ) async {
        guard let milliseconds else { return }
        try? await air.clock.sleep(for: .milliseconds(Int(milliseconds)))
        placed.moveAway()
        try? await air.clock.sleep(for: .seconds(120))
        placed.comeBack()
    }

    private static func read(
        _ air: VirtualBluetooth, since day: CivilDate?, _ options: RingOptions
    ) async throws -> HealthRead {
        let ring = try await Ring.connect(over: air, options: options)
        let history: RingHistory
        if let day {
            history = try await ring.history(since: day)
        } else {
            history = try await ring.history(days: 30)
        }
        await ring.disconnect()
        return HealthRead(ring, history)
    }
}
