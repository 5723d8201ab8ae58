// Each byte of each notification ends up in one event. Frames that are cut and interleaved all
// arrive; one damaged place costs one frame. Buffers stay within their limits.
import HaloTesting
import ProtocolChecks

private let target = ReassemblerTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
