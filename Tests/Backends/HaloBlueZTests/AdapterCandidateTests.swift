#if os(Linux)
import HaloDBus
import Testing

@testable import HaloBlueZ

/// The choice among several adapters.
@Suite struct AdapterCandidateTests {
    private static func candidate(_ name: String, _ isOn: Bool) -> AdapterCandidate {
        AdapterCandidate(
            path: Tree.path("/org/bluez/\(name)"), address: "00:00:00:00:00:0\(name.count)",
            isOn: isOn)
    }

    private func choice(_ on: [String], named name: String? = nil, current: String? = nil)
        -> String?
    {
        let all = ["hci10", "hci2", "hci9"].map { Self.candidate($0, on.contains($0)) }
        let chosen = AdapterCandidate.choice(
            of: all, named: name, current: current.map { Tree.path("/org/bluez/\($0)") })
        return chosen.map { String($0.text.dropFirst("/org/bluez/".count)) }
    }

    @Test func theFirstOneThatIsOnIsChosen() {
        #expect(choice([]) == "hci2")
        #expect(choice(["hci10", "hci9"]) == "hci9")
        #expect(choice(["hci10"]) == "hci10")
    }

    @Test func theCurrentOneStaysWhileItIsOnOrNoOtherIs() {
        #expect(choice(["hci2", "hci10"], current: "hci10") == "hci10")
        #expect(choice([], current: "hci9") == "hci9")
        #expect(choice(["hci2"], current: "hci9") == "hci2")
        #expect(choice([], current: "hci77") == "hci2")
    }

    @Test(arguments: ["hci10", "/org/bluez/hci10", "00:00:00:00:00:05"])
    func oneThatIsNamedIsChosenOnOrOff(_ name: String) {
        #expect(choice(["hci2"], named: name, current: "hci2") == "hci10")
    }

    @Test func aNameThatNoneHasChoosesNone() {
        #expect(choice(["hci2"], named: "hci1") == nil)
        #expect(choice(["hci2"], named: "") == nil)
    }
}
#endif
