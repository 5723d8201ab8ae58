// An answer made of any values is written and read as the same answer; a long one is complete
// with its last frame and not before.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.replies, start, count)
}

@main enum Target {
    static func main() { drive() }
}
