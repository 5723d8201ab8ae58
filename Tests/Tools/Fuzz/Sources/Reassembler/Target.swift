// Each byte of each notification ends up in one event. Frames that are cut and interleaved all
// arrive; one damaged place costs one frame. Buffers stay within their limits.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.reassembler, start, count)
}

@main enum Target {
    static func main() { drive() }
}
