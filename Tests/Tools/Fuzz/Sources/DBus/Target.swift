// A decoded D-Bus message is encoded so that it decodes to the same. Authentication accepts no
// garbage. An address list is refused with an offset in it, or parses as it was written.
import DBusChecks
import FuzzHarness
import HaloTesting

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(.dbus, start, count)
}

@main enum Target {
    static func main() { drive() }
}
