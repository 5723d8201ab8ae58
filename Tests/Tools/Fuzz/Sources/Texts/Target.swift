// Versions and UUIDs are parsed from any text, or refused. A parsed value is written so that it
// parses to the same. Printable text has no control characters.
import HaloTesting
import ProtocolChecks

private let target = TextTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
