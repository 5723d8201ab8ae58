import TestSupport
import Testing

@testable import HaloDBus

/// Signatures, paths and names.
@Suite(.computes) struct SignatureTests {
    @Test(arguments: [
        "", "y", "ybnqiuxtdsogvh", "aaaas", "a{sv}", "a{oa{sa{sv}}}", "(y(nq))", "(ss)a{ih}",
        String(repeating: "a", count: 32) + "y",
        String(repeating: "(", count: 32) + "y" + String(repeating: ")", count: 32),
        String(repeating: "a(", count: 32) + "y" + String(repeating: ")", count: 32),
        String(repeating: "a{y", count: 32) + "y" + String(repeating: "}", count: 32),
        String(repeating: "y", count: 255),
    ])
    func validSignaturesAreParsed(_ text: String) throws {
        #expect(try DBusType.types(parsing: Array(text.utf8)).code == text)
    }

    @Test(arguments: [
        "a", "()", "(", ")", "(y", "y)", "{sv}", "a{s}", "a{svy}", "a{vs}", "a{(y)s}", "a{ays}",
        "a{sv", "a{", "z", "e", "r", "Y", " y", "y\0", "é",
        String(repeating: "a", count: 33) + "y",
        String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33),
        String(repeating: "a{y", count: 33) + "y" + String(repeating: "}", count: 33),
        String(repeating: "y", count: 256),
    ])
    func invalidSignaturesAreRefused(_ text: String) {
        #expect(throws: DBusWireError.self) { try DBusType.types(parsing: Array(text.utf8)) }
    }

    @Test(arguments: ["/", "/a", "/a/b", "/_", "/9", "/org/bluez/hci0/dev_C0_11"])
    func thesePathsAreValid(_ text: String) throws {
        #expect(try DBusObjectPath(text).text == text)
    }

    @Test(arguments: ["", "a", "//", "/a/", "/a//b", "/-", "/a b", "/é", "/a\0", "/."])
    func thesePathsAreInvalid(_ text: String) {
        #expect(throws: DBusWireError.self) { try DBusObjectPath(text) }
    }

    @Test func pathsAreNested() {
        #expect(path("/a/b").isInside(path("/a")))
        #expect(path("/a").isInside(path("/a")))
        #expect(path("/a").isInside(.root))
        #expect(!path("/ab").isInside(path("/a")))
        #expect(!path("/a").isInside(path("/a/b")))
    }

    @Test func namesHaveRules() {
        let long = String(repeating: "a", count: 253)
        for name in ["org.bluez", "a.b", "_a._b", "a.b9", long + ".a"] {
            #expect(DBusName.isInterface(name), "\(name)")
        }
        for name in ["", "a", ".a", "a.", "a..b", "a.9b", "a.b-c", "a.é", long + ".aa", ":1.5"] {
            #expect(!DBusName.isInterface(name), "\(name)")
        }
        for name in ["org.bluez", "a-b.c", ":1.5", ":1.2.3-x", "-a.b"] {
            #expect(DBusName.isBusName(name), "\(name)")
        }
        for name in ["", "a", ":", "1.5", ":.", ":1..5", "a." + long + "a"] {
            #expect(!DBusName.isBusName(name), "\(name)")
        }
        for name in ["Get", "_", "a9", String(repeating: "a", count: 255)] {
            #expect(DBusName.isMember(name), "\(name)")
        }
        for name in ["", "9a", "a.b", "a-b", String(repeating: "a", count: 256)] {
            #expect(!DBusName.isMember(name), "\(name)")
        }
    }
}
