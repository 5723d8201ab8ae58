// Every standard characteristic decodes or throws. A decoded one encodes to the same bytes, and its
// fields cover them without gap or overlap.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.characteristics, start, count)
}

@main enum Target {
    static func main() { drive() }
}
