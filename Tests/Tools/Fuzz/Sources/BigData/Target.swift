// Every big-data record, in both directions, decodes or throws. A decoded record encodes to the
// same bytes, and its fields cover the payload without gap or overlap. The same holds for frames
// with a correct checksum.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.bigData, start, count)
}

@main enum Target {
    static func main() { drive() }
}
