import TestSupport
import Testing

@testable import HaloDBus

/// Match rules as text, and what they match.
@Suite(.computes) struct MatchRuleTests {
    private static let signal = DBusSignal(
        "Changed", of: "org.example.Thing", at: path("/a/b"),
        [.string("it's"), .byte(1), .objectPath(path("/c/d"))], sender: ":1.5")
    private static let rules: [(DBusMatchRule, Bool)] = [
        (DBusMatchRule(), true),
        (DBusMatchRule(sender: ":1.5"), true), (DBusMatchRule(sender: ":1.6"), false),
        (DBusMatchRule(sender: "org.owned"), true), (DBusMatchRule(sender: "org.other"), false),
        (DBusMatchRule(path: path("/a/b")), true), (DBusMatchRule(path: path("/a")), false),
        (DBusMatchRule(pathNamespace: path("/a")), true),
        (DBusMatchRule(pathNamespace: .root), true),
        (DBusMatchRule(pathNamespace: path("/a/b/c")), false),
        (DBusMatchRule(interface: "org.example.Thing", member: "Changed"), true),
        (DBusMatchRule(member: "Other"), false), (DBusMatchRule(interface: "a.b"), false),
        (DBusMatchRule(firstArgument: "it's"), true), (DBusMatchRule(firstArgument: "x"), false),
    ]

    /// The bus and the connection agree.
    @Test func theBusAndTheConnectionAgree() throws {
        var message = DBusMessage(
            .signal(
                path: Self.signal.path, interface: Self.signal.interface,
                member: Self.signal.member), body: Self.signal.values)
        message.sender = ":1.5"
        for (rule, isMeant) in Self.rules {
            let own = rule.matches(Self.signal) { $0 == "org.owned" ? ":1.5" : nil }
            #expect(own == isMeant, "\(rule.text)")
            let theirs = try #require(DBusMatchRule(rule.text), "\(rule.text)")
            let matches = theirs.matches(
                message, sender: { $0 == "org.owned" }, destination: { _ in false })
            #expect(matches == isMeant, "\(rule.text)")
        }
    }

    @Test(arguments: [
        ("type='signal',sender='org.a'", true), ("type=signal", true), ("", true), (" ", true),
        ("member='A',", true), ("arg0='a\\b'", true), ("arg0=a\\'b", true),
        ("arg0='it'\\''s'", true),
        ("arg63path='/'", true), ("arg0namespace='org.a'", true), ("eavesdrop='true'", true),
        ("destination=':1.5'", true), ("path='/a'", true), ("type='x'", false), ("type", false),
        ("='a'", false), ("arg64='a'", false), ("arg='a'", false), ("arg1namespace='a.b'", false),
        ("member='a.b'", false), ("path='a'", false), ("sender='a'", false), ("arg0='a", false),
        ("path='/a',path_namespace='/a'", false), ("member='A',member='A'", false),
        ("other='a'", false),
    ])
    func rulesAreParsed(_ text: String, _ isRule: Bool) {
        #expect((DBusMatchRule(text) != nil) == isRule)
    }

    @Test func equalRulesMayBeWrittenDifferently() {
        #expect(DBusMatchRule("member='A',type=signal") == DBusMatchRule("type='signal',member=A"))
        #expect(DBusMatchRule("arg0=it\\'s") == DBusMatchRule("arg0='it'\\''s'"))
        #expect(DBusMatchRule("arg0=a") != DBusMatchRule("arg1=a"))
    }

    @Test(arguments: [
        ("arg0path='/a/'", "/a/b", true), ("arg0path='/a/b'", "/a/", true),
        ("arg0path='/a'", "/a/b", false), ("arg0path='/a'", "/a", true),
        ("arg0namespace='org.a'", "org.a.b", true), ("arg0namespace='org.a'", "org.a", true),
        ("arg0namespace='org.a'", "org.ab", false), ("arg1='x'", "x", false),
    ])
    func argumentsAreCompared(_ rule: String, _ argument: String, _ isMeant: Bool) throws {
        let message = DBusMessage(
            .signal(path: .root, interface: "a.b", member: "S"), body: [.string(argument)])
        let rule = try #require(DBusMatchRule(rule))
        #expect(
            rule.matches(message, sender: { _ in false }, destination: { _ in false }) == isMeant)
    }

    @Test(arguments: [
        ("arg1=a", false), ("arg2=/c/d", false), ("arg3=a", false), ("arg2path='/c/'", true),
        ("arg2path='/c/',arg0=a", true), ("arg2path='/c/',arg0=b", false),
    ])
    func argumentsAreComparedByTheirTypes(_ rule: String, _ isMeant: Bool) throws {
        let message = DBusMessage(
            .signal(path: .root, interface: "a.b", member: "S"),
            body: [.string("a"), .byte(1), .objectPath(path("/c/d"))])
        let rule = try #require(DBusMatchRule(rule))
        #expect(
            rule.matches(message, sender: { _ in false }, destination: { _ in false }) == isMeant)
    }
}
