// A decoded D-Bus message is encoded so that it decodes to the same. Authentication accepts no
// garbage. An address list is refused with an offset in it, or parses as it was written.
import DBusChecks
import HaloTesting

private let target = DBusTarget()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(start, count)
}

@main enum Program {
    static func main() { target.runAsProgram() }
}
