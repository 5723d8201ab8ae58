// Every packet of every command, in both directions, decodes or throws. A decoded packet encodes to
// the same frame, and its fields cover the payload without gap or overlap. The decoder reads no
// other bytes.
import HaloTesting
import ProtocolChecks

private let target = CommandTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
