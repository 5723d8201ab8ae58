// Every big-data record, both ways, decodes or throws; what decodes encodes to the same bytes,
// its fields cover the payload without gap or overlap. So do frames, with a right checksum.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.bigData, start, count)
}

@main enum Target {
    static func main() { drive() }
}
