// Whatever a daemon says, answers or leaves out, while a program scans, connects, reads and writes:
// everything that was asked for is answered once, and what is kept has an end.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.blueZ, start, count)
}

@main enum Target {
    static func main() { drive() }
}
