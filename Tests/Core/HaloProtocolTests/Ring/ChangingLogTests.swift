import HaloProtocol
import TestSupport
import Testing

/// Logs that change between two replies, as today's does at midnight.
@Suite(.computes) struct ChangingLogTests {
    @Test(arguments: 1..<5, 1..<5)
    func changedLogsAreNeverMixed(lostFirst: Int, lostThen: Int) throws {
        var stale = try stressLog(daysAgo: 0, sample: 99).frames
        stale.remove(at: lostFirst)
        let log = try stressLog(daysAgo: 0, sample: 0)
        var first = log.frames
        first.remove(at: lostThen)
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, stale).isEmpty)
        let answered = results(&assembly, first)
        #expect(answered.allSatisfy { $0 == .value(log) })
        #expect(answered.isEmpty || lostFirst == lostThen || answered == [.value(log)])
        if answered.isEmpty { #expect(results(&assembly, log.frames) == [.value(log)]) }
    }

    @Test func staleSamplesAreNotInThePartialLog() throws {
        let stale = try stressLog(daysAgo: 0, sample: 99).frames
        let fresh = try stressLog(daysAgo: 0, sample: 5).frames
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, [stale[0], stale[1], stale[3], stale[4]]).isEmpty)
        #expect(results(&assembly, [fresh[0], fresh[1]]).isEmpty)
        #expect(assembly.partial?.values.contains(99) == false)
        #expect(assembly.partial?.values.contains(5) == true)
        let error = #expect(throws: PacketError.self) { try assembly.receive(fresh[4]) }
        #expect(error?.expected == 2...2)
        #expect(results(&assembly, [stale[0], stale[1], fresh[0], fresh[3]]).isEmpty)
        #expect(results(&assembly, [stale[0], stale[3]]).isEmpty)
        #expect(assembly.partial?.values.first == 0)
    }

    @Test func withoutTheHeaderNothingOldIsKept() throws {
        let stale = try stressLog(daysAgo: 0, sample: 99).frames
        let log = try stressLog(daysAgo: 0, sample: 5)
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, stale.prefix(4)).isEmpty)
        #expect(results(&assembly, log.frames.dropFirst()) == [.value(log)])
    }

    @Test(arguments: 0..<3, 0..<3)
    func changedActivityIsNeverMixed(lostFirst: Int, lostThen: Int) throws {
        var stale = try activityLog(steps: 100).frames
        stale.remove(at: 1 + lostFirst)
        let changed = try activityLog(steps: 200)
        var first = changed.frames
        first.remove(at: 1 + lostThen)
        var assembly = ActivityLog.Assembly()
        #expect(results(&assembly, stale).isEmpty)
        #expect(results(&assembly, first).allSatisfy { $0 == .value(changed) })
        #expect(assembly.partial?.records.allSatisfy { $0.steps == 200 } != false)
    }

    @Test func withoutTheHeaderNoOldActivityIsKept() throws {
        let stale = try activityLog(steps: 100).frames
        let changed = try activityLog(steps: 200)
        var assembly = ActivityLog.Assembly()
        let mixed = stale.dropLast() + [changed.frames[1], changed.frames[3]]
        #expect(results(&assembly, mixed).isEmpty)
        #expect(results(&assembly, changed.frames.dropFirst()) == [.value(changed)])
    }
}
