import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Lost links, refused commands, changed services and replies that come too late.
@Suite(.passesTime) struct LEDStripTroubleTests {
    private static let orange = LEDColour(red: 255, green: 128)
    private static let red = LEDColour(red: 255)

    // MARK: Colours

    /// A colour that is written before the loss of the link is noticed.
    @Test(arguments: [false, true])
    func theLastColourIsWrittenAgainAfterALostLink(withResponse: Bool) throws {
        try virtually { air in
            let bench = try await StripBench(in: air, responds: withResponse)
            bench.placed.moveAway()
            bench.strip.show(Self.orange)
            try await bench.pass(.seconds(30))
            #expect(!bench.strip.connectionState.isConnected)
            try await bench.reconnect()
            try await bench.pass(.milliseconds(200))
            #expect(bench.light == LEDLight(Self.orange))
        }
    }

    /// A colour that waits when the link is lost takes the place of the one being written.
    @Test func aLaterColourIsWrittenInPlaceOfALostOne() throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true, responds: true)
            bench.placed.moveAway()
            bench.strip.show(.white)
            bench.strip.show(Self.orange)
            try await bench.pass(.seconds(30))
            let count = bench.logged.count
            try await bench.reconnect()
            try await bench.pass(.seconds(1))
            #expect(bench.logged.dropFirst(count).compactMap(\.colour) == [Self.orange])
        }
    }

    /// Tasks that wait when the link ends have their error at once. The next link has nothing of
    /// them.
    @Test func tasksEndWithTheLinkThatTheyWaitFor() throws {
        try virtually { air in
            var options = LEDStripOptions()
            options.frameInterval = .seconds(1)
            let bench = try await StripBench(
                in: air, logs: true, isSilent: true, options: options)
            let strip = bench.strip
            try await withThrowingTaskGroup(of: DeviceError.Kind?.self) { group in
                group.addTask { await kind { _ = try await strip.state() } }
                try await bench.pass(.milliseconds(200))
                // The reply would be older than this colour: the next task needs another one.
                try await strip.set(.white)
                group.addTask { await kind { _ = try await strip.state() } }
                group.addTask { await kind { try await strip.set(Self.orange) } }
                try await bench.pass(.milliseconds(200))
                let ended = air.time.now()
                air.setAdapterState(.poweredOff)
                for try await end in group { #expect(end == .disconnected) }
                #expect(air.time.now().duration(since: ended) < .milliseconds(100))
            }
            let count = bench.logged.count
            air.setAdapterState(.poweredOn)
            try await strip.waitUntilConnected()
            try await bench.pass(.seconds(5))
            #expect(bench.logged.count == count)
        }
    }

    /// A request that waited for another write until its timeout is not written later.
    @Test func aStatusThatWaitedTooLongIsNotRequested() throws {
        try virtually { air in
            var options = LEDStripOptions()
            options.replyTimeout = .seconds(1)
            let bench = try await StripBench(
                in: air, logs: true, responds: true, options: options)
            bench.placed.moveAway()
            bench.strip.show(Self.orange)
            #expect(await kind { _ = try await bench.strip.state() } == .timedOut)
            bench.placed.comeBack()
            try await bench.pass(.seconds(2))
            #expect(bench.logged.map(\.colour) == [Self.orange])
        }
    }

    /// A status that is due while the reply to another one is outdated is requested once.
    @Test func aPostponedStatusIsRequestedOnce() throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true, isSilent: true)
            let strip = bench.strip
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for try await _ in strip.states {} }
                try await bench.pass(.milliseconds(100))
                try await strip.set(.white)
                try await bench.pass(.milliseconds(500))
                bench.placed.modify { $0.isSilent = false }
                try await bench.pass(.seconds(5))
                let count = bench.logged.count
                try await bench.pass(.seconds(5))
                #expect(bench.logged.count <= count + 1)
                group.cancelAll()
            }
        }
    }

    /// What was received, and what was replaced by another light, is not written again.
    @Test(arguments: [false, true])
    func aColourThatArrivedIsNotWrittenAgain(isReplaced: Bool) throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true)
            bench.strip.show(Self.orange)
            try await bench.pass(.milliseconds(100))
            if isReplaced {
                try await bench.strip.set(.white)
            } else {
                _ = try await bench.strip.state()
            }
            try await bench.pass(.milliseconds(100))
            let count = bench.logged.compactMap(\.colour).count
            try await bench.loseLink()
            try await bench.reconnect()
            try await bench.pass(.seconds(1))
            #expect(bench.logged.compactMap(\.colour).count == count)
        }
    }

    /// A colour that was written longer ago than a link can outlive its device has arrived. A
    /// remote control may have changed it since.
    @Test(arguments: [(31_990, 2), (32_010, 1)])
    func anOldColourIsNotWrittenAgain(milliseconds: Int, writes: Int) throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true)
            bench.strip.show(Self.orange)
            try await bench.pass(.milliseconds(milliseconds))
            air.setAdapterState(.poweredOff)
            air.setAdapterState(.poweredOn)
            try await bench.strip.waitUntilConnected()
            try await bench.pass(.seconds(1))
            let colours = bench.logged.compactMap(\.colour)
            #expect(colours == Array(repeating: Self.orange, count: writes))
        }
    }

    @Test(arguments: [(3, Self.orange), (4, Self.red)])
    func aRefusedColourIsWrittenThreeTimesAgain(refusals: Int, light: LEDColour) throws {
        let rules = (1...refusals).map { FaultRule(.refusal(.unlikely), .write($0)) }
        try virtually(faults: FaultPlan(rules: rules)) { air in
            let bench = try await StripBench(in: air, responds: true)
            bench.strip.show(Self.orange)
            try await bench.pass(.seconds(10))
            #expect(bench.light == LEDLight(light))
        }
    }

    /// A refusal ends the task, and is not repeated: the app decides.
    @Test func aRefusedTaskThrows() throws {
        let plan = FaultPlan(rules: [FaultRule(.refusal(.unlikely), .write(1))])
        try virtually(faults: plan) { air in
            let bench = try await StripBench(in: air, responds: true)
            let error = await #expect(throws: DeviceError.self) {
                try await bench.strip.set(Self.orange)
            }
            #expect(error?.bleError?.attError == .unlikely)
            try await bench.pass(.seconds(10))
            #expect(bench.light == LEDLight(Self.red))
        }
    }

    /// A sequence continues on the next link, and `follow` waits for it.
    @Test func followsOverALostLink() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let (colours, source) = AsyncStream<LEDColour>.makeStream()
            let strip = bench.strip
            try await withThrowingTaskGroup { group in
                group.addTask { try await strip.follow(colours) }
                source.yield(.white)
                try await bench.pass(.milliseconds(200))
                try await bench.loseLink()
                source.yield(Self.orange)
                source.finish()
                try await bench.pass(.seconds(1))
                bench.placed.comeBack()
                try await group.waitForAll()
            }
            try await bench.pass(.milliseconds(100))
            #expect(bench.light == LEDLight(Self.orange))
        }
    }

    /// The end of a sequence does not repeat its last colour: a later light stays.
    @Test func theEndOfASequenceChangesNothing() throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true)
            let (colours, source) = AsyncStream<LEDColour>.makeStream()
            let strip = bench.strip
            try await withThrowingTaskGroup { group in
                group.addTask { try await strip.follow(colours) }
                source.yield(.white)
                try await bench.pass(.milliseconds(200))
                try await strip.start(.redStrobe, speed: 3)
                source.finish()
                try await group.waitForAll()
            }
            try await bench.pass(.seconds(1))
            #expect(bench.state.mode == .redStrobe)
            #expect(bench.logged.compactMap(\.colour) == [.white])
        }
    }

    @Test func anEffectContinuesOnTheNextLink() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let strip = bench.strip
            try await withThrowingTaskGroup { group in
                group.addTask {
                    let effect = LEDEffect.fade(from: .black, to: Self.orange, over: .seconds(60))
                    try await strip.play(effect, for: .seconds(60))
                }
                try await bench.pass(.seconds(5))
                try await bench.loseLink()
                #expect(!strip.connectionState.isConnected)
                bench.placed.comeBack()
                try await group.waitForAll()
            }
            try await bench.pass(.milliseconds(100))
            #expect(bench.light == LEDLight(Self.orange))
        }
    }

    // MARK: Cancelled tasks

    /// The task waits for the next frame when it is cancelled.
    @Test func aCancelledTaskTakesItsColourBack() throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true)
            let strip = bench.strip
            try await strip.set(.white)
            await withTaskGroup { group in
                group.addTask {
                    let error = await #expect(throws: DeviceError.self) {
                        try await strip.set(Self.orange)
                    }
                    #expect(error?.kind == .cancelled)
                }
                try? await bench.pass(.milliseconds(5))
                group.cancelAll()
            }
            try await bench.pass(.seconds(1))
            #expect(bench.logged.compactMap(\.colour) == [.white])
        }
    }

    /// The colour of `show` that the task had replaced comes back.
    @Test func aCancelledTaskGivesBackWhatItReplaced() throws {
        try virtually { air in
            let bench = try await StripBench(in: air, logs: true)
            let strip = bench.strip
            try await strip.set(.white)
            strip.show(Self.orange)
            await withTaskGroup { group in
                group.addTask { try? await strip.set(.black) }
                try? await bench.pass(.milliseconds(5))
                group.cancelAll()
            }
            try await bench.pass(.seconds(1))
            #expect(bench.logged.compactMap(\.colour) == [.white, Self.orange])
        }
    }

    // MARK: The status

    /// The services are discovered anew when the status is requested. With lights, requests are
    /// outdated that others wait behind.
    @Test(arguments: [false, true])
    func theStatusSurvivesChangedServices(withLights: Bool) throws {
        for step in 0..<20 {
            try virtually { air in
                let bench = try await StripBench(in: air)
                let strip = bench.strip
                let begun = air.time.now()
                try await withThrowingTaskGroup { group in
                    for number in 0..<40 {
                        group.addTask {
                            try await bench.pass(.milliseconds(number * 9))
                            if withLights { strip.show(Self.orange) }
                            #expect(try await strip.state().isOn == true)
                        }
                    }
                    try await bench.pass(.milliseconds(step * 10))
                    bench.placed.modify { $0.changeServices() }
                    try await group.waitForAll()
                }
                let took = air.time.now().duration(since: begun)
                #expect(took < .seconds(4), "step \(step)")
                #expect(bench.strip.connectionState.isConnected)
            }
        }
    }

    /// The status characteristic is gone after a change.
    @Test func aStatusThatIsNoLongerThereSaysSo() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            bench.placed.modify {
                $0.hasStatus = false
                $0.changeServices()
            }
            try await bench.pass(.milliseconds(20))
            let error = await #expect(throws: DeviceError.self) {
                _ = try await bench.strip.state()
            }
            #expect(error?.kind == .notSupported)
        }
    }

    /// A loop has requested the status when a command is written: the reply is older than it.
    @Test func theStatusIsNotOlderThanTheLastCommand() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let strip = bench.strip
            try await withThrowingTaskGroup { group in
                for isOn in [false, true, false, true] {
                    group.addTask { _ = try await strip.state() }
                    try await bench.pass(.milliseconds(1))
                    if isOn { try await strip.turnOn() } else { try await strip.turnOff() }
                    #expect(try await strip.state().isOn == isOn)
                }
                try await group.waitForAll()
            }
        }
    }

    /// A reply is late, and older than the command after its request: what waits for a later one
    /// has it at once.
    @Test func anOutdatedReplyIsFollowedByAnother() throws {
        let plan = FaultPlan(rules: [FaultRule(.delay(.seconds(1)), .notification(1))])
        try virtually(faults: plan) { air in
            let bench = try await StripBench(in: air, logs: true)
            let strip = bench.strip
            let begun = air.time.now()
            let isOff = Locked<Duration?>(nil)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    var states = strip.states.makeAsyncIterator()
                    while let state = try await states.next() {
                        let took = air.time.now().duration(since: begun)
                        if state.isOn == false { isOff.withLock { $0 = $0 ?? took } }
                    }
                }
                try await bench.pass(.milliseconds(100))
                try await strip.turnOff()
                try await bench.pass(.seconds(3))
                #expect(isOff.withLock { $0.map { $0 < .seconds(2) } } == true)
                group.cancelAll()
            }
        }
    }

    /// The task that needed another request is gone when the reply to the first one comes.
    @Test func aCancelledTaskNeedsNoRequest() throws {
        let plan = FaultPlan(rules: [FaultRule(.delay(.seconds(1)), .notification(1))])
        try virtually(faults: plan) { air in
            let bench = try await StripBench(in: air, logs: true)
            let strip = bench.strip
            try await withThrowingTaskGroup { group in
                group.addTask { _ = try await strip.state() }
                try await bench.pass(.milliseconds(100))
                try await strip.turnOff()
                await withTaskGroup { later in
                    later.addTask {
                        #expect(await kind { _ = try await strip.state() } == .cancelled)
                    }
                    try? await bench.pass(.milliseconds(100))
                    later.cancelAll()
                }
                let count = bench.logged.count
                try await group.waitForAll()
                try await bench.pass(.seconds(1))
                #expect(bench.logged.count == count)
            }
        }
    }

    /// What is written while the services are discovered again waits for the new ones.
    @Test func writesWaitForChangedServices() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            bench.placed.modify { $0.moveAttributes() }
            try await bench.pass(.milliseconds(200))
            try await bench.strip.set(.white)
            #expect(try await bench.strip.state().light == .colour(.white))
        }
    }

    /// Colours that go on without end do not keep a loop from noticing a remote control.
    @Test func statesComeDuringAnEffect() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let strip = bench.strip
            let isOff = Locked(false)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try? await strip.play(.rainbow(period: .seconds(3)))
                }
                group.addTask {
                    var states = strip.states.makeAsyncIterator()
                    while let state = try await states.next() {
                        if state.isOn == false { isOff.withLock { $0 = true } }
                    }
                }
                try await bench.pass(.seconds(3))
                bench.placed.modify { $0.strip.setPower(isOn: false) }
                try await bench.pass(.seconds(12))
                #expect(isOff.withLock { $0 })
                group.cancelAll()
            }
        }
    }

    /// A second loop gets the state, and the first one does not get it again.
    @Test func eachLoopReceivesAStateOnce() throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let counts = Locked([0, 0])
            try await withThrowingTaskGroup { group in
                for number in 0..<2 {
                    let strip = bench.strip
                    group.addTask {
                        var states = strip.states.makeAsyncIterator()
                        while try await states.next() != nil {
                            counts.withLock { $0[number] += 1 }
                        }
                    }
                    try await bench.pass(.seconds(2))
                }
                #expect(counts.withLock { $0 } == [1, 1])
                group.cancelAll()
            }
        }
    }

    /// Without an interval, a first reply that is lost is requested again all the same.
    @Test func aLostFirstReplyIsRequestedAgain() throws {
        let plan = FaultPlan(rules: [FaultRule(.loss, .notification(1))])
        try virtually(faults: plan) { air in
            var options = LEDStripOptions()
            options.statusInterval = nil
            let bench = try await StripBench(in: air, logs: true, options: options)
            let begun = air.time.now()
            var states = bench.strip.states.makeAsyncIterator()
            #expect(try await states.next()?.isOn == true)
            // Five seconds for the reply, and ten until the next request.
            let took = air.time.now().duration(since: begun)
            #expect((.seconds(15) ... .seconds(16)).contains(took), "\(took)")
            let count = bench.logged.count
            try await bench.pass(.seconds(60))
            #expect(bench.logged.count == count)
        }
    }

    // MARK: Restoring

    @Test(arguments: [false, true])
    func restoresWhatAStateReports(isOn: Bool) throws {
        try virtually { air in
            let bench = try await StripBench(in: air)
            let strip = bench.strip
            let lights: [(LEDStrip) async throws -> Void] = [
                { try await $0.set(Self.orange) },
                { try await $0.setWhite(brightness: 0.3) },
                { try await $0.start(.blueStrobe, speed: 7) },
            ]
            for light in lights {
                try await light(strip)
                if isOn { try await strip.turnOn() } else { try await strip.turnOff() }
                let before = try await strip.state()
                try await strip.turnOn()
                try await strip.set(.white)
                try await strip.restore(before)
                let after = try await strip.state()
                #expect(after.isOn == isOn && after.light == before.light)
            }
        }
    }

    @Test func theFastestSpeedIsOne() async throws {
        let bench = try await StripBench()
        try await bench.strip.start(.redFade, speed: 0)
        #expect(try await bench.strip.state().light == .animation(.redFade, speed: 1))
    }
}
