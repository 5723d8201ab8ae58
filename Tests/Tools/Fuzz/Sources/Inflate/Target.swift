// Any bytes are unpacked to the same bytes as by the system's zlib, or both refuse them. The result
// is the same for pieces of any size.
import FuzzHarness
import HaloTesting
import TrafficChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.inflate, start, count)
}

@main enum Target {
    static func main() { drive() }
}
