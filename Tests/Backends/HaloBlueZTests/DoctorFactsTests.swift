import HaloDBus
import TestSupport
import Testing

@testable import HaloBlueZ

/// The findings for given facts: each fault of a computer is found, with the command that helps.
@Suite(.computes) struct DoctorFactsTests {
    @Test func aHealthyComputerHasNoProblems() {
        let diagnosis = BlueZDoctor.diagnosis(of: BlueZFacts.healthy)
        #expect(diagnosis.isUsable)
        #expect(diagnosis.findings.filter { $0.severity != .good } == [])
        #expect(diagnosis.findings.count == 10)
        #expect(diagnosis.daemonVersion == "5.71")
        #expect(diagnosis.adapter == "hci0")
        #expect(diagnosis.bus == "unix:path=/run/dbus/system_bus_socket")
    }

    @Test(arguments: [
        ("usb:v1D6Bp0246d0542", "5.66"), ("usb:v1D6Bp0246d0557", "5.87"),
        ("usb:v1D6Bp0246d0600", "6.0"), ("bluetooth:v1234p5678dABCD", nil),
        ("usb:v1D6Bp0246d", nil), ("usb:v1D6Bp0246d054", nil), ("usb:v1D6Bp0246d+542", nil),
        ("", nil), ("ddd", nil), ("usb:v1D6Bp0246dééé", nil),
    ])
    func readsTheVersionFromTheModalias(modalias: String, version: String?) {
        var facts = BlueZFacts.healthy
        facts.changeAdapter { $0.modalias = modalias }
        #expect(BlueZDoctor.diagnosis(of: facts).daemonVersion == version)
    }

    @Test func takesTheAdapterThatProgramsGet() {
        var facts = BlueZFacts.healthy
        var (second, tenth) = (BlueZFacts.adapter("hci2"), BlueZFacts.adapter("hci10"))
        (second.isPowered, tenth.address) = (false, "00:AA:01:0A:00:0A")
        facts.daemon.objects?.adapters = [second, tenth]
        #expect(BlueZDoctor.diagnosis(of: facts).adapter == "hci10")
        facts.wantedAdapter = "hci2"
        #expect(BlueZDoctor.diagnosis(of: facts).adapter == "hci2")
        facts.wantedAdapter = "00:aa:01:0a:00:0a"
        #expect(BlueZDoctor.diagnosis(of: facts).adapter == "hci10")
        (second.isPowered, tenth.isPowered) = (false, false)
        facts.wantedAdapter = nil
        facts.daemon.objects?.adapters = [second, tenth]
        #expect(BlueZDoctor.diagnosis(of: facts).adapter == "hci2")
    }

    /// The documentation lists each subject, for programs that read the JSON.
    @Test func thePageHasEverySubject() throws {
        let page = try packageText("Documentation/BluetoothOnLinux.md")
        let row = page.split(separator: "\n").first { $0.contains("`findings[].subject`") } ?? ""
        let subjects = Set(
            DoctorFault.all.flatMap { fault in
                var facts = BlueZFacts.healthy
                fault.change(&facts)
                return BlueZDoctor.diagnosis(of: facts).findings.map(\.subject.rawValue)
            })
        #expect(subjects.count >= 14)
        #expect(subjects.filter { !row.contains("`\($0)`") } == [])
    }

    /// A file that Docker leaves in its images also exists on computers whose disk was made from
    /// one.
    @Test(arguments: [
        ("36 35 98:0 / / rw - overlay overlay rw,lowerdir=/a", true),
        ("36 35 98:0 /var/lib/docker/containers/ab/hosts /etc/hosts rw - ext4 /dev/a rw", true),
        ("36 35 98:0 / / rw - ext4 /dev/vda rw", false),
        ("36 35 98:0 / /mnt rw - overlay overlay rw", false), ("", false), ("36 35", false),
        ("36 35 98:0 /", false),
    ])
    func aFileAloneIsNoDockerContainer(_ mounts: String, _ isDockerMount: Bool) {
        let others = "1 2 3:4 / /proc rw - proc proc rw\n"
        #expect(ComputerFacts.isDockerMount(others + mounts) == isDockerMount)
    }

