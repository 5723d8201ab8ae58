import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The packets of a link, and their moments.
@Suite(.passesTime) struct AirLinkTests {
    private let bench = AirBench()

    @Test func packetsTravelAtMeetingsAndSeveralAtOne() {
        _ = bench.connectAndSubscribe()
        guard let anchor = bench.gadget.moment(of: .connected) else { return }
        bench.run(.milliseconds(13))
        bench.notify((0..<24).map { [$0] })
        bench.run(.seconds(2))
        let moments = bench.outputs.compactMap { entry -> Int64? in
            guard case .event(_, .value) = entry.output else { return nil }
            return entry.moment.microseconds(since: anchor)
        }
        #expect(bench.values == (0..<24).map { [$0] })
        var meetings: [Int64: Int] = [:]
        for moment in moments { meetings[moment / 48_000, default: 0] += 1 }
        #expect(4...12 ~= meetings.count)
        #expect(meetings.values.allSatisfy { $0 <= 6 })
        for (earlier, later) in zip(moments, moments.dropFirst()) {
            let gap = later - earlier
            #expect(300...1_300 ~= gap || later % 48_000 == 0)
        }
    }

    @Test func aDeviceWithLatencyListensRarelyAndSpeaksAtOnce() {
        let link = bench.connectAndSubscribe()
        bench.emit([
            .requestParameters(
                LinkParameters(
                    interval: .milliseconds(123), latency: 4, supervisionTimeout: .seconds(5)))
        ])
        bench.run(.seconds(5))
        var delays: [Int64] = []
        for count in 0..<20 {
            bench.run(.milliseconds(1_000 + 37 * count))
            let asked = bench.air.now
            let seen = bench.gadget.events.count
            _ = bench.result {
                bench.air.write(
                    [1], to: AirGadget.writable, .withoutResponse, on: link, tag: $0)
            }
            bench.run(.seconds(1))
            if let event = bench.gadget.events.dropFirst(seen).first {
                delays.append(event.moment.microseconds(since: asked))
            }
        }
        #expect(delays.count == 20)
        #expect(delays.allSatisfy { $0 <= 615_000 })
        #expect(delays.contains { $0 > 123_000 })
        for _ in 0..<10 {
            bench.run(.milliseconds(777))
            let asked = bench.air.now
            let count = bench.values.count
            bench.notify([[7]])
            bench.run(.milliseconds(123))
            #expect(bench.values.count == count + 1, "asked at \(asked)")
        }
    }

    @Test func aRhythmThatBluetoothDoesNotKnowIsIgnored() {
        let link = bench.connectAndSubscribe()
        for (interval, latency, timeout) in [
            (Duration.milliseconds(1), 0, Duration.seconds(5)),
            (.seconds(5), 0, .seconds(30)), (.milliseconds(100), 600, .seconds(30)),
            (.seconds(2), 4, .seconds(5)), (.seconds(-1), -1, .seconds(-1)),
        ] {
            bench.emit([
                .requestParameters(
                    LinkParameters(
                        interval: interval, latency: latency, supervisionTimeout: timeout))
            ])
        }
        bench.run(.seconds(1))
        let asked = bench.air.now
        _ = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(bench.air.now.microseconds(since: asked) <= 96_000)
    }

    @Test func anAnswerTakesTwoMeetings() {
        let link = bench.connect()
        bench.run(.seconds(1))
        for count in 0..<10 {
            bench.run(.milliseconds(7 * count))
            let asked = bench.air.now
            let result = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
            #expect(result?.value == [1, 2, 3])
            #expect(48_000...97_300 ~= bench.air.now.microseconds(since: asked))
        }
    }

    @Test func theRadiosAgreeOnLongerPackets() {
        let link = bench.connect()
        #expect(bench.air.maximumWriteLength(.withoutResponse, on: link) == 20)
        bench.run(.seconds(1))
        #expect(bench.air.maximumWriteLength(.withoutResponse, on: link) == 244)
        #expect(bench.air.maximumWriteLength(.withResponse, on: link) == 512)
        #expect(bench.gadget.moment(of: .maximumLength(244)) != nil)
        #expect(bench.outputs.contains { $0.output == .event(link, .maximumLengthChanged) })
    }

