// Frames of a long reply, in any order, are joined or refused. A reply that is cut and joined again
// is the same. No reply is returned if a frame was lost.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.assemblies, start, count)
}

@main enum Target {
    static func main() { drive() }
}
