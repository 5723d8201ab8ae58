import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// The order in which a state is restored, and the light that is remembered after an error.
@Suite(.passesTime) struct LEDStripFailureTests {
    private static let orange = LEDColour(red: 255, green: 128)

    /// A command in a word.
    private static func word(_ bytes: [UInt8]) -> String {
        if let command = try? LEDStripCommand.Switch(decoding: bytes) {
            return command.power == .on ? "on" : "off"
        }
        if let command = try? LEDStripCommand.Colour(decoding: bytes) {
            return command.bytes == LEDStripCommand.Colour(white: command.white).bytes
                && command.white > 0 ? "white" : "colour"
        }
        return (try? LEDStripCommand.Show(decoding: bytes)) != nil ? "animation" : "other"
    }

    /// The brightness has steps of a thousandth.
    @Test(
        arguments: [(0.998, 254), (0.9996, 255), (0.5, 128), (2, 255), (.nan, 0), (-1, 0)]
            as [(Double, UInt8)])
    func brightnessIsAPart(_ brightness: Double, red: UInt8) {
        #expect(LEDColour(red: 255).dimmed(to: brightness) == LEDColour(red: red))
    }

    // MARK: Restoring

    /// A strip that is off may take no light: it is turned on before, and off after it.
    @Test(
        arguments: [
            (LEDStripCommand.Power.on, LEDStripMode.steady, 0, ["on", "colour"]),
            (.off, .steady, 0, ["colour", "off"]), (.on, .steady, 9, ["on", "white"]),
            (.off, .steady, 9, ["white", "off"]), (.on, .redFade, 0, ["on", "animation"]),
            (.off, .redFade, 0, ["animation", "off"]),
        ] as [(LEDStripCommand.Power, LEDStripMode, UInt8, [String])])
    func powerAndLightAreRestoredInOrder(
        _ power: LEDStripCommand.Power, _ mode: LEDStripMode, white: UInt8, words: [String]
    ) async throws {
        let bench = try await StripBench(logs: true)
        let status = LEDStripStatus(
            power: power, mode: mode, speed: 3, red: white > 0 ? 0 : 7, white: white)
        try await bench.strip.restore(LEDStripState(status))
        _ = try await bench.strip.state()
        #expect(bench.logged.dropLast().map { Self.word($0.bytes) } == words)
    }

