// Any bytes are a file of this format or an error with a place in it, in pieces of any size the
// same; what is imported reads as a capture.
import FuzzHarness
import HaloTesting
import HaloTraffic

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.traffic("BtmonText", .btmonText), start, count)
}

@main enum Target {
    static func main() { drive() }
}
