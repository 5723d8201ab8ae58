// Every command to a LED strip, and its status, decodes or throws; what decodes encodes to the same
// bytes, and its fields cover them without gap or overlap.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.ledStrip, start, count)
}

@main enum Target {
    static func main() { drive() }
}
