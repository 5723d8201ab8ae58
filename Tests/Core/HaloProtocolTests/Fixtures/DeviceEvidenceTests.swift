import Foundation
import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

/// README.md names the evidence that the fixtures have.
@Suite(.computes) struct DeviceEvidenceTests {
    private let readme = TidySource.text(of: "README.md")

    @Test func theCapturedPacketsOfEachDeviceAreThoseOfTheFixtures() throws {
        let devices = try devicesOfSources()
        var packets: [String: Set<CapturePacket>] = [:]
        for file in FixtureFile.folders.filter({ $0 != "Invalid" }).flatMap(FixtureFile.all) {
            var sources: [String] = []
            for line in file.capture.lines {
                if case .comment(let text) = line, text.tag == "from" {
                    sources = (text.tagged ?? "").split(separator: ", ").map(String.init)
                }
                guard case .packet(let packet) = line else { continue }
                for device in sources.compactMap({ devices[$0] }) {
                    packets[device, default: []].insert(
                        try CapturePacket(packet.direction, packet.channel, packet.bytes))
                }
            }
        }
        let counts = packets.mapValues(\.count).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let head = counts.map { " \($0.key) |" }.joined()
        let row = counts.map { " \($0.value) |" }.joined()
        let rows = readme.split(separator: "\n").drop { !$0.hasPrefix("| device |") }
        #expect(rows.first == "| device |\(head) R06, R09, H59, straps, strips |")
        #expect(rows.dropFirst(2).first == "| captured packets |\(row) 0 |")
        for device in ["R06", "R09", "H59"] { #expect(packets[device] == nil) }
    }

    @Test func theConfirmedPacketsAreThoseOfTheCatalogues() {
        let evidence =
            CommandCatalog.entries.map(\.facts.evidence)
            + BigDataCatalog.entries.map(\.facts.evidence)
        let confirmed = evidence.filter { $0 == .captured }.count
        let named = RawCommand.rows.count + RawRecord.rows.count
        let sentences = readme.split(separator: "\n").joined(separator: " ")
        let sentence = sentences.firstMatch(of: /Of \d+ known ring packets[^.]*\./)
        #expect(
            sentence?.0 == """
                Of \(evidence.count) known ring packets, \(confirmed) are confirmed by captures, \
                and \(named) are known by name only.
                """)
    }

    /// The device of each tag in the tables of SOURCES.md; a log of the app has that of its ring.
    private func devicesOfSources() throws -> [String: String] {
        let text = try String(
            contentsOf: FixtureFile.root.appending(path: "SOURCES.md"), encoding: .utf8)
        let rows = text.matches(of: /\| `([^`]+)` \| \d+ \| (?:QRing with an )?([^|]+) \|/)
        #expect(rows.count > 20)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
    }
}
