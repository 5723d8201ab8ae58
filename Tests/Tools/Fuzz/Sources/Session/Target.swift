// For any actions of app, device and clock, each request and each stream ends once, and every wait
// has a deadline. Output that is not drained is bounded. A copy of the session behaves the same.
import FuzzHarness
import ProtocolChecks

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.session, start, count)
}

@main enum Target {
    static func main() { drive() }
}
