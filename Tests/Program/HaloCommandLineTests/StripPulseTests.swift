import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The light of a strip that pulses, with a heart that reports what a test wants.
@Suite(.passesTime) struct StripPulseTests {
    /// A device with a heart.
    private struct Heart: ConnectedDevice {
        let name = "heart"
        let measuring:
            @Sendable (
                _ report: @Sendable (LiveReading.Content) -> Void
            ) async throws(DeviceError) -> Void

        func show(_ console: inout Console) async throws(Failure) -> halo.ExitStatus {
            .success
        }

        func measure(
            _ kind: LiveKind, _ report: @escaping @Sendable (LiveReading) -> Void
        ) async throws(DeviceError) {
            try await measuring { report(LiveReading($0)) }
        }

        func use(
            for duration: Duration, days: Int, _ console: inout Console
        ) async throws(DeviceError) {}

        func disconnect() async {}
    }

    /// Runs a pulse on a strip that plays an animation; returns the strip in the end.
    private static func pulse(
        isOn: Bool, duration: Duration? = nil, in air: VirtualBluetooth,
        _ measuring:
            @escaping @Sendable (
                _ light: @Sendable () -> LEDLight,
                _ report: @Sendable (LiveReading.Content) -> Void
            ) async throws(DeviceError) -> Void
    ) async throws -> (failure: Failure?, strip: VirtualLEDStrip) {
        let placed = air.add(VirtualLEDStrip())
        let strip = try await LEDStrip.connect(over: air)
        try await strip.start(.blueFade, speed: 7)
        if !isOn { try await strip.turnOff() }
        let heart = Heart { report async throws(DeviceError) in
            try await measuring({ placed.state?.light(at: air.time.now()) ?? .dark }, report)
        }
        // Objects, so that no picture is drawn on a terminal.
        var console = Console()
        console.isJSON = true
        var failure: Failure?
        do throws(Failure) {
            try await StripPulse(strip: strip, heart: heart, duration: duration).run(&console)
        } catch {
            failure = error
        }
        await strip.disconnect()
        return (failure, try #require(placed.state))
    }

    /// The earlier light comes back, also after an error.
    @Test(arguments: [true, false], [true, false])
    func theStripIsAsBefore(isOn: Bool, fails: Bool) async throws {
        let air = VirtualBluetooth(seed: 1)
        let (failure, strip) = try await Self.pulse(isOn: isOn, in: air) {
            (light, report) async throws(DeviceError) in
            report(.value(60, details: nil))
            try? await air.clock.sleep(for: .seconds(3))
            #expect(light() != .dark)
            if fails { throw DeviceError(.silent) }
        }
        #expect((failure != nil) == fails)
        #expect(failure?.message.contains("fell silent") != false)
        #expect(strip.isOn == isOn)
        #expect(strip.mode == .blueFade && strip.speed == 7)
    }

    /// Without a heart the light is dark. What says nothing about the heart changes nothing.
    @Test func theLightFollowsTheReports() async throws {
        let reports: [(LiveReading.Content, isLit: Bool)] = [
            (.warmingUp, false), (.value(60, details: nil), true), (.warmingUp, true),
            (.missed(3), true), (.other("x"), true), (.notWorn, false), (.other("x"), false),
            (.value(200, details: nil), true), (.linkLost, false), (.value(40, details: nil), true),
        ]
        let air = VirtualBluetooth(seed: 1)
        _ = try await Self.pulse(isOn: true, in: air) { light, report in
            for (content, isLit) in reports {
                report(content)
                try? await air.clock.sleep(for: .seconds(2))
                #expect((light() != .dark) == isLit, "\(content)")
            }
        }
    }
}