    /// Text from the system cannot control a terminal, and is cut.
    @Test func textFromTheSystemIsQuoted() {
        let nasty = "\u{1B}]0;x\u{7}\u{202E}" + String(repeating: "\n", count: 5000)
        var facts = BlueZFacts.healthy
        facts.changeAdapter { $0.address = nasty }
        facts.changeAdapter { $0.modalias = nasty }
        facts.computer.settings = DaemonSettings("[GATT]\nCache=\u{1B}[2J\nChannels=\u{1B}c")
        facts.computer.containerEvidence = nasty
        var lost = facts
        lost.setRefused(nasty)
        lost.computer.container = .other
        var missing = facts
        missing.bus.error = DBusError(.unreachable, details: nasty)
        missing.bus.addresses = [DBusAddress("\u{1B}[2J", ["path": nasty])]
        var wanted = facts
        wanted.wantedAdapter = nasty
        for facts in [facts, lost, missing, wanted] {
            let diagnosis = BlueZDoctor.diagnosis(of: facts)
            let texts =
                diagnosis.findings.flatMap { [$0.sentence, $0.evidence, $0.command] }
                + [diagnosis.bus, diagnosis.adapter, diagnosis.daemonVersion]
            for text in texts.compactMap({ $0 }) {
                #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            }
            #expect(diagnosis.findings.allSatisfy { $0.sentence.count < 1000 })
        }
    }

    /// Text from the system is cut to a line or two, addresses to a few more.
    @Test(arguments: [(159, false), (160, false), (161, true), (1000, true)])
    func textFromTheSystemIsCut(_ length: Int, _ isLong: Bool) {
        let doctor = BlueZDoctor(BlueZFacts.healthy)
        let text = String(repeating: "a", count: length)
        let kept = "\"" + String(repeating: "a", count: min(length, 160)) + "\""
        #expect(doctor.quoted(text) == (isLong ? kept + "…" : kept))
        #expect(doctor.quoted("") == nil && doctor.quoted(nil) == nil)
        let path = "/" + text.dropFirst()
        #expect(BlueZDoctor.shellWord(path) == (isLong ? nil : path))
    }

    @Test(arguments: [39, 40, 41])
    func adaptersNamesAreCut(_ length: Int) {
        let name = String(repeating: "a", count: length)
        var facts = BlueZFacts.healthy
        facts.daemon.objects?.adapters = [BlueZFacts.adapter(name)]
        let sentence = "\(name.prefix(40)) can act as a device, with room for 5 advertisements."
        #expect(BlueZDoctor.diagnosis(of: facts).findings.map(\.sentence).contains(sentence))
    }

    @Test(arguments: [(600, false), (601, true)])
    func addressesAreCutLater(_ length: Int, _ isLong: Bool) throws {
        let path = "/" + String(repeating: "a", count: length - 1)
        var facts = BlueZFacts.healthy
        facts.bus.addresses = [DBusAddress(.path(path))]
        let kept = "\"" + path.prefix(600) + "\"" + (isLong ? "…" : "")
        let finding = try #require(BlueZDoctor.diagnosis(of: facts).findings.first)
        #expect(finding.sentence == "The bus answers at \(kept).")
    }

    /// Paths that a shell takes literally.
    @Test(arguments: [
        ("/a/B-c_d.e+f:9", true), ("/AZaz09", true), ("a", false), ("", false), ("/a b", false),
        ("/a;b", false), ("/a$b", false), ("/é", false), ("/a~", false), ("/@", false),
        ("/[", false), ("/`", false), ("/{", false), ("/,", false),
    ])
    func aShellTakesOnlyPlainPaths(_ path: String, _ isPlain: Bool) {
        #expect(BlueZDoctor.shellWord(path) == (isPlain ? path : nil))
    }
}
