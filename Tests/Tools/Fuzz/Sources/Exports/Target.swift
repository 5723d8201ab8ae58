// A conversation that is exported and imported again is the same: each value has its operation.
import FuzzHarness
import TrafficChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.exports, start, count)
}

@main enum Target {
    static func main() { drive() }
}
