// Of any bytes, taken for any kind of packet, there is an explanation that accounts for each byte
// once.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.explanations, start, count)
}

@main enum Target {
    static func main() { drive() }
}
