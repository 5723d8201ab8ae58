// Any advertisement is decoded leniently, and encodes to the same bytes. Strict decoding gives the
// same or an error. A beacon is found in its own advertisement.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.advertising, start, count)
}

@main enum Target {
    static func main() { drive() }
}
