import HaloTesting
import TestSupport
import Testing

@testable import HaloDBus

/// Values of a property that are delivered together equal the signals that they came in.
@Suite(.takesTurns) struct PropertyValuesTests {
    private static func signal(
        _ value: DBusValue, of name: String = "Value", at place: String = "/a",
        _ interface: String = "x.y"
    ) -> DBusSignal {
        DBusSignal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path(place),
            [
                .string(interface),
                .dictionary(
                    key: .string, value: .variant, [DBusEntry(.string(name), .variant(value))]),
                .array(.string, []),
            ])
    }

    /// Changes of two objects, of two properties, with other signals between them.
    private static let signals: [DBusSignal] = (0..<200).map { number in
        let bytes = DBusValue.bytes(Array(repeating: UInt8(number), count: number % 40))
        return switch number % 23 {
        case 19: signal(.byte(UInt8(number)))
        case 20: signal(bytes, of: "Other")
        case 21: DBusSignal("Else", of: "x.y", at: path("/a"), [bytes])
        case 22: signal(bytes, at: "/a", "x.z")
        case 12..<16: signal(bytes, at: "/b")
        default: signal(bytes)
        }
    }

    private static func isSame(_ one: DBusSignal, _ other: DBusSignal) -> Bool {
        one.path == other.path && one.interface == other.interface && one.member == other.member
            && one.values == other.values
    }

    @Test(arguments: TestBus.available)
    func valuesEqualTheirSignals(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<DBusSignal>()
        let rows = Collector<Int>()
        let rule = DBusMatchRule(sender: teller.uniqueName)
        let subscription = try listener.subscribe(
            rule,
            values: { values in
                rows.append(values.values.count)
                #expect(values.source.sender == teller.uniqueName)
                for signal in values.signals { heard.append(signal) }
            },
            receive: { heard.append($0) })
        // A subscription without a handler of values.
        let plain = Collector<DBusSignal>()
        let other = try await listener.subscription(rule, receive: { plain.append($0) })
        for _ in 0..<3 {
            for signal in Self.signals { try teller.emit(signal) }
        }
        let expected = Self.signals + Self.signals + Self.signals
        for collector in [heard, plain] {
            let all = try await collector.wait(for: expected.count)
            #expect(all.count == expected.count)
            #expect(zip(all, expected).allSatisfy(Self.isSame))
        }
        // Most were delivered that way, and several at a time.
        let counts = try await rows.wait(for: 1)
        #expect(counts.reduce(0, +) > expected.count / 2)
        withExtendedLifetime((subscription, other)) {}
    }

    /// A subscription ends, or begins, between values that came at once.
    @Test func subscriptionsChangeBetweenValues() async throws {
        let bus = try PrivateBus()
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let rule = DBusMatchRule(interface: "org.freedesktop.DBus.Properties")
        let (first, second) = (Collector<[UInt8]>(), Collector<[UInt8]>())
        func subscribe(_ collector: Collector<[UInt8]>) throws -> DBusSubscription {
            try listener.subscribe(
                rule, values: { for value in $0.values { collector.append(value) } },
                receive: { signal in
                    let entry = signal.values[1].entries?.first
                    if case .variant(.bytes(let bytes))? = entry?.value { collector.append(bytes) }
                })
        }
        let one = try subscribe(first)
        // The bus has the rule once it has replied to a later call.
        _ = try await listener.call(.bus("GetId"))
        for number in 0..<10 { try teller.emit(Self.signal(.bytes([UInt8(number)]))) }
        _ = try await first.wait(for: 10)
        let other = try subscribe(second)
        _ = try await listener.call(.bus("GetId"))
        for number in 10..<20 { try teller.emit(Self.signal(.bytes([UInt8(number)]))) }
        #expect(try await first.wait(for: 20) == (0..<20).map { [UInt8($0)] })
        #expect(try await second.wait(for: 10) == (10..<20).map { [UInt8($0)] })
        one.cancel()
        for number in 20..<30 { try teller.emit(Self.signal(.bytes([UInt8(number)]))) }
        #expect(try await second.wait(for: 20) == (10..<30).map { [UInt8($0)] })
        #expect(try await first.wait(for: 20).count == 20)
        withExtendedLifetime(other) {}
    }
}
