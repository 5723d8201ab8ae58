// Any capture makes a device that answers each request once, with a bounded number of effects at
// once, for any client. The findings of a capture check are bounded.
import CaptureChecks
import HaloTesting

private let target = ReplayTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
