#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The heart rate of a ring, served as that of a strap: `halo live hr --as-strap`.
@Suite(.waitsForPrograms) struct LiveStrapTests {
    @Test(arguments: [
        (["spo2", "--as-strap"], "serves a heart rate"), (["hrv", "--as-strap=A"], "heart rate"),
        (["hr", "--strap-adapter", "hci1"], "needs --as-strap"),
        (["hr", "--as-strap=A name of 23 letters ..."], "at most 22 bytes"),
        (["hr", "--as-strap=\u{202E}A"], "a name of at most"),
    ])
    func refusesWhatIsNoStrap(_ arguments: [String], _ reason: String) throws {
        let outcome = try CommandLineProgram.run(["live"] + arguments + ["--virtual=r02"])
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains(reason), "\(outcome)")
    }

    @Test func needsARing() throws {
        let outcome = try CommandLineProgram.run(["live", "hr", "--as-strap", "--virtual=strap"])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("--as-strap needs a ring"), "\(outcome)")
    }

    /// Waits in a script until a command succeeds, and ends `live` as a terminal does.
    private static let functions = #"""
        until_() { for _ in {1..600}; do "$@" > out 2> err && return; sleep 0.1; done; cat err; }
        end() { kill -TERM $live; wait $live; echo "status $?"; }

        """#

    /// The values of a strap's client are those of `live`, which prints the same as without a
    /// strap. At the end the strap is gone.
    @Test func aClientOfStrapsGetsTheValues() throws {
        let outcome = try CommandLineProgram.runShell(
            Self.functions + #"""
                "$0" simulate strap --fake-bluez --adapters 2 -- bash -c '\#(Self.functions)
                    "$0" live hr --as-strap="My ring" --virtual=r12,speed=60 --json > ring 2> note &
                    live=$!
                    on="-d My --adapter hci1 -q"
                    worn() { "$0" live hr $on --count 1 --wait 1s && ! grep worn out; }
                    until_ worn
                    "$0" live hr $on --count 3 --json > strap
                    "$0" info $on
                    grep -c "as the strap .My ring. at 00:" note
                    end
                    "$0" scan --for 2s --adapter hci1 | grep -c My
                    grep -vc "^.\"type\":\"\(state\|value\)\",\"kind\":\"heartRate\"" ring
                    rates() { grep -o "\"value\":[0-9]*" $1 | sort -u; }
                    rates ring > all; rates strap | grep -vxcf all' "$0"
                """#)
        let lines = outcome.lines
        #expect(lines.first == "My ring", "\(outcome)")
        #expect(lines.contains("  worn     finger"))
        #expect(Array(lines.suffix(5)) == ["1", "status 143", "0", "0", "0"], "\(outcome)")
    }

    /// With a fake daemon of its own, the program tells its address: others find the strap through
    /// the adapter that they use by default, and the ring's link is on the second one.
    @Test func tellsTheBusOfAFakeDaemon() throws {
        let outcome = try CommandLineProgram.runShell(
            Self.functions + #"""
                "$0" live hr --as-strap --fake-bluez > ring 2> note & live=$!
                bus() { grep -o "DBUS_SYSTEM_BUS_ADDRESS=.*" note; }
                until_ bus
                export "$(bus)"
                "$0" live hr -d Halo --count 1 --json --for 3s
                "$0" info -d Halo -q
                end
                """#)
        let states = outcome.lines.filter { $0.contains("\"state\":\"not-worn\"") }
        #expect(!states.isEmpty, "\(outcome)")
        #expect(outcome.lines.contains("Halo HR"), "\(outcome)")
        #expect(outcome.lines.last == "status 143")
    }

    /// Bluetooth that cannot be used for a strap ends the verb, after the ring was found.
    @Test func failsWithoutAnAdapter() throws {
        let outcome = try CommandLineProgram.runShell(
            #"""
            "$0" simulate strap --fake-bluez -- \
                "$0" live hr --as-strap --strap-adapter hci7 --virtual=r02 --count 1
            """#)
        #expect(outcome.status == 4 || outcome.status == 3, "\(outcome)")
        #expect(outcome.errorOutput.contains("hci7"), "\(outcome)")
    }
}
#endif
