// This must fail: a packet that forgets a byte where two others are one value of 65,536 must be
// found within seconds, or the machinery finds nothing at all.
import FuzzHarness
import HaloProtocol
import HaloTesting

private let canary = FuzzTarget("Canary") { bytes throws(ContractViolation) in
    var bytes = FuzzBytes(bytes)
    let frame = PacketVerifier.frame(opcode: BrokenPacket.opcode, bytes.rest())
    try PacketVerifier.verify(FrameForm(BrokenPacket.self), frame)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(canary, start, count)
}

@main enum Target {
    static func main() { drive() }
}
