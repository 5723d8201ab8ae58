// Any advertisement is read leniently, and encodes to the same bytes; read strictly it is the same
// or an error. A beacon is found in its own advertisement.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.advertising, start, count)
}

@main enum Target {
    static func main() { drive() }
}
