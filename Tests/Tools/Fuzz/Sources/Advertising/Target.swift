// Any advertisement is decoded leniently, and encodes to the same bytes. Strict decoding gives the
// same or an error. A beacon is found in its own advertisement.
import HaloTesting
import ProtocolChecks

private let target = AdvertisingTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
