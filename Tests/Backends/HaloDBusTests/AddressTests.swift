import HaloTransport
import TestSupport
import Testing

@testable import HaloDBus

/// Addresses of buses.
@Suite(.computes) struct AddressTests {
    @Test(arguments: [
        (
            "unix:path=/run/dbus/system_bus_socket",
            DBusAddress.Socket.path(
                "/run/dbus/system_bus_socket")
        ),
        (
            "unix:abstract=/tmp/dbus-x,guid=00112233445566778899aabbccddeeff",
            .abstract("/tmp/dbus-x")
        ),
        ("unix:path=/a%20b%2Cc%c3%a9", .path("/a b,cé")),
        ("unix:path=", nil), ("unix:abstract=", nil), ("unix:runtime=no", nil), ("unix:", nil),
        ("unix:runtime=yes", nil), ("unix:path=/a,runtime=yes", nil),
        ("unix:path=/a,abstract=b", nil), ("unix:tmpdir=/tmp", nil),
        ("tcp:host=127.0.0.1,port=1", nil), ("autolaunch:", nil), ("unixexec:path=x", nil),
    ])
    func addressesAreParsed(_ text: String, _ socket: DBusAddress.Socket?) throws {
        let address = try #require(try DBusAddress.list(text).first)
        #expect(address.socket == socket)
        #expect(try DBusAddress.list(address.description) == [address])
    }

    @Test func listsKeepTheirOrder() throws {
        let list = try DBusAddress.list("tcp:port=1;;unix:path=/a;unix:abstract=b,guid=12;")
        #expect(list.map(\.transport) == ["tcp", "unix", "unix"])
        #expect(list.map(\.busID) == [nil, nil, "12"])
    }

    @Test(arguments: [
        ("", DBusWireError(.empty, at: 0)), (";;", DBusWireError(.empty, at: 0)),
        ("unix", DBusWireError(.noTransport, at: 0)),
        (":path=/a", DBusWireError(.noTransport, at: 0)),
        ("unix:path", DBusWireError(.noValue, at: 5)),
        ("unix:=a", DBusWireError(.noValue, at: 5)),
        ("unix:path=/a,", DBusWireError(.noValue, at: 13)),
        ("unix:path=/a,,guid=1", DBusWireError(.noValue, at: 13)),
        ("unix:path=/a,path=/b", DBusWireError(.twice, at: 13)),
        ("tcp:a=1;unix:path=/a%2", DBusWireError(.wrongEscape, at: 20)),
        ("unix:path=%00", DBusWireError(.wrongEscape, at: 10)),
        ("unix:path=%zz", DBusWireError(.wrongEscape, at: 10)),
        ("unix:path=%ff", DBusWireError(.wrongEscape, at: 10)),
        ("unix:path=/a b", DBusWireError(.unescaped, at: 12)),
        ("unix:path=/é", DBusWireError(.unescaped, at: 11)),
    ])
    func syntaxErrorsHaveAKindAndAnOffset(_ text: String, _ error: DBusWireError) {
        #expect(throws: error) { try DBusAddress.list(text) }
    }

    @Test func aPathHasNoNUL() {
        #expect(DBusAddress.Socket.path("/a\0b").bytes == nil)
    }

    @Test func anyTextIsParsedOrRefused() throws {
        let pieces = ["unix", ":", "path", "=", ",", ";", "%41", "%", "/a", "é", "\0", "guid", " "]
        for seed in 0..<20_000 {
            var numbers = SplitMix(seed: UInt64(seed))
            let text = (0..<numbers.next() % 12).map { _ in
                pieces[Int(numbers.next() % UInt64(pieces.count))]
            }.joined()
            guard let list = try? DBusAddress.list(text) else { continue }
            let written = list.map(\.description).joined(separator: ";")
            #expect(try DBusAddress.list(written) == list, "\(text)")
        }
    }
}
