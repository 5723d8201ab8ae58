import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A daemon with any replies: the report is bounded and safe, and nothing traps.
@Suite(.computes) struct DoctorMalformedInputTests {
    private static let names = [
        Adapter1.interfaceName, GattManager1.interfaceName, LEAdvertisingManager1.interfaceName,
        AgentManager1.interfaceName, Adapter1.address, Adapter1.powered, Adapter1.powerState,
        Adapter1.roles, Adapter1.modalias, Adapter1.discovering, Adapter1.experimentalFeatures,
        LEAdvertisingManager1.activeInstances, LEAdvertisingManager1.supportedInstances,
    ]
    private static let texts = [
        "", "central", "usb:v1D6Bp0246d0542", "usb:v1D6Bp0246dFFFF", "off-blocked", "\u{1B}[2J",
        "\u{202E}", String(repeating: "é", count: 5000), "$(reboot)", "'; reboot #",
    ]
    private static let paths = ["/", "/org/bluez/hci0", "/a", "/org/bluez/hci0/hci0", "/_0"]

    private func value(_ generator: inout SplitMix, _ depth: Int) -> DBusValue {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &generator) {
        case 0: return .boolean(.random(using: &generator))
        case 1: return .byte(.random(in: 0...255, using: &generator))
        case 2: return .int64(Bool.random(using: &generator) ? .min : .max)
        case 3: return .uint64(.max)
        case 4: return .string(Self.texts.randomElement(using: &generator) ?? "")
        case 5: return path(&generator)
        case 6: return .bytes([0, 255])
        case 7: return .variant(value(&generator, depth - 1))
        case 8:
            return .array(.variant, (0..<3).map { _ in .variant(value(&generator, depth - 1)) })
        default:
            let entries = (0..<6).map { _ in
                DBusEntry(
                    depth > 3
                        ? path(&generator)
                        : .string(Self.names.randomElement(using: &generator) ?? ""),
                    value(&generator, depth - 1))
            }
            return .dictionary(key: .string, value: .variant, entries)
        }
    }

    private func path(_ generator: inout SplitMix) -> DBusValue {
        let text = Self.paths.randomElement(using: &generator) ?? "/"
        return .objectPath((try? DBusObjectPath(text)) ?? .root)
    }

    @Test func anyValueIsSurvived() async {
        var generator = SplitMix(seed: 6)
        var (understood, adapters) = (0, 0)
        for _ in 0..<5000 {
            // Others have deadlines to keep.
            await Task.yield()
            guard let objects = DaemonObjects(value(&generator, 4)) else { continue }
            understood += 1
            adapters += objects.adapters.count
            var facts = BlueZFacts.healthy
            facts.daemon.objects = objects
            let diagnosis = BlueZDoctor.diagnosis(of: facts)
            for finding in diagnosis.findings {
                let text = finding.sentence + (finding.evidence ?? "") + (finding.command ?? "")
                #expect(text.utf8.count < 2000)
                #expect(text.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 > 0x7F })
                #expect(finding.command?.contains("reboot") != true)
            }
        }
        #expect(understood > 500)
        #expect(adapters > 500)
    }

    /// The number of adapters is bounded.
    @Test func adaptersAreBounded() throws {
        let entries = try (0..<5000).map { number in
            DBusEntry(
                .objectPath(try DBusObjectPath("/org/bluez/hci\(number)")),
                .dictionary(
                    key: .string, value: .variant,
                    [DBusEntry(.string(Adapter1.interfaceName), .properties([:]))]))
        }
        let answer = DBusValue.dictionary(key: .objectPath, value: .variant, entries)
        let objects = try #require(DaemonObjects(answer))
        #expect(objects.adapters.count == 64)
        var facts = BlueZFacts.healthy
        facts.daemon.objects = objects
        #expect(!BlueZDoctor.diagnosis(of: facts).isUsable)
    }
}
