// Any bytes are unpacked to the same bytes as by the system's zlib, or both refuse them. The result
// is the same for pieces of any size.
import HaloTesting
import TrafficChecks

private let target = InflateTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
