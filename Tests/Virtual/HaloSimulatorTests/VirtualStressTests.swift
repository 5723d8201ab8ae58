import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Many tasks and airs: no wakeup is lost.
@Suite(.passesTime) struct VirtualStressTests {
    @Test func eightTasksAskFiveHundredQuestionsEach() async throws {
        let air = VirtualBluetooth(seed: 3)
        var links: [any LinkDriver] = []
        for number in 0..<8 {
            let placed = air.add(AirGadget())
            let central = number == 0 ? nil : air.central(named: "phone \(number)")
            let transport: any BLETransport = central ?? air
            links.append(try await transport.openLink(to: placed.identity))
        }
        let time = air.time
        let count = try await withThrowingTaskGroup { group in
            for link in links {
                group.addTask {
                    var count = 0
                    for number in 0..<500 {
                        if number % 3 == 0 {
                            try await link.writeValue(
                                [UInt8(truncatingIfNeeded: number)], to: AirGadget.writable,
                                .withResponse, time)
                            count += 1
                        } else if try await link.readValue(AirGadget.readable, time) == [1, 2, 3] {
                            count += 1
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 4_000)
    }

    @Test func hundredsOfAirsLiveSideBySide() async throws {
        let moments = try await withThrowingTaskGroup { group in
            for _ in 0..<300 {
                group.addTask {
                    let air = VirtualBluetooth(seed: 9)
                    let placed = air.add(AirGadget())
                    let link = try await air.openLink(to: placed.identity)
                    for _ in 0..<5 {
                        _ = try await link.readValue(AirGadget.readable, air.time)
                    }
                    return air.time.now()
                }
            }
            return try await group.reduce(into: Set<Moment>()) { $0.insert($1) }
        }
        // The airs share no state, so the results agree.
        #expect(moments.count == 1)
    }

    @Test func sleepsAreCancelledAtAnyPoint() async {
        let air = VirtualBluetooth()
        await withTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let sleeper = Task {
                        try? await air.clock.sleep(for: .milliseconds(number * 7))
                    }
                    for _ in 0..<number % 5 { await Task.yield() }
                    if number % 2 == 0 { sleeper.cancel() }
                    await sleeper.value
                }
            }
        }
        #expect(air.nextEventTime == nil)
    }

    @Test func callbacksNeverOverlapAndKeepTheirOrder() async throws {
        let air = VirtualBluetooth(seed: 4)
        let placed = air.add(AirGadget())
        let seen = VirtualProbe<UInt8>()
        let link = try await air.openLink(to: placed.identity) { event in
            if case .value(_, let value) = event { seen.add(value[0]) }
        }
        try await link.subscribe(AirGadget.notifying, air.time)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        placed.modify { gadget in
                            let byte = UInt8(task * 50 + number)
                            gadget.reaction = { event, _, effects in
                                if event == .changed {
                                    effects.notify(AirGadget.notifying, [byte])
                                }
                            }
                        }
                    }
                }
            }
        }
        try await air.clock.sleep(for: .seconds(60))
        #expect(seen.values.count == 200)
        for task in 0..<4 {
            let own = seen.values.filter { Int($0) / 50 == task }
            #expect(own == own.sorted())
        }
    }

    @Test func aCallbackThatAsksAgainAndAgainDoesNotNest() async throws {
        let air = VirtualBluetooth(seed: 5)
        let placed = air.add(AirGadget())
        let link = try await air.openLink(to: placed.identity)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func again(_ left: Int) {
                guard left > 0 else {
                    air.time.waiting(.ends)
                    return continuation.resume()
                }
                link.readRSSI { _ in again(left - 1) }
            }
            again(100_000)
            air.time.waiting(.begins)
        }
    }
}
