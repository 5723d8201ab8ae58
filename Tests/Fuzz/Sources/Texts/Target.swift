// Versions and UUIDs are read from any text or refused; what was read is written so that it reads
// as the same. Printable text has no control characters.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.texts, start, count)
}

@main enum Target {
    static func main() { drive() }
}
