// Frames of a long reply, in any order, are joined or refused. A reply that is cut and joined again
// is the same. No reply is returned if a frame was lost.
import HaloTesting
import ProtocolChecks

private let target = AssemblyTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
