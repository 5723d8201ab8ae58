// A D-Bus message that is read is written so that it reads as the same; garbage lets nobody in;
// an address list is refused at a place in it, or reads as it was written.
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.dbus, start, count)
}

@main enum Target {
    static func main() { drive() }
}
