import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// What an app does with an LED strip, and what the strip makes of it.
@Suite(.passesTime) struct LEDStripTests {
    private let bench: StripBench
    private var strip: LEDStrip { bench.strip }

    init() async throws { bench = try await StripBench() }

    private static let orange = LEDColour(red: 255, green: 128)

    @Test func theOptionsHaveTheirLimits() {
        var options = LEDStripOptions()
        #expect(options.bufferLimit == 256)
        (options.statusInterval, options.frameInterval) = (.zero, .zero)
        #expect(options.limitedStatusInterval == .milliseconds(200))
        #expect(options.limitedFrameInterval == .milliseconds(40))
        options.frameInterval = .seconds(2)
        #expect(options.limitedFrameInterval == .seconds(1))
    }

    @Test func theFaintestWhiteIsWhite() {
        #expect(LEDStripState(LEDStripStatus(power: .on, white: 1)).light == .white(1))
    }

    @Test func isFoundAmongOtherDevices() async throws {
        let air = VirtualBluetooth(seed: 1)
        air.add(VirtualRing(.r02))
        air.add(VirtualHeartRateSensor())
        let placed = air.add(OddStrip())
        #expect(try await LEDStrip.find(over: air).identity == placed.identity)
    }

    @Test func aStripThatListsNoServiceIsFoundByItsName() async throws {
        let air = VirtualBluetooth(seed: 1)
        var options = VirtualLEDStripOptions()
        options.advertisesService = false
        let placed = air.add(VirtualLEDStrip(options: options))
        let strip = try await LEDStrip.connect(over: air)
        #expect(strip.identity == placed.identity)
    }

