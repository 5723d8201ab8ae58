// The canary: this target must fail. Its packet omits a byte if two others have one value of
// 65,536. A fuzzer that does not find that within seconds is broken.
import FuzzHarness
import HaloProtocol
import HaloTesting
import ProtocolChecks

private let canary = FuzzTarget.packet(
    "Canary", opcode: BrokenPacket.opcode, FrameForm(BrokenPacket.self))

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(canary, start, count)
}

@main enum Target {
    static func main() { drive() }
}
