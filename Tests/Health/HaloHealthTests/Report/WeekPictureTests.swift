import HaloDevices
import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import HaloHealth

/// The picture of a week that README.md shows.
@Suite(.passesTime) struct WeekPictureTests {
    /// The week of a virtual ring that an app has read each evening: a ring keeps most kinds for a
    /// few days only. The wearer is that of `halo demo`.
    private static func week() async throws -> RingHistory {
        var week = RingHistory(today: VirtualBluetooth.defaultStart.date)
        for day in 1...7 {
            let evening = VirtualBluetooth.defaultStart
                .advanced(bySeconds: ((day - 1) * 24 + 11) * 3600 + 50 * 60)
            let air = VirtualBluetooth(seed: 3, startingAt: evening)
            air.add(VirtualRing(.r10, wearer: Wearer(seed: 3, restingHeartRate: 54), days: day))
            let ring = try await Ring.connect(over: air)
            week.merge(try await ring.history(days: day))
            await ring.disconnect()
        }
        return week
    }

    private static func read(_ history: RingHistory, ring: String) throws -> MarkupReader {
        let picture = try #require(WeekPicture(HealthReport(history, ring: ring)))
        return try MarkupReader(Array("<!DOCTYPE html>\n".utf8) + picture.svg().bytes)
    }

    @Test func isRecorded() async throws {
        let report = HealthReport(try await Self.week(), ring: "Virtual R10")
        let picture = try #require(WeekPicture(report)).svg()
        try GoldenText("week.svg", in: "Documentation/Pictures")
            .expect(String(decoding: picture.bytes, as: UTF8.self))
    }

    /// Whoever shows the picture loads nothing else for it, and runs nothing.
    @Test func needsNothingElse() throws {
        let picture = try Self.read(MadeHistory.full(days: 40), ring: "http://example.org/x.svg")
        #expect(
            Set(picture.elements.map(\.name)) == [
                "svg", "title", "desc", "style", "rect", "g", "text", "tspan", "path",
            ])
        let style = try #require(picture.all("style").first?.text)
        #expect(!style.contains("url(") && !style.contains("@import") && !style.contains("http"))
        #expect(style.contains("(prefers-color-scheme:dark)"))
        let classes = Set(picture.elements.compactMap { $0.attributes["class"] })
            .flatMap { $0.split(separator: " ") }
        #expect(classes.filter { !style.contains(".\($0)") } == [])
    }

    /// The latest seven days, without kinds that the ring does not measure.
    @Test func showsWhatThereIs() throws {
        var history = MadeHistory.full(days: 40)
        history[.temperature] = []
        let picture = try Self.read(
            history, ring: "<b>\u{1B}" + String(repeating: "x", count: 10_000))
        #expect(picture.text.contains("9–15 March 2026"))
        #expect(
            picture.all("text", "k").map(\.text) == [
                "Sleep", "Heart rate", "Steps", "Blood oxygen", "Stress",
            ])
        #expect(picture.text.contains("<b>\u{FFFD}" + String(repeating: "x", count: 26) + "\n"))
        let empty = HealthReport(RingHistory(today: MadeHistory.today))
        #expect(WeekPicture(empty) == nil)
    }
}
