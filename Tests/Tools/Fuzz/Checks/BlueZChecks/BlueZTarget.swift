#if os(Linux)
package import HaloTesting

/// A session with a daemon that signals and answers anything, or nothing, and that stops and
/// starts, while a program scans, connects, reads and writes. The bytes decide each step.
package struct BlueZTarget: FuzzTarget {
    package let name = "BlueZ"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        let bytes = FuzzBytes(input)
        var drill = SessionDrill(bytes)
        drill.play()
        if let fault = drill.finish() {
            throw ContractViolation(fault, packet: "BlueZ", bytes: bytes.all)
        }
    }
}
#endif
