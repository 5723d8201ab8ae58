import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Effects as functions of the time, and the light that beats.
@Suite(.passesTime) struct LEDEffectTests {
    private var pulse = LEDPulse()

    private static let red = LEDColour(red: 255)
    private static let blue = LEDColour(blue: 255)

    @Test(arguments: [
        (0, "#FF0000"), (1000, "#FFFF00"), (2000, "#00FF00"), (4000, "#0000FF"), (6000, "#FF0000"),
        (7000, "#FFFF00"), (-1000, "#FF0000"),
    ])
    func aRainbowHasAllHues(milliseconds: Int, colour: String) throws {
        let effect = LEDEffect.rainbow(period: .seconds(6))
        let found = effect.colour(.milliseconds(milliseconds))
        #expect(try Self.isNear(found, LEDColour(parsing: colour)), "\(found)")
    }

    /// The last hue of a turn is the last degree, and not the first one again.
    @Test func aRainbowEndsBeforeItBeginsAgain() {
        let effect = LEDEffect.rainbow(period: .seconds(1))
        #expect(effect.colour(.milliseconds(999)) == LEDColour(hueDegrees: 359))
        #expect(effect.colour(.milliseconds(999)) != effect.colour(.zero))
    }

    @Test func effectsHaveAUsualPeriod() {
        let rainbow = LEDEffect.rainbow()
        #expect(rainbow.colour(.milliseconds(9999)) == LEDColour(hueDegrees: 359))
        #expect(rainbow.colour(.seconds(10)) == LEDColour(hueDegrees: 0))
        let breathing = LEDEffect.breathing(Self.red)
        #expect(breathing.colour(.seconds(2)) == Self.red)
        #expect(breathing.colour(.seconds(4)) == .black)
    }

    /// In the moment of a beat the light has its full brightness.
    @Test mutating func aBeatIsFullyBright() {
        pulse.receive(beatsPerMinute: 170, at: .origin)
        #expect(pulse.colour(at: .origin) == Self.red)
        #expect(pulse.colour(at: .origin + .milliseconds(2)) != Self.red)
    }

    @Test(arguments: [
        (Duration.zero, 40), (.milliseconds(-5), 40), (.milliseconds(40), 40),
        (.milliseconds(250), 250), (.seconds(1), 1000), (.seconds(9), 1000),
    ])
    func theFrameIntervalIsLimited(wanted: Duration, milliseconds: Int) {
        var options = LEDStripOptions()
        options.frameInterval = wanted
        #expect(options.limitedFrameInterval == .milliseconds(milliseconds))
    }

