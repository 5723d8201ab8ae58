// Frames of a long answer, in whatever order, are joined or refused; an answer cut and joined
// again is the same, and is never given where a frame was lost.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.assemblies, start, count)
}

@main enum Target {
    static func main() { drive() }
}
