// A conversation that is exported and imported again is the same: each value has its operation.
import HaloTesting
import TrafficChecks

private let target = ExportTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
