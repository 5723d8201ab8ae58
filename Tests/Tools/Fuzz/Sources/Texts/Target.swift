// Versions and UUIDs are parsed from any text, or refused. A parsed value is written so that it
// parses to the same. Printable text has no control characters.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.texts, start, count)
}

@main enum Target {
    static func main() { drive() }
}
