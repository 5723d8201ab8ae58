// Any capture is a device that answers what it was asked, once, and does no more than some things
// at once, whatever a client does; and what a check finds in it has bounds.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.replay, start, count)
}

@main enum Target {
    static func main() { drive() }
}
