// A reply of any values is written and decoded as the same reply. A long reply is complete with its
// last frame, and not before.
import HaloTesting
import ProtocolChecks

private let target = ReplyTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
