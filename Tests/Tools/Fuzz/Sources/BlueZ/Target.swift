// A daemon sends, answers or omits anything while a program scans, connects, reads and writes. Each
// request ends once, and the stored state is bounded.
import BlueZChecks
import HaloTesting

private let target = BlueZTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