    @Test func aDeviceThatDoesNotAskKeepsShortPackets() {
        let bench = AirBench(at: AirPlacement(mtu: 23))
        let link = bench.connectAndSubscribe()
        #expect(bench.air.maximumWriteLength(.withoutResponse, on: link) == 20)
        bench.notify([Array(repeating: 1, count: 30)])
        bench.run(.seconds(1))
        #expect(bench.values == [Array(repeating: 1, count: 20)])
        #expect(bench.air.losses.truncatedValues == 1)
    }

    @Test func whatNobodySubscribedToGoesNowhere() {
        bench.notify([[1]])
        let link = bench.connect()
        bench.notify([[2]])
        bench.run(.seconds(1))
        #expect(bench.values == [])
        #expect(bench.air.losses.unsubscribed == 2)
        let id = AirGadget.notifying
        _ = bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) }
        bench.notify([[3]])
        bench.run(.seconds(1))
        _ = bench.result { bench.air.setNotify(false, for: id, on: link, tag: $0) }
        bench.notify([[4]])
        bench.run(.seconds(1))
        #expect(bench.values == [[3]])
        #expect(bench.gadget.moment(of: .subscription(id, isOn: false)) != nil)
    }

    @Test func subscriptionsEndWithTheLink() {
        let link = bench.connectAndSubscribe()
        bench.air.disconnect(link)
        bench.run(.seconds(1))
        _ = bench.connect()
        bench.notify([[1]])
        bench.run(.seconds(1))
        #expect(bench.values == [])
    }

    @Test func indicationsAreConfirmedOneByOne() {
        _ = bench.connectAndSubscribe()
        bench.notify([[1], [2], [3]], on: AirGadget.indicating)
        bench.run(.seconds(2))
        #expect(bench.values == [[1], [2], [3]])
        let confirmed = bench.gadget.events.filter { $0.event == .confirmed(AirGadget.indicating) }
        #expect(confirmed.count == 3)
        let moments = bench.outputs.compactMap { entry -> Moment? in
            if case .event(_, .value) = entry.output { entry.moment } else { nil }
        }
        for (earlier, later) in zip(moments, moments.dropFirst()) {
            #expect(later.microseconds(since: earlier) >= 48_000)
        }
    }

    @Test func onLeavingWhatWasWrittenStillGoesOut() {
        let link = bench.connect()
        for byte in 0..<5 {
            bench.air.write(
                [UInt8(byte)], to: AirGadget.writable, .withoutResponse, on: link,
                tag: bench.makeTag())
        }
        bench.air.disconnect(link)
        let late = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(late?.error?.kind == .disconnected)
        #expect(late?.error?.disconnectReason?.kind == .local)
        bench.run(.seconds(1))
        #expect(bench.gadget.written == (0..<5).map { [$0] })
        #expect(bench.end?.kind == .local)
    }

    @Test func leavingADeviceThatIsGoneNeedsNoMeeting() {
        let link = bench.connect()
        bench.air.setAway(true, bench.device)
        bench.air.disconnect(link)
        bench.run(.zero)
        #expect(bench.end?.kind == .local)
    }

    @Test func theStrengthOfTheSignalFollowsTheDistance() {
        let bench = AirBench(at: AirPlacement(distanceCentimetres: 50))
        let link = bench.connect()
        var means: [Int] = []
        for distance in [50, 200, 1_000] {
            bench.air.place(bench.device, atCentimetres: distance)
            let all = (0..<50).compactMap { _ -> Int? in
                if case .rssi(let rssi, _)? = bench.result({
                    bench.air.readRSSI(on: link, tag: $0)
                }) {
                    return rssi
                }
                return nil
            }
            #expect(all.count == 50)
            means.append(all.reduce(0, +) / max(all.count, 1))
        }
        #expect(means[0] > means[1] + 8 && means[1] > means[2] + 8)
    }

    @Test func timersComeInTheirOrder() {
        bench.air.schedule(at: .origin + .seconds(2), tag: 1_002)
        bench.air.schedule(at: .origin + .seconds(1), tag: 1_001)
        bench.air.schedule(at: .origin + .seconds(1), tag: 1_003)
        bench.air.schedule(at: .origin + .seconds(1), tag: 1_004)
        bench.air.cancelTimer(tag: 1_004)
        bench.air.schedule(at: .distantFuture, tag: 1_005)
        bench.run(.seconds(3))
        #expect(bench.outputs.map(\.output) == [1_001, 1_003, 1_002].map { .timer(tag: $0) })
        #expect(bench.air.nextEventTime == nil)
    }
}
