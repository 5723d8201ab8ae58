// Every big-data record, in both directions, decodes or throws. A decoded record encodes to the
// same bytes, and its fields cover the payload without gap or overlap. The same holds for frames
// with a correct checksum.
import HaloTesting
import ProtocolChecks

private let target = BigDataTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