    @Test(arguments: [(0x23, ["on"]), (0x24, ["off"]), (0x99, [])] as [(UInt8, [String])])
    func ofAnUnknownModeOnlyThePowerIsRestored(_ power: UInt8, words: [String]) async throws {
        let bench = try await StripBench(logs: true)
        var status = LEDStripStatus(power: .on)
        status.power = Reported(rawValue: power)
        status.mode = Reported(rawValue: 0x01)
        let state = LEDStripState(status)
        #expect(state.light == .unknown(mode: 1, speed: 0))
        let error = await #expect(throws: DeviceError.self) {
            try await bench.strip.restore(state)
        }
        #expect(error?.kind == .notSupported)
        #expect(error?.command == LEDStripCommand.Show.name.subject)
        _ = try await bench.strip.state()
        #expect(bench.logged.dropLast().map { Self.word($0.bytes) } == words)
    }

    // MARK: Writes that fail

    /// A link whose writes fail on demand, without a response of the device.
    private final class FailingDriver: ForwardingDriver {
        let base: any LinkDriver
        private let failure: @Sendable ([UInt8]) -> BLEError?

        init(_ base: any LinkDriver, _ failure: @escaping @Sendable ([UInt8]) -> BLEError?) {
            self.base = base
            self.failure = failure
        }

        func write(
            _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
            _ completion: @escaping BLECompletion<Void>
        ) {
            if let error = failure(value) { return completion(.failure(error)) }
            base.write(value, to: attribute, mode, completion)
        }
    }

    /// Virtual Bluetooth whose links fail to write on demand.
    private struct FailingTransport: ForwardingTransport {
        let base: VirtualBluetooth
        let failure: @Sendable ([UInt8]) -> BLEError?

        func openLink(
            to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
            completion: @escaping BLECompletion<any LinkDriver>
        ) -> BLECancellable {
            base.openLink(to: identity, events: events) { [failure] result in
                completion(result.map { FailingDriver($0, failure) })
            }
        }
    }

    /// A strip, the colours that it has received, and a switch that makes writes of orange fail.
    private struct Bench {
        let air: VirtualBluetooth
        let placed: Placed<OddStrip>
        let strip: LEDStrip
        let fails = Locked(false)
        let failed = Locked(0)

        init(in air: VirtualBluetooth) async throws {
            self.air = air
            var odd = OddStrip()
            odd.logs = true
            placed = air.add(odd)
            let transport = FailingTransport(base: air) { [fails, failed] bytes in
                let command = try? LEDStripCommand.Colour(decoding: bytes)
                guard command?.green == 128, fails.withLock({ $0 }) else { return nil }
                failed.withLock { $0 += 1 }
                return BLEError(.backend, .write)
            }
            strip = try await LEDStrip.connect(to: placed.identity, over: transport)
        }

        var colours: [LEDColour] { (placed.state?.written ?? []).compactMap(\.colour) }

        func pass(_ duration: Duration) async throws { try await air.clock.sleep(for: duration) }

        /// Loses the link, and waits for the next one and what is written to it.
        func reconnect() async throws {
            placed.moveAway()
            try await pass(.seconds(15))
            #expect(!strip.connectionState.isConnected)
            placed.comeBack()
            try await strip.waitUntilConnected()
            try await pass(.seconds(1))
        }
    }

    /// The light that the strip may not have received is the last one that was written.
    @Test(arguments: [false, true])
    func aLightThatCouldNotBeWrittenIsForgotten(byTask: Bool) throws {
        try virtually { air in
            let bench = try await Bench(in: air)
            bench.strip.show(.white)
            try await bench.pass(.seconds(1))
            #expect(bench.colours == [.white])
            bench.fails.withLock { $0 = true }
            if byTask {
                let error = await #expect(throws: DeviceError.self) {
                    try await bench.strip.set(Self.orange)
                }
                #expect(error?.kind == .bluetooth)
                #expect(error?.command == LEDStripCommand.Colour.name.subject)
            } else {
                bench.strip.show(Self.orange)
            }
            try await bench.pass(.seconds(5))
            // The colour of `show` is tried three times again.
            #expect(bench.failed.withLock { $0 } == (byTask ? 1 : 4))
            bench.fails.withLock { $0 = false }
            try await bench.reconnect()
            #expect(bench.colours == [.white, .white])
        }
    }

    /// A write that fails for a reason that may pass is written again a second later, so that a
    /// daemon that is busy for a moment does not use up all attempts.
    @Test func aWriteThatFailsForAMomentIsWrittenASecondLater() throws {
        try virtually { air in
            let bench = try await Bench(in: air)
            bench.fails.withLock { $0 = true }
            bench.strip.show(Self.orange)
            for count in 1...3 {
                try await bench.pass(.milliseconds(count == 1 ? 500 : 1000))
                #expect(bench.failed.withLock { $0 } == count)
            }
            bench.fails.withLock { $0 = false }
            try await bench.pass(.seconds(1))
            #expect(bench.colours == [Self.orange])
        }
    }

    /// `follow` ends also if the last colour is given up.
    @Test func followingEndsThoughTheLastColourIsRefused() throws {
        try virtually { air in
            let bench = try await Bench(in: air)
            bench.fails.withLock { $0 = true }
            let (colours, source) = AsyncStream<LEDColour>.makeStream()
            source.yield(Self.orange)
            source.finish()
            await #expect(throws: DeviceError.self) { try await bench.strip.follow(colours) }
            #expect(bench.colours.isEmpty)
            try await bench.strip.set(.white)
            #expect(try await bench.strip.state().light == .colour(.white))
        }
    }

    /// A task whose write fails leaves the colour of `show` that comes after it.
    @Test func aFailedTaskDoesNotTakeLaterColoursWithIt() throws {
        try virtually { air in
            let bench = try await Bench(in: air)
            bench.fails.withLock { $0 = true }
            let strip = bench.strip
            await #expect(throws: DeviceError.self) { try await strip.set(Self.orange) }
            strip.show(.white)
            try await bench.pass(.seconds(1))
            #expect(bench.colours == [.white])
        }
    }

    /// Fading does not begin with a made-up colour if the status is lost with the link.
    @Test func fadingEndsWithTheLinkOfItsFirstColour() throws {
        try virtually { air in
            let bench = try await Bench(in: air)
            bench.placed.moveAway()
            try await bench.pass(.seconds(15))
            let error = await #expect(throws: DeviceError.self) {
                try await bench.strip.fade(to: .white, over: .seconds(1))
            }
            #expect(error?.kind == .disconnected)
            #expect(bench.colours.isEmpty)
        }
    }
}
