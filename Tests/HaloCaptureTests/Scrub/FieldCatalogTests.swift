import HaloProtocol
import Testing

@testable import HaloCapture

/// Each field of each packet is in the list of private fields.
@Suite struct FieldCatalogTests {
    private static let packets = ScrubFixture.all.flatMap(\.capture.wholePackets)

    /// The fields of all fixtures, as `Subject.path`, that have a value.
    private static let fields: Set<String> = {
        var fields: Set<String> = []
        for packet in packets {
            guard let subject = packet.subject else { continue }
            for field in packet.explanation?.fields ?? [] where field.role == .value {
                fields.insert("\(subject).\(FieldCatalog.path(field.name))")
            }
        }
        return fields
    }()

    private static func listed(_ field: String) -> FieldSecrecy? {
        let parts = field.split(separator: ".", maxSplits: 1)
        return FieldCatalog.listed(String(parts[1]), in: String(parts[0]))
    }

    @Test func everyFieldWithAValueIsListed() {
        #expect(Self.fields.count > 250)
        for field in Self.fields.filter({ Self.listed($0) == nil }).sorted() {
            Issue.record(
                """
                \(field) is not listed in Sources/HaloCapture/Scrub/FieldCatalog.swift: in \
                harmlessFields if it gives nothing away, in secrets otherwise.
                """)
        }
    }

    @Test func everyListedFieldExists() {
        let extra: Set<String> = [
            "Refusal.opcode", "BloodPressureData.first", "BluetoothAddress.payload",
        ]
        for field in FieldCatalog.all.subtracting(Self.fields).subtracting(extra).sorted() {
            Issue.record("FieldCatalog.swift lists \(field), which no packet of a fixture has.")
        }
    }

    @Test func noFieldIsListedTwice() {
        #expect(FieldCatalog.all.filter { Self.listed($0) != .harmless }.count > 80)
        #expect(FieldCatalog.harmless.filter { Self.listed($0) != .harmless }.sorted() == [])
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

    @Test func fieldsThatAreNotListedAreUnknown() {
        let field = Explanation(of: [0x05], as: .characteristic(CharacteristicCatalog.batteryLevel))
            .fields[0]
        #expect(FieldCatalog.secrecy(of: field, in: "BatteryLevel") == .harmless)
        #expect(FieldCatalog.secrecy(of: field, in: "Another") == .unknown)
        #expect(FieldCatalog.secrecy(of: field, in: nil) == .unknown)
    }

    @Test func pathsHaveNoIndices() {
        #expect(FieldCatalog.path("days[12].hours[3].least") == "days.hours.least")
        #expect(FieldCatalog.path("a]b[c") == "a]b")
    }
}
