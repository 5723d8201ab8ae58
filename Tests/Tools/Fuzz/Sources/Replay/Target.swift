// Any capture makes a device that answers each request once, with a bounded number of effects at
// once, for any client. The findings of a capture check are bounded.
import CaptureChecks
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.replay, start, count)
}

@main enum Target {
    static func main() { drive() }
}
