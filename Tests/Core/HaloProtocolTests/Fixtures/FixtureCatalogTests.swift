import Foundation
import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

/// The catalogues agree with the folders of sources and fixtures.
@Suite(.computes) struct FixtureCatalogTests {
    @Test func everyCommandHasItsFixture() {
        expectFiles("Commands", CommandCatalog.entries.map(\.name.description))
        for entry in CommandCatalog.entries {
            let name = entry.name.description
            guard let file = FixtureFile.all(in: "Commands").first(where: { $0.name == name })
            else { continue }
            let readings = FixtureReadings(file)
            for direction in Direction.allCases {
                guard let form = entry.form(direction) else { continue }
                expect(form.name, direction, readings)
            }
            if entry.hasManyFrames && readings.joined.isEmpty {
                Issue.record(
                    "The fixture has no whole reply of many frames.",
                    sourceLocation: file.location(line: 1))
            }
        }
    }

    @Test func everyRecordHasItsFixture() {
        let files = FixtureFile.all(in: "BigData")
        expectFiles("BigData", BigDataCatalog.entries.map(\.name.description))
        for entry in BigDataCatalog.entries {
            let name = entry.name.description
            guard let file = files.first(where: { $0.name == name }) else { continue }
            for direction in Direction.allCases {
                guard let form = entry.form(direction) else { continue }
                expect(form.name, direction, FixtureReadings(file))
            }
        }
    }

    @Test func everyCharacteristicHasItsFixture() {
        let files = FixtureFile.all(in: "Characteristics")
        let entries = CharacteristicCatalog.entries
        #expect(
            Set(files.map(\.name)) == Set(entries.map { $0.uuid.description.lowercased() }))
        for file in files {
            for packet in FixturePacket.all(of: file) {
                let isOurs = packet.channel == .characteristic(file.uuid)
                #expect(isOurs, sourceLocation: packet.location)
            }
        }
    }

    /// A packet with the evidence "captured" is in a capture.
    @Test func everyCaptureIsThere() {
        let captured =
            CommandCatalog.entries.map { ("Commands", $0.name.description, $0.facts.evidence) }
            + BigDataCatalog.entries.map { ("BigData", $0.name.description, $0.facts.evidence) }
        for (folder, name, evidence) in captured where evidence == .captured {
            let file = FixtureFile.all(in: folder).first { $0.name == name }
            let isThere = file.map(Self.holdsCapture) ?? false
            if isThere || Self.notPublished.contains(name) { continue }
            Issue.record(
                """
                The evidence of \(name) is .captured, and no packet of \
                Fixtures/\(folder)/\(name).halo is from a capture.
                """)
        }
    }

    /// The packets known from captures that are described but not available.
    private static let notPublished = ["BloodPressureData", "Camera"]

    private static func holdsCapture(_ file: FixtureFile) -> Bool {
        var source = "made by hand"
        for line in file.capture.lines {
            if case .comment(let text) = line, text.tag == "from" {
                source = text.tagged ?? source
            }
            if case .packet = line, source != "made by hand" { return true }
        }
        return false
    }

    @Test func everySourceIsListed() throws {
        let list = try String(
            contentsOf: FixtureFile.root.appending(path: "SOURCES.md"), encoding: .utf8)
        for file in FixtureTests.all {
            for (index, line) in file.capture.lines.enumerated() {
                guard case .comment(let text) = line, text.tag == "source",
                    let name = text.tagged?.split(separator: " ").first, name != "made"
                else { continue }
                if list.contains("`\(name)`") { continue }
                Issue.record(
                    "Fixtures/SOURCES.md does not list \(name).",
                    sourceLocation: file.location(line: index + 1))
            }
        }
    }

    /// The catalogue, the declarations in the folder of sources with the rows of raw commands and
    /// records, and the fixtures agree.
    private func expectFiles(_ folder: String, _ names: [String]) {
        let listed = Set(names)
        let fixtures = Set(FixtureFile.all(in: folder).map(\.name))
        let path = "Sources/Core/HaloProtocol/Ring/\(folder)/"
        let catalog = folder == "Commands" ? "CommandCatalog.swift" : "BigDataCatalog.swift"
        let sources = Set(
            TidySource.all.filter { $0.path.hasPrefix(path) }.flatMap(\.namespaces)
                + (folder == "Commands"
                ? RawCommand.rows + DangerousRawCommand.rows
                : RawRecord.rows + DangerousFirmwareUpdate.rows)
                .map(\.name.description))
        for name in listed.union(fixtures).union(sources).sorted() {
            if !sources.contains(name) { Issue.record("No file in \(path) declares \(name).") }
            if !listed.contains(name) {
                Issue.record("\(name) has no entry in \(catalog).")
            }
            if !fixtures.contains(name) {
                Issue.record("There is no fixture Fixtures/\(folder)/\(name).halo.")
            }
        }
    }

    /// The file has a packet of the type in its direction.
    private func expect(
        _ name: PacketName, _ direction: Direction, _ readings: FixtureReadings
    ) {
        for (packet, verdict) in zip(readings.packets, readings.verdicts) {
            guard packet.direction == direction, case .reads(let readings) = verdict else {
                continue
            }
            if readings.first?.hasPrefix("\(name)(") == true { return }
        }
        let place = readings.file.location(line: 1)
        Issue.record("The fixture has no packet \(name).", sourceLocation: place)
    }
}

extension FixtureFile {
    /// The characteristic in the name of the file.
    fileprivate var uuid: BluetoothUUID {
        (try? BluetoothUUID(parsing: name)) ?? BluetoothUUID(0)
    }
}

extension TidySource {
    /// The commands and records that the file declares.
    fileprivate var namespaces: [String] {
        code.indices.filter { code[$0].hasPrefix("public enum ") }.compactMap { index in
            let header = code[index...].prefix { $0 != "{" }.prefix(3).joined(separator: " ")
            let words = header.prefix { $0 != "{" }.split { !$0.isLetter && !$0.isNumber }
            let isNamespace = words.dropFirst(3).contains { $0.hasSuffix("Command") }
            return isNamespace ? String(words[2]) : nil
        }
    }
}
