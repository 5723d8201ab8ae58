// Every standard characteristic decodes or throws. A decoded one encodes to the same bytes, and its
// fields cover them without gap or overlap.
import HaloTesting
import ProtocolChecks

private let target = CharacteristicTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
