// A reply of any values is written and decoded as the same reply. A long reply is complete with its
// last frame, and not before.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.replies, start, count)
}

@main enum Target {
    static func main() { drive() }
}
