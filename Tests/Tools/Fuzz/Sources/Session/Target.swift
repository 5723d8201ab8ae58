// For any actions of app, device and clock, each request and each stream ends once, and every wait
// has a deadline. Output that is not drained is bounded. A copy of the session behaves the same.
import HaloTesting
import ProtocolChecks

private let target = SessionTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
