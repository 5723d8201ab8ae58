// Every packet of every command, in both directions, decodes or throws. A decoded packet encodes to
// the same frame, and its fields cover the payload without gap or overlap. The decoder reads no
// other bytes.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.commands, start, count)
}

@main enum Target {
    static func main() { drive() }
}
