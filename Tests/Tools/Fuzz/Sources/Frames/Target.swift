// Bytes are a frame if and only if there are sixteen and the last is the sum of the others. A frame
// encodes to its bytes, and one flipped bit is always detected.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.frames, start, count)
}

/// The check reaches little code, so that libFuzzer need not watch all of it.
@_cdecl("fuzz_is_narrow")
public func isNarrow() -> CInt { 1 }

@main enum Target {
    static func main() { drive() }
}
