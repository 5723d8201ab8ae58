// Any text is a capture, or an error with line and column. The result is the same for pieces of any
// size. A written capture reads as the same one.
import CaptureChecks
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.captures, start, count)
}

@main enum Target {
    static func main() { drive() }
}
