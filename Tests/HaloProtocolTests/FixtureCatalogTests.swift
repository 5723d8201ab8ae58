import Foundation
import HaloCapture
import Testing

@testable import HaloProtocol

/// Compares the catalogues with the folders.
@Suite struct FixtureCatalogTests {
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
            if entry.joiner != nil && readings.joined.isEmpty {
                Issue.record("There is no whole reply.", sourceLocation: file.location(line: 1))
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

    /// What is said to be known from captures is in one.
    @Test func everyCaptureIsThere() {
        let captured =
            CommandCatalog.entries.map { ("Commands", $0.name.description, $0.evidence) }
            + BigDataCatalog.entries.map { ("BigData", $0.name.description, $0.evidence) }
        for (folder, name, evidence) in captured where evidence == .captured {
            let file = FixtureFile.all(in: folder).first { $0.name == name }
            let isThere = file.map(Self.holdsCapture) ?? false
            #expect(isThere || Self.notPublished.contains(name), "\(name) has no capture.")
        }
    }

    /// Known from captures that are described, and not to be had.
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
                    "SOURCES.md does not list it.", sourceLocation: file.location(line: index + 1))
            }
        }
    }

    /// What the catalogue lists, what the folder of sources holds and what has fixtures agree.
    private func expectFiles(_ folder: String, _ names: [String]) {
        let listed = Set(names)
        let fixtures = Set(FixtureFile.all(in: folder).map(\.name))
        let path = "Sources/HaloProtocol/\(folder)/"
        let sources = Set(TidySource.all.filter { $0.path.hasPrefix(path) }.map(\.name))
        for name in listed.union(fixtures).union(sources).sorted() {
            if !sources.contains(name) { Issue.record("\(path)\(name).swift is missing.") }
            if !listed.contains(name) { Issue.record("\(name) is in no catalogue.") }
            if !fixtures.contains(name) {
                Issue.record("Fixtures/\(folder)/\(name).halo is missing.")
            }
        }
    }

    /// A file must show the type, sent in its direction.
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
        Issue.record("There is no \(name).", sourceLocation: place)
    }
}

extension FixtureFile {
    /// The characteristic that the file is named after.
    fileprivate var uuid: BluetoothUUID {
        (try? BluetoothUUID(parsing: name)) ?? BluetoothUUID(0)
    }
}
