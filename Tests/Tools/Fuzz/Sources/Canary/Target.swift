// The canary: this target must fail. Its packet omits a byte if two others have one value of
// 65,536. A fuzzer that does not find that within seconds is broken.
import HaloProtocol
import HaloTesting

private let target = PacketTarget("Canary", frames: [FrameForm(BrokenPacket.self)])

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
