import HaloTesting
import TestSupport
import Testing

@testable import HaloDBus

/// The subscriptions of a repeated signal, which those of a property cache until they change.
///
/// A subscription without a sender has the bus deliver signals that other rules would not match.
@Suite(.takesTurns) struct SignalChangeTests {
    private static let thing = DBusInterface(
        "org.example.Thing", properties: [.init("Value", .array(.byte))])
    private static let name = "org.example.Halo"

    /// The signal: an ordinary one, or a change of a property.
    enum Kind: CaseIterable, Sendable {
        case signal, property
    }

    /// A connection with an object that emits signals.
    private struct Teller {
        let connection: DBusConnection
        let kind: Kind

        init(_ bus: PrivateBus, _ kind: Kind) async throws {
            connection = try await bus.connect()
            self.kind = kind
            try connection.export(
                DBusObject([SignalChangeTests.thing]), at: path("/a")
            ) { $0.refuse(.failed("")) }
        }

        /// Emits three signals.
        func tell() throws {
            for byte in 0..<3 as Range<UInt8> {
                switch kind {
                case .signal:
                    try connection.emit(
                        DBusSignal("Changed", of: "org.example.Thing", at: path("/a")))
                case .property:
                    try connection.set(
                        ["Value": .bytes([byte])], of: "org.example.Thing", at: path("/a"))
                }
            }
        }
    }

    /// A subscription, and the number of its signals.
    private struct Listener {
        let subscription: DBusSubscription
        let heard: Collector<DBusSignal>

        init(_ connection: DBusConnection, _ rule: DBusMatchRule) async throws {
            let heard = Collector<DBusSignal>()
            self.heard = heard
            subscription = try await connection.subscription(rule) { heard.append($0) }
        }
    }

    @Test(arguments: Kind.allCases)
    func aFormerOwnersSignalsDoNotMatch(_ kind: Kind) async throws {
        let bus = try PrivateBus()
        let (former, new) = (try await Teller(bus, kind), try await Teller(bus, kind))
        let client = try await bus.connect()
        // The order of delivery.
        let owned = try await Listener(client, DBusMatchRule(sender: Self.name, path: path("/a")))
        let everything = try await Listener(client, DBusMatchRule(path: path("/a")))
        // A name without an owner matches no signal.
        try former.tell()
        _ = try await everything.heard.wait(for: 3)
        #expect(owned.heard.all.isEmpty)
        #expect(try await former.connection.requestName(Self.name, .allowsReplacement) == .owner)
        try former.tell()
        _ = try await everything.heard.wait(for: 6)
        #expect(owned.heard.all.count == 3)
        #expect(try await new.connection.requestName(Self.name, .replacesOwner) == .owner)
        try former.tell()
        _ = try await everything.heard.wait(for: 9)
        #expect(owned.heard.all.count == 3)
        try new.tell()
        _ = try await everything.heard.wait(for: 12)
        #expect(owned.heard.all.count == 6)
        withExtendedLifetime((everything, owned)) {}
    }

    @Test(arguments: Kind.allCases)
    func aRemovedSubscriptionGetsNoSignals(_ kind: Kind) async throws {
        let bus = try PrivateBus()
        let teller = try await Teller(bus, kind)
        let client = try await bus.connect()
        // The order of delivery.
        let removed = try await Listener(client, DBusMatchRule(path: path("/a")))
        let kept = try await Listener(client, DBusMatchRule(path: path("/a")))
        try teller.tell()
        _ = try await kept.heard.wait(for: 3)
        removed.subscription.cancel()
        try teller.tell()
        _ = try await kept.heard.wait(for: 6)
        #expect(removed.heard.all.count == 3)
        // A later subscription gets signals, too.
        let later = try await Listener(client, DBusMatchRule(path: path("/a")))
        try teller.tell()
        _ = try await kept.heard.wait(for: 9)
        _ = try await later.heard.wait(for: 3)
        #expect(removed.heard.all.count == 3)
        withExtendedLifetime((kept, later)) {}
    }
}
