// Any bytes are an archive, a compressed file or btsnooz, or an error. An entry that is read whole
// has its stored length. The result is the same for pieces of any size.
import HaloTesting
import TrafficChecks

private let target = ArchiveTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
