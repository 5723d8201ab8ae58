// Bytes are a frame if and only if there are sixteen and the last is the sum of the others. A frame
// encodes to its bytes, and one flipped bit is always detected.
import HaloTesting
import ProtocolChecks

private let target = FrameTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

/// The check reaches little code, so that libFuzzer need not watch all of it.
@_cdecl("fuzz_is_narrow")
public func isNarrow() -> CInt { 1 }

@main enum Program {
    static func main() { target.runAsProgram() }
}
