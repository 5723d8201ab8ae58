#if os(Linux)
package import HaloTesting

extension FuzzTarget {
    /// A session with a daemon that signals and answers anything, or nothing, and that stops and
    /// starts, while a program scans, connects, reads and writes. The bytes decide each step.
    package static let blueZ = FuzzTarget(deciding: "BlueZ") { bytes throws(ContractViolation) in
        var drill = SessionDrill(bytes)
        drill.play()
        if let fault = drill.finish() {
            throw ContractViolation(fault, packet: "BlueZ", bytes: bytes.all)
        }
    }
}
#endif
