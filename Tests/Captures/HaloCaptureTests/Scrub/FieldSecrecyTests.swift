import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// What each field of each packet gives away, by the fixtures.
@Suite(.computes) struct FieldSecrecyTests {
    private static let packets = ScrubFixture.all.flatMap(\.capture.wholePackets)

    /// Each field with what it gives away, for a reviewer: `ActivityLog.date: decimalDate`.
    @Test func everyFieldGivesAwayWhatItIsSaidTo() throws {
        var lines: Set<String> = []
        for packet in Self.packets {
            guard let subject = packet.subject else { continue }
            for field in packet.explanation?.fields ?? [] where field.secrecy != .open {
                if field.role == .unclaimed, field.secrecy == .unknown { continue }
                let secrecy = "\(field.secrecy)".replacing(
                    /HaloProtocol\.(FieldSecrecy\.\w+|\w+)/, with: "")
                lines.insert("\(subject).\(Self.path(field.name)): \(secrecy)")
            }
        }
        #expect(lines.count > 80)
        try GoldenText("Golden/Captures/Secrecies.txt").expect(lines.sorted())
    }

    /// Bytes without a description are as secret as anything, or more.
    @Test func undescribedBytesAreSecret() {
        for packet in Self.packets {
            for field in packet.explanation?.fields ?? [] where field.role == .unclaimed {
                #expect(field.secrecy == .unknown || field.secrecy == .address, "\(field)")
            }
        }
    }

    @Test func everyPacketThereIsWasLookedAt() {
        let seen = Set(Self.packets.compactMap { $0.explanation?.packet?.description })
        var names: [PacketName] = []
        for entry in CommandCatalog.entries {
            names += [entry.request?.name, entry.reply?.name].compactMap(\.self)
        }
        for entry in BigDataCatalog.entries {
            names += [entry.form(.toDevice)?.name, entry.form(.fromDevice)?.name]
                .compactMap(\.self)
        }
        names += CharacteristicCatalog.entries.map(\.form.name)
        #expect(names.map(\.description).filter { !seen.contains($0) } == [])
        let numbers = CharacteristicCatalog.entries.map(\.uuid).filter { uuid in
            !Self.packets.contains { $0.channel == .characteristic(uuid) }
        }
        #expect(numbers == [])
    }

    /// A field's name without indices: `days.minimumAndMaximum`.
    private static func path(_ name: String) -> String {
        name.split(separator: "[").map { part in
            part.contains("]") ? String(part.drop { $0 != "]" }.dropFirst()) : String(part)
        }.joined()
    }
}