    /// `true` for colours that differ by rounding only.
    private static func isNear(_ one: LEDColour, _ other: LEDColour) -> Bool {
        [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)].allSatisfy {
            abs(Int($0) - Int($1)) <= 5
        }
    }

    @Test(arguments: [
        (0, "#000000"), (500, "#800000"), (1000, "#FF0000"), (1500, "#800000"), (2000, "#000000"),
    ])
    func breathingComesAndGoes(milliseconds: Int, colour: String) {
        let effect = LEDEffect.breathing(Self.red, period: .seconds(2))
        #expect(effect.colour(.milliseconds(milliseconds)).description == colour)
    }

    @Test(arguments: [
        (-1000, "#FF0000"), (0, "#FF0000"), (500, "#800080"), (1000, "#0000FF"), (9000, "#0000FF"),
    ])
    func aFadeStaysAtItsEnd(milliseconds: Int, colour: String) {
        let effect = LEDEffect.fade(from: Self.red, to: Self.blue, over: .seconds(1))
        #expect(effect.colour(.milliseconds(milliseconds)).description == colour)
    }

    @Test(arguments: [
        Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1),
    ])
    func everyPeriodAndEveryTimeHasAColour(period: Duration) {
        let effects: [LEDEffect] = [
            .rainbow(period: period), .breathing(Self.red, period: period),
            .fade(from: Self.red, to: Self.blue, over: period),
        ]
        for effect in effects {
            for time in [period, .zero, .seconds(1), .seconds(-5), .seconds(Int64.max)] {
                let colour = effect.colour(time)
                #expect(colour.green == 0 || colour.red == 0 || colour.blue == 0)
            }
        }
    }

    @Test func anEffectEndsWithItsLastColour() async throws {
        let bench = try await StripBench(logs: true)
        let begun = bench.air.time.now()
        try await bench.strip.play(
            .fade(from: Self.red, to: Self.blue, over: .seconds(9)), for: .seconds(3))
        #expect(bench.air.time.now().duration(since: begun) < .milliseconds(3200))
        try await bench.pass(.milliseconds(100))
        let third = LEDColour(red: 170, blue: 85)
        #expect(bench.logged.last?.colour == third)
        #expect((70...78).contains(bench.logged.count))
        try await bench.strip.play(LEDEffect { _ in .white }, for: .zero)
        #expect(try await bench.strip.state().light == .colour(.white))
    }

    // MARK: The light that beats

    private static func moment(_ milliseconds: Int) -> Moment {
        .origin + .milliseconds(milliseconds)
    }

    @Test mutating func isDarkWithoutAHeartRate() {
        #expect(pulse.colour(at: Self.moment(500)) == .black)
        pulse.receive(beatsPerMinute: 60, at: .origin)
        #expect(pulse.colour(at: Self.moment(500)) != .black)
        for rate in [0, -7, Int.min] {
            pulse.receive(beatsPerMinute: rate, at: Self.moment(600))
            #expect(pulse.colour(at: Self.moment(1500)) == .black)
        }
    }

    /// Sixty beats a minute: one flash a second, which only fades until the next.
    @Test(arguments: [60, 72, 180])
    mutating func flashesOncePerBeat(rate: Int) {
        pulse.receive(beatsPerMinute: rate, at: .origin)
        var flashes = 0
        var last = 0
        for milliseconds in stride(from: 0, to: 60_000, by: 5) {
            let colour = pulse.colour(at: Self.moment(milliseconds))
            let brightness = Int(max(colour.red, colour.green, colour.blue))
            #expect(brightness >= 20)
            if brightness > last {
                flashes += 1
                #expect(brightness >= 240, "at \(milliseconds) ms")
            }
            last = brightness
        }
        #expect(flashes == rate)
    }

    @Test(arguments: [(30, 240), (50, 240), (110, 120), (170, 0), (300, 0), (Int.max, 0)])
    mutating func isTheWarmerTheFasterTheHeart(rate: Int, hue: Int) {
        pulse.receive(beatsPerMinute: rate, at: .origin)
        #expect(pulse.colour(at: .origin) == LEDColour(hueDegrees: hue))
    }

    /// From one beat a minute to three hundred; faster hearts beat as fast as those.
    @Test func beatsAtAnyRate() {
        func colour(_ rate: Int, _ milliseconds: Int) -> LEDColour {
            var pulse = LEDPulse()
            pulse.receive(beatsPerMinute: rate, at: .origin)
            return pulse.colour(at: Self.moment(milliseconds))
        }
        #expect(colour(1, 30_000) != .black)
        for milliseconds in stride(from: 50, to: 6_000, by: 50) {
            #expect(colour(1000, milliseconds) == colour(300, milliseconds))
        }
        #expect(
            colour(1000, 5_900) != colour(301, 5_900) || colour(299, 5_900) != colour(300, 5_900))
    }

    /// The brightness falls with the square of the time, to a twelfth and no further.
    @Test(arguments: [(0, 255), (300, 157), (600, 87), (900, 44), (1199, 31), (1200, 255)])
    mutating func theFlashFades(milliseconds: Int, blue: UInt8) {
        pulse.receive(beatsPerMinute: 50, at: .origin)
        #expect(pulse.colour(at: Self.moment(milliseconds)) == LEDColour(blue: blue))
    }

    /// A new rate changes the speed, and does not begin a beat.
    @Test mutating func aNewRateContinuesTheRhythm() {
        pulse.receive(beatsPerMinute: 60, at: .origin)
        let before = pulse.colour(at: Self.moment(700))
        pulse.receive(beatsPerMinute: 60, at: Self.moment(700))
        #expect(pulse.colour(at: Self.moment(700)) == before)
        // Three tenths of a beat are left: 150 ms at twice the rate.
        pulse.receive(beatsPerMinute: 120, at: Self.moment(700))
        let late = pulse.colour(at: Self.moment(845))
        let flash = pulse.colour(at: Self.moment(855))
        func brightness(_ colour: LEDColour) -> UInt8 {
            max(colour.red, colour.green, colour.blue)
        }
        #expect(brightness(late) < 40)
        #expect(brightness(flash) > 240)
        // A clock that goes backwards changes nothing.
        #expect(pulse.colour(at: .origin) == pulse.colour(at: Self.moment(700)))
        pulse.receive(beatsPerMinute: 120, at: .distantFuture)
        #expect(pulse.colour(at: .distantFuture) != .black)
    }

    @Test func aStripBeatsWithTheHeartRatesOfASequence() async throws {
        let bench = try await StripBench(logs: true)
        let (rates, source) = AsyncStream<Int>.makeStream()
        source.yield(60)
        let strip = bench.strip
        let beating = Task { try await strip.pulse(with: rates) }
        try await bench.pass(.seconds(10))
        let colours = bench.logged.compactMap(\.colour)
        #expect((200...260).contains(colours.count), "\(colours.count)")
        let flashes = zip(colours, colours.dropFirst()).count {
            max($1.green, $1.blue) > max($0.green, $0.blue)
        }
        #expect((9...11).contains(flashes), "\(flashes)")
        source.finish()
        try await beating.value
        let count = bench.logged.count
        try await bench.pass(.seconds(5))
        #expect(bench.logged.count <= count + 1)
    }

    @Test func aFaultOfTheHeartRatesEndsTheBeat() async throws {
        struct Fault: Error {}
        let bench = try await StripBench()
        let rates = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Fault()) }
        await #expect(throws: Fault.self) { try await bench.strip.pulse(with: rates) }
        await bench.strip.disconnect()
        let endless = AsyncStream<Int> { $0.yield(60) }
        await #expect(throws: DeviceError.self) { try await bench.strip.pulse(with: endless) }
    }
}
