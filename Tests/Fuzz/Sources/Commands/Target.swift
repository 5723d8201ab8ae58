// Every packet of every command, both ways, decodes or throws; what decodes encodes to the same
// frame, its fields cover the payload without gap or overlap, and nothing else was looked at.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.commands, start, count)
}

@main enum Target {
    static func main() { drive() }
}
