// Every byte of every notification ends in one event; frames that are cut and interleaved all
// arrive; an accident costs one frame. What waits stays within its limits.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.reassembler, start, count)
}

@main enum Target {
    static func main() { drive() }
}
