// Any bytes are a file of this format, or an error with a file position. The result is the same for
// pieces of any size. An imported file reads as a capture.
import HaloTesting
import HaloTraffic
import TrafficChecks

private let target = TrafficTarget("PacketLogger", .packetLogger)

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
