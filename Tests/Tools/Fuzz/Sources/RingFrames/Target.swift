// Any bytes are a file of this format, or an error with a file position. The result is the same for
// pieces of any size. An imported file reads as a capture.
import FuzzHarness
import HaloTesting
import HaloTraffic
import TrafficChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.traffic("RingFrames", .ringFrames), start, count)
}

@main enum Target {
    static func main() { drive() }
}
