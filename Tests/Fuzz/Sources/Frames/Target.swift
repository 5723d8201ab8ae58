// Bytes are a frame just when there are sixteen and the last is the sum of the others; a frame
// gives its bytes back, and one bit turned over is always noticed.
import FuzzHarness
import HaloTesting

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
