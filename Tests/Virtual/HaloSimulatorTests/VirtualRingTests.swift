import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct VirtualRingTests {
    @Test func tellsThePacketSizeAndThenWhatItCanDo() throws {
        var bench = RingBench.connected(.r10)
        bench.send(try SetTime.Request(time: RingBench.start).frame)
        bench.advance(by: .seconds(1))
        let frames = bench.takeFrames()
        #expect(frames.map(\.opcode) == [PacketSizePush.opcode, SetTime.opcode])
        #expect(try PacketSizePush.Reply(decoding: frames[0]).byteCount == 244)
        #expect(try SetTime.Reply(decoding: frames[1]) == RingProfile.r10.capabilities)
    }

    @Test func answersWhatAppsAskFirst() throws {
        var bench = RingBench.connected(.r10)
        let battery = try Battery.Reply.answer(try #require(bench.ask(Battery.Request()).first))
        #expect(battery.value?.percent == 80)
        let functions = bench.ask(DeviceFunctions.Request())
        #expect(functions == [RingProfile.r10.functions.frame])
        let totals = bench.ask(TodayTotals.Request())
        #expect(try TodayTotals.Reply(decoding: totals[0]).steps > 0)
        let log = try bench.join(
            HeartRateLog.Request(day: RingBench.start.date), HeartRateLog.Assembly.self)
        let reply = try #require(log?.value)
        #expect(reply.frames.count == 24)
        #expect(reply.samples.contains { $0 > 0 })
        let measured = bench.ask(RealtimeMeasurement.Request(.heartRate), within: .seconds(30))
        let values = try measured.map { try RealtimeMeasurement.Reply(decoding: $0) }
        #expect(values.first?.reading == nil)
        #expect(values.last?.reading != nil)
    }
}
