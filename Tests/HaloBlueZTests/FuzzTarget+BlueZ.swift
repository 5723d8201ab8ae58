#if os(Linux)
import HaloTesting

extension FuzzTarget {
    /// A session with a daemon that says anything, answers anything or nothing, comes and goes,
    /// while a program scans, connects, reads and writes. The bytes decide who does what.
    ///
    /// HaloTesting does not know D-Bus, so this lies with the tests; `Tests/Fuzz` links to it.
    static let blueZ = FuzzTarget(deciding: "BlueZ") { bytes throws(ContractViolation) in
        var drill = SessionDrill(bytes)
        drill.play()
        if let fault = drill.finish() {
            throw ContractViolation(fault, packet: "BlueZ", bytes: bytes.all)
        }
    }
}
#endif
