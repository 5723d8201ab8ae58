// Whatever app, device and clock do, each request and each stream ends once, every wait has a
// deadline, what nobody fetches is bounded, and a copy of the session does the same.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.session, start, count)
}

@main enum Target {
    static func main() { drive() }
}
