// A daemon sends, answers or omits anything while a program scans, connects, reads and writes. Each
// request ends once, and the stored state is bounded.
import BlueZChecks
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.blueZ, start, count)
}

@main enum Target {
    static func main() { drive() }
}
