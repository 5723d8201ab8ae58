import FakeBlueZ
import HaloDBus
import TestSupport
import Testing

@testable import HaloBlueZ

/// The doctor and a daemon that behaves as BlueZ does.
@Suite(.takesTurns) struct DoctorFakeTests {
    private func diagnosis(_ fake: FakeBlueZ, adapter: String? = nil) async throws -> BlueZDiagnosis
    {
        await BlueZDoctor.examine(
            BlueZOptions(adapter: adapter, bus: try fake.listen()), timeout: .seconds(60))
    }

    private func problems(_ diagnosis: BlueZDiagnosis) -> [String] {
        diagnosis.findings.filter { $0.severity == .problem }.map(\.sentence)
    }

    @Test func findsNoProblemInTheFakeDaemon() async throws {
        let fake = try await FakeBlueZ(adapters: 2)
        let diagnosis = try await diagnosis(fake)
        #expect(problems(diagnosis) == [])
        #expect(diagnosis.daemonVersion == "5.66")
        #expect(diagnosis.adapter == "hci0")
        let subjects = diagnosis.findings.filter { $0.severity == .good }.map(\.subject)
        #expect(subjects.contains(.central))
        #expect(subjects.contains(.peripheral))
    }

    @Test func findsAdaptersThatAreOff() async throws {
        let fake = try await FakeBlueZ(adapters: 2)
        fake.setPowered(false, adapter: 0)
        #expect(try await diagnosis(fake).adapter == "hci1")
        let off = try await diagnosis(fake, adapter: "hci0")
        #expect(problems(off) == ["hci0 is off."])
        fake.removeAdapter(1)
        #expect(problems(try await diagnosis(fake)) == ["hci0 is off."])
        fake.removeAdapter(0)
        #expect(try await !diagnosis(fake).isUsable)
        _ = fake.addAdapter(12)
        let again = try await diagnosis(fake)
        #expect(again.isUsable)
        #expect(again.adapter == "hci12")
    }

    @Test func findsADaemonThatHasDied() async throws {
        let fake = try await FakeBlueZ()
        await fake.kill()
        let dead = try await diagnosis(fake)
        #expect(problems(dead) == ["There is no daemon on this bus, which is not the usual one."])
        try await fake.restart()
        #expect(try await diagnosis(fake).isUsable)
    }
}
