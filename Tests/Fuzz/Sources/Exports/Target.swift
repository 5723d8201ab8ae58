// A conversation that is exported and imported again says the same, each value with what was done.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.exports, start, count)
}

@main enum Target {
    static func main() { drive() }
}