    @Test func anotherDeviceIsRefused() async throws {
        let air = VirtualBluetooth(seed: 1)
        let ring = air.add(VirtualRing(.r02))
        let error = await #expect(throws: DeviceError.self) {
            _ = try await LEDStrip.connect(to: ring.identity, over: air)
        }
        #expect(error?.kind == .wrongDevice)
    }

    @Test func commandsChangeTheLight() async throws {
        try await strip.turnOff()
        #expect(try await strip.state().isOn == false)
        #expect(bench.light == .dark)
        try await strip.set(Self.orange)
        #expect(try await strip.state().light == .colour(Self.orange))
        #expect(bench.light == .dark)
        try await strip.turnOn()
        #expect(try await strip.state().isOn == true)
        #expect(bench.light == LEDLight(Self.orange))
        try await strip.setWhite(brightness: 0.2)
        #expect(try await strip.state().light == .white(51))
        #expect(bench.light == LEDLight(white: 51))
        try await strip.start(.redStrobe, speed: 2)
        let state = try await strip.state()
        #expect(state.light == .animation(.redStrobe, speed: 2))
        #expect("\(state)" == "on, red strobe, speed 2")
        let before = bench.state.clock
        try await strip.setClock()
        _ = try await strip.state()
        #expect(before == nil)
        #expect(bench.state.clock == LEDStripClock(bench.air.time.wallClock().local))
    }

    @Test(arguments: [
        (1.0, LEDColour(red: 255, green: 128)), (0.5, LEDColour(red: 128, green: 64)),
        (0, .black), (-1, .black), (.nan, .black), (7, LEDColour(red: 255, green: 128)),
    ])
    func brightnessDarkensTheColour(brightness: Double, colour: LEDColour) async throws {
        try await bench.strip.set(Self.orange, brightness: brightness)
        #expect(try await bench.strip.state().light == .colour(colour))
    }

    @Test func aSteadyLightIsNoAnimation() async throws {
        let error = await #expect(throws: DeviceError.self) {
            try await bench.strip.start(.steady, speed: 1)
        }
        #expect(error?.kind == .notSupported)
        #expect(error?.command == LEDStripCommand.Show.name.subject)
    }

    // MARK: Floods

    /// A thousand colours in a second end at the last one within two intervals.
    @Test func aFloodOfColoursEndsAtTheLast() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        try runDeterministically(step: { air.step() }) {
            let bench = try await StripBench(in: air)
            let before = bench.state.commandCount
            for number in 0..<1000 {
                bench.strip.show(LEDColour(hueDegrees: number))
                try await bench.pass(.milliseconds(1))
            }
            bench.strip.show(Self.orange)
            try await bench.pass(.milliseconds(80))
            #expect(bench.light == LEDLight(Self.orange))
            // Twenty-five a second, and the last one.
            let count = bench.state.commandCount - before
            #expect((25...28).contains(count), "\(count)")
        }
    }

    @Test func coloursAtOnceAreOne() async throws {
        for number in 0..<1000 { bench.strip.show(LEDColour(hueDegrees: number)) }
        bench.strip.show(Self.orange)
        try await bench.pass(.milliseconds(160))
        #expect(bench.light == LEDLight(Self.orange))
        #expect((1...2).contains(bench.state.commandCount))
    }

    @Test func everyTaskThatSetsAColourContinues() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { try await strip.set(LEDColour(hueDegrees: number)) }
            }
            try await group.waitForAll()
        }
        #expect(bench.state.commandCount < 50)
        try await strip.set(Self.orange)
        #expect(try await strip.state().light == .colour(Self.orange))
    }

    /// The power is not lost between colours.
    @Test func colourAndPowerDoNotReplaceEachOther() async throws {
        async let first: Void = strip.set(.white)
        async let off: Void = strip.turnOff()
        async let second: Void = strip.set(Self.orange)
        _ = try await (first, off, second)
        let state = try await strip.state()
        #expect(state.isOn == false)
        #expect(state.light != .colour(LEDColour(red: 255)))
    }

    // MARK: Sequences

    @Test func followsASequenceToItsEnd() async throws {
        let bench = try await StripBench(responds: true)
        let (colours, source) = AsyncStream<LEDColour>.makeStream()
        for number in 0..<100 { source.yield(LEDColour(hueDegrees: number)) }
        source.yield(Self.orange)
        source.finish()
        try await bench.strip.follow(colours)
        #expect(bench.light == LEDLight(Self.orange))
        #expect(bench.state.commandCount < 10)
    }

    @Test func passesTheErrorOfASequenceOn() async throws {
        struct Fault: Error {}
        let colours = AsyncThrowingStream<LEDColour, any Error> { source in
            source.yield(Self.orange)
            source.finish(throwing: Fault())
        }
        await #expect(throws: Fault.self) { try await bench.strip.follow(colours) }
        #expect(try await bench.strip.state().light == .colour(Self.orange))
    }

    @Test func fadesInSmallSteps() async throws {
        let bench = try await StripBench(logs: true)
        try await bench.strip.set(LEDColour(red: 250))
        let begun = bench.air.time.now()
        try await bench.strip.fade(to: LEDColour(blue: 250), over: .seconds(2))
        let took = bench.air.time.now().duration(since: begun)
        #expect((.seconds(2) ... .milliseconds(2200)).contains(took))
        try await bench.pass(.milliseconds(100))
        let colours = bench.logged.compactMap(\.colour)
        #expect((45...53).contains(colours.count), "\(colours.count)")
        #expect(colours.last == LEDColour(blue: 250))
        for (one, next) in zip(colours, colours.dropFirst()) {
            #expect(next.red <= one.red && next.blue >= one.blue)
            #expect(one.red - next.red < 20)
        }
        // On the air, one may be late by a connection interval.
        let moments = bench.logged.map(\.moment)
        for (one, next) in zip(moments, moments.dropFirst(25)) {
            #expect(next.duration(since: one) >= .milliseconds(940), "\(one)")
        }
    }

    @Test func playsAnEffectUntilItIsCancelled() async throws {
        let playing = Task { try await strip.play(.rainbow(period: .seconds(1))) }
        while bench.state.commandCount < 30 { try await bench.pass(.milliseconds(100)) }
        playing.cancel()
        await #expect(throws: DeviceError.self) { try await playing.value }
        let count = bench.state.commandCount
        try await bench.pass(.seconds(2))
        #expect(bench.state.commandCount <= count + 1)
        try await strip.set(.black)
    }

    // MARK: Status

    @Test func statesAreTheFirstOneAndEachChange() async throws {
        var states = bench.strip.states.makeAsyncIterator()
        #expect(try await states.next()?.light == .colour(LEDColour(red: 255)))
        try await bench.strip.set(Self.orange)
        let set = bench.air.time.now()
        #expect(try await states.next()?.light == .colour(Self.orange))
        // A command is followed by a request for the status, soon.
        #expect(bench.air.time.now().duration(since: set) < .seconds(1))
        // The same again is no change.
        try await bench.strip.set(Self.orange)
        let begun = bench.air.time.now()
        bench.placed.modify { $0.strip.setPower(isOn: false) }
        #expect(try await states.next()?.isOn == false)
        let waited = bench.air.time.now().duration(since: begun)
        #expect(waited <= .milliseconds(10_500), "the remote control is noticed at the next poll")
        await bench.strip.disconnect()
        #expect(try await states.next() == nil)
    }

    @Test func asksNothingWithoutALoop() async throws {
        let bench = try await StripBench(logs: true)
        try await bench.strip.set(Self.orange)
        try await bench.pass(.seconds(60))
        #expect(bench.logged.count == 1)
    }

    @Test func aStripThatDoesNotReplyTimesOut() async throws {
        let bench = try await StripBench(isSilent: true)
        let begun = bench.air.time.now()
        let strip = bench.strip
        let other = Task { try await strip.state() }
        let error = await #expect(throws: DeviceError.self) {
            _ = try await bench.strip.state()
        }
        #expect(error?.kind == .timedOut)
        let waited = bench.air.time.now().duration(since: begun)
        #expect((.seconds(5) ... .seconds(6)).contains(waited))
        await #expect(throws: DeviceError.self) { _ = try await other.value }
        // It still takes colours.
        try await bench.strip.set(Self.orange)
    }

    @Test func aStripWithoutAStatusSaysSo() async throws {
        let bench = try await StripBench(hasStatus: false)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await bench.strip.state()
        }
        #expect(error?.kind == .notSupported)
        var states = bench.strip.states.makeAsyncIterator()
        let ended = await #expect(throws: DeviceError.self) { _ = try await states.next() }
        #expect(ended?.kind == .notSupported)
        try await bench.strip.fade(to: Self.orange, over: .milliseconds(100))
        try await bench.pass(.milliseconds(100))
        #expect(bench.light == LEDLight(Self.orange))
    }

    // MARK: Links

    @Test func aLostLinkEndsRequestsAndKeepsTheLastColour() async throws {
        try await bench.loseLink()
        let error = await #expect(throws: DeviceError.self) { try await strip.set(.white) }
        #expect(error?.kind == .disconnected)
        #expect(error?.command == LEDStripCommand.Colour.name.subject)
        strip.show(.white)
        strip.show(Self.orange)
        try await bench.reconnect()
        try await bench.pass(.milliseconds(200))
        #expect(bench.light == LEDLight(Self.orange))
    }

    @Test func aStripThatIsClosedFollowsNothing() async throws {
        await bench.strip.disconnect()
        bench.strip.show(.white)
        let colours = AsyncStream<LEDColour> { $0.yield(.white) }
        let error = await #expect(throws: DeviceError.self) {
            try await bench.strip.follow(colours)
        }
        #expect(error?.kind == .disconnected)
    }

    @Test func statesContinueOnTheNextLink() async throws {
        var states = bench.strip.states.makeAsyncIterator()
        _ = try await states.next()
        try await bench.loseLink()
        bench.placed.modify { $0.strip.setPower(isOn: false) }
        bench.placed.comeBack()
        #expect(try await states.next()?.isOn == false)
    }
}
