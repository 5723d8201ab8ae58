// Any bytes, as any kind of packet, have an explanation that covers each byte once.
import HaloTesting
import ProtocolChecks

private let target = ExplanationTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
