import HaloCapture
import TestSupport
import Testing

@testable import HaloProtocol

@Suite(.computes) struct FixtureTests {
    static let all = FixtureFile.folders.flatMap(FixtureFile.all)
    static let sound = all.filter { $0.folder != "Invalid" }

    @Test(arguments: FixtureFile.folders)
    func foldersAreNotEmpty(_ folder: String) {
        #expect(!FixtureFile.all(in: folder).isEmpty)
    }

    @Test(arguments: all)
    func isWrittenAsTheWriterWrites(_ file: FixtureFile) {
        if let error = file.error {
            Issue.record(
                "\(error)", sourceLocation: file.location(line: error.line, column: error.column))
            return
        }
        let ours = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        let written = file.capture.text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in ours.enumerated()
        where index >= written.count || line != written[index] {
            let place = file.location(line: index + 1)
            let other = index < written.count ? String(written[index]) : "nothing"
            Issue.record("The writer writes \(other.debugDescription).", sourceLocation: place)
            break
        }
    }

    @Test(arguments: all)
    func saysWhereItsPacketsComeFrom(_ file: FixtureFile) {
        var sources: Set<String> = []
        var hasSource = false
        for (index, line) in file.capture.lines.enumerated() {
            switch line {
            case .comment(let text) where text.tag == "source":
                let name = (text.tagged ?? "").prefix { $0 != "=" }
                let trimmed = name.last == " " ? name.dropLast() : name
                sources.insert(String(trimmed))
            case .comment(let text) where text.tag == "from":
                let names = (text.tagged ?? "").split(separator: ",").map { name in
                    String(name.drop { $0 == " " })
                }
                for name in names where !sources.contains(name) {
                    Issue.record(
                        "The file has no line \"# source: \(name) = …\".",
                        sourceLocation: file.location(line: index + 1))
                }
                hasSource = !names.isEmpty
            case .packet where !hasSource && sources != ["made by hand"]:
                Issue.record(
                    "The packet has no \"# from:\" before it.",
                    sourceLocation: file.location(line: index + 1))
            default: break
            }
        }
    }

    @Test(arguments: all)
    func readsAsItSays(_ file: FixtureFile) {
        let readings = FixtureReadings(file)
        for (packet, verdict) in zip(readings.packets, readings.verdicts) {
            let says: FixtureReadings.Verdict =
                packet.error.map { .fails($0) } ?? .reads(packet.readings)
            guard says != verdict else { continue }
            Issue.record(
                """
                The file says
                \(says.text)
                and the decoders
                \(verdict.text)
                HALO_UPDATE_FIXTURES=1 swift test --filter Fixture writes what the decoders read.
                """,
                sourceLocation: packet.location)
        }
    }

    @Test(arguments: sound)
    func survivesBothDirections(_ file: FixtureFile) {
        for packet in FixturePacket.all(of: file) {
            guard let subject = FixtureSubject(packet) else { continue }
            var recorder = FieldRecorder()
            guard let encoded = try? subject.record(subject.body, &recorder) else { continue }
            let isSame = encoded == subject.body
            if isSame == (packet.exception == nil) { continue }
            let text = isSame ? "There is no exception to" : "It encodes to"
            Issue.record("\(text) \(HexText.bytes(encoded))", sourceLocation: packet.location)
        }
    }

    @Test(arguments: sound)
    func splitsIntoTheFramesThatWereJoined(_ file: FixtureFile) {
        let readings = FixtureReadings(file)
        for joined in readings.joined where joined.frames != joined.split {
            let packet = readings.packets[joined.last]
            let frames = joined.split.map(\.description).joined(separator: "\n")
            Issue.record("The reply splits into\n\(frames)", sourceLocation: packet.location)
        }
    }

    @Test(arguments: sound)
    func isReadInItsOwnFolder(_ file: FixtureFile) {
        for packet in FixturePacket.all(of: file) {
            guard packet.error == nil || packet.exception != nil else {
                Issue.record(
                    "A packet with an error belongs into Fixtures/Invalid, or needs an exception.",
                    sourceLocation: packet.location)
                continue
            }
            guard file.folder == "Commands" || file.folder == "BigData" else { continue }
            let names = ["\(file.name).", "Refusal(", "BigDataNoData("]
            let isOurs = packet.readings.allSatisfy { reading in
                names.contains { reading.hasPrefix($0) }
            }
            #expect(
                isOurs, "The packet is none of \(file.name).", sourceLocation: packet.location)
        }
    }

    @Test(arguments: FixtureFile.all(in: "Invalid"))
    func refusesSomethingInEveryParagraph(_ file: FixtureFile) {
        let paragraphs = Dictionary(grouping: FixturePacket.all(of: file), by: \.paragraph)
        for packets in paragraphs.values where packets.allSatisfy({ $0.error == nil }) {
            Issue.record("Nothing is wrong here.", sourceLocation: packets[0].location)
        }
    }
}
