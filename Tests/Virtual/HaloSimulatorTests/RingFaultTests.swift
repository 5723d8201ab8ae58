import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The faults of a ring's replies to one kind of request.
@Suite(.passesTime) struct RingFaultTests {
    private static let battery = RingFault.Request.command(Battery.opcode)

    /// A connected ring with faults, which has been sent a request for its battery some times.
    private static func bench(_ faults: RingFault..., requests: Int = 1) -> RingBench {
        var options = VirtualRingOptions()
        options.faults = faults
        var bench = RingBench.connected(options: options)
        for _ in 0..<requests {
            bench.send(Battery.Request().frame)
            bench.advance(by: .seconds(1))
        }
        return bench
    }

    private static let refusal = Refusal(of: Battery.opcode).frame

    @Test func aSilentRingDoesNotReplyUntilTheCountIsOver() {
        var bench = Self.bench(RingFault(.silence, of: Self.battery, count: 2), requests: 4)
        let frames = bench.takeFrames()
        #expect(frames.map(\.opcode) == [Battery.opcode, Battery.opcode])
        var always = Self.bench(RingFault(.silence, of: Self.battery), requests: 4)
        #expect(always.takeFrames() == [])
        var never = Self.bench(RingFault(.silence, of: Self.battery, count: 0))
        #expect(never.takeFrames().count == 1)
    }

    @Test func faultsOfOneRequestFollowEachOther() {
        var bench = Self.bench(
            RingFault(.refusal, of: Self.battery, count: 1),
            RingFault(.silence, of: Self.battery, count: 1), requests: 3)
        let frames = bench.takeFrames()
        #expect(frames.count == 2)
        #expect(frames.first == Self.refusal)
        #expect(frames.last?.opcode == Battery.opcode)
    }

    @Test func aDelayedReplyComesLater() throws {
        let plain = try #require(Self.bench().heard.first)
        let delay = RingFault(.delay(.milliseconds(700)), of: Self.battery)
        let late = try #require(Self.bench(delay).heard.first)
        #expect(late.bytes == plain.bytes)
        #expect(late.moment.duration(since: plain.moment) == .milliseconds(700))
    }

    @Test func otherRequestsAreAnswered() {
        var bench = Self.bench(RingFault(.silence, of: .command(Goals.opcode)))
        #expect(bench.takeFrames().map(\.opcode) == [Battery.opcode])
    }

    @Test func closesTheLink() {
        var bench = Self.bench(RingFault(.disconnection, of: Self.battery, count: 1))
        #expect(bench.takeFrames() == [])
        #expect(bench.others.contains(.disconnect))
    }

    /// An app asks again after a lost reply, also for a record.
    @Test(arguments: [RingFault.Effect.silence, .delay(.seconds(1))])
    func appsGetTheirDataAllTheSame(_ effect: RingFault.Effect) async throws {
        var options = VirtualRingOptions()
        options.faults = [
            RingFault(effect, of: .record(Sleep.requestID), count: 1),
            RingFault(effect, of: .command(HeartRateLog.opcode), count: 1),
        ]
        let air = VirtualBluetooth(seed: 4)
        air.add(VirtualRing(.r10, days: 2, options: options))
        let ring = try await Ring.connect(over: air)
        #expect(try await ring.log(.heartRate, daysAgo: 1).count > 0)
        #expect(try await ring.history(days: 2).sleep.count > 0)
        await ring.disconnect()
    }

    @Test func aRefusedRecordHasNoData() throws {
        var options = VirtualRingOptions()
        options.faults = [RingFault(.refusal, of: .record(Sleep.requestID))]
        let bench = RingBench.connected(options: options)
        let request = try BigDataFrame(id: Sleep.requestID, payload: [1, 0])
        #expect(bench.ring.answers(to: request) == [BigDataNoData(id: Sleep.requestID).frame])
        let plain = RingBench.connected()
        #expect(plain.ring.answers(to: request) != [BigDataNoData(id: Sleep.requestID).frame])
    }
}
