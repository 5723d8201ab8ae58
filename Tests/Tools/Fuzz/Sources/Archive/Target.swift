// Any bytes are an archive, a compressed file or btsnooz, or an error. An entry that is read whole
// has its stored length. The result is the same for pieces of any size.
import FuzzHarness
import HaloTesting
import TrafficChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.archive, start, count)
}

@main enum Target {
    static func main() { drive() }
}
