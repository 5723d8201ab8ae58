// Any bytes, as any kind of packet, have an explanation that covers each byte once.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.explanations, start, count)
}

@main enum Target {
    static func main() { drive() }
}
