// Any text is a capture, or an error with line and column. The result is the same for pieces of any
// size. A written capture reads as the same one.
import CaptureChecks
import HaloTesting

private let target = CaptureTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
