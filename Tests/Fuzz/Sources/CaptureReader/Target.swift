// Any text is a capture or an error that names line and column, in pieces of any size the same; a
// capture is written so that it reads as the same.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.captures, start, count)
}

@main enum Target {
    static func main() { drive() }
}
