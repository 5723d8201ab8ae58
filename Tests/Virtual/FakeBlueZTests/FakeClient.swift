import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport

/// A plain D-Bus client of a fake daemon: it calls by paths, and records the signals.
final class FakeClient: Sendable {
    let connection: DBusConnection
    /// The timeout of a call. Between a call and its reply thousands of tests can have their turn.
    private static let timeout: Duration = .seconds(200)
    private let heard = Locked<[String]>([])
    private let subscription: DBusSubscription

    init(_ fake: FakeBlueZ) async throws {
        connection = try await fake.bus.connect()
        let heard = self.heard
        subscription = try await connection.subscription(
            DBusMatchRule(sender: BlueZDaemon.name)
        ) { signal in
            let text = Self.text(signal)
            heard.withLock { $0.append(text) }
        }
    }

    /// The signals so far, one line each.
    var signals: [String] { heard.withLock { $0 } }

    /// Makes a call whose reply is recorded among the signals: its name and `OK`, or the error.
    func note(
        _ member: String, _ interface: String, _ path: String, _ arguments: DBusValue...
    ) throws {
        let call = DBusCall(
            member, of: interface, at: try DBusObjectPath(path), on: BlueZDaemon.name, arguments)
        let heard = self.heard
        connection.call(call, timeout: Self.timeout) { result in
            let text: String
            switch result {
            case .success: text = "= \(member) OK"
            case .failure(let error): text = "= \(member) \(Refusal(error).text)"
            }
            heard.withLock { $0.append(text) }
        }
    }

    func forget() { heard.withLock { $0 = [] } }

    /// Stops the subscription to signals.
    func stopHearing() { subscription.cancel() }

    /// Makes a call; returns its reply, or the error as `name: text`.
    func call(
        _ member: String, _ interface: String, _ path: String, _ arguments: DBusValue...
    ) async -> Result<DBusReply, Refusal> {
        do {
            let call = DBusCall(
                member, of: interface, at: try DBusObjectPath(path), on: BlueZDaemon.name,
                arguments)
            return .success(try await connection.call(call, timeout: Self.timeout))
        } catch {
            return .failure(Refusal(error))
        }
    }

    /// Makes a call: returns `OK`, or the error.
    func say(
        _ member: String, _ interface: String, _ path: String, _ arguments: DBusValue...
    ) async -> String {
        do {
            let call = DBusCall(
                member, of: interface, at: try DBusObjectPath(path), on: BlueZDaemon.name,
                arguments)
            _ = try await connection.call(call, timeout: Self.timeout)
            return "OK"
        } catch {
            return Refusal(error).text
        }
    }

    /// Makes a call, and returns when the daemon has received it.
    func begin(
        _ member: String, _ interface: String, _ path: String, _ arguments: DBusValue...,
        timeout: Duration = FakeClient.timeout
    ) async throws -> Promise<String, BLEError> {
        let answer = Promise<String, BLEError>(for: .read, on: SystemTime())
        let call = DBusCall(
            member, of: interface, at: try DBusObjectPath(path), on: BlueZDaemon.name, arguments)
        connection.call(call, timeout: timeout) { result in
            switch result {
            case .success: answer.resolve(.success("OK"))
            case .failure(let error): answer.resolve(.success(Refusal(error).text))
            }
        }
        // What is asked after it is answered after the daemon has seen it.
        _ = await say("Ping", "org.freedesktop.DBus.Peer", "/")
        _ = await say(Adapter1.getDiscoveryFilters, Adapter1.interfaceName, "/org/bluez/hci0")
        return answer
    }

    func property(_ name: String, _ interface: String, _ path: String) async -> DBusValue? {
        let reply = await call(
            DBusProperties.get, DBusProperties.interfaceName, path, .string(interface),
            .string(name))
        guard case .variant(let content)? = try? reply.get().first() else { return nil }
        return content
    }

    func set(
        _ name: String, _ interface: String, _ path: String, _ value: DBusValue
    ) async -> String {
        await say(
            DBusProperties.set, DBusProperties.interfaceName, path, .string(interface),
            .string(name), .variant(value))
    }

    /// All objects with their interfaces and values.
    func objects() async throws -> [String: [String: DBusValue]] {
        let manager = "org.freedesktop.DBus.ObjectManager"
        let reply = try await call("GetManagedObjects", manager, "/").get()
        var objects: [String: [String: DBusValue]] = [:]
        for entry in try reply.first().entries ?? [] {
            guard let path = entry.key.objectPath else { continue }
            for interface in entry.value.entries ?? [] {
                guard let name = interface.key.string else { continue }
                objects[path.text, default: [:]][name] = interface.value
            }
        }
        return objects
    }

    /// Waits until the signals meet a condition.
    func wait(
        file: String = #fileID, line: Int = #line, until isDone: ([String]) -> Bool
    ) async throws {
        try await eventually("\(file):\(line), after \(signals.suffix(20))") { isDone(signals) }
    }

    /// Waits for a signal that contains a text.
    func hears(_ text: String) async throws {
        try await eventually("'\(text)', after \(signals.suffix(20))") {
            signals.contains { $0.contains(text) }
        }
    }

    struct Refusal: Error, CustomStringConvertible {
        let error: any Error
        init(_ error: any Error) { self.error = error }
        var text: String {
            guard let error = error as? DBusError else { return "\(error)" }
            return [error.name ?? "\(error.kind)", error.details ?? ""].joined(separator: ": ")
        }
        var description: String { text }
    }

    private static func text(_ signal: DBusSignal) -> String {
        let path = signal.path.text.replacing("/org/bluez/hci0/", with: "")
        switch signal.member {
        case "PropertiesChanged":
            let changed = (signal.values.dropFirst().first?.entries ?? []).map {
                "\($0.key.string ?? "?")=\(short($0.value.unwrapped))"
            }
            let gone = (signal.values.last?.elements ?? []).compactMap(\.string).map { "-\($0)" }
            return "\(path) \((changed + gone).joined(separator: " "))"
        case "InterfacesAdded":
            let names = (signal.values.last?.entries ?? []).compactMap(\.key.string)
            return "+\(object(signal)) \(own(names))"
        case "InterfacesRemoved":
            let names = (signal.values.last?.elements ?? []).compactMap(\.string)
            return "-\(object(signal)) \(own(names))"
        default:
            let values = signal.values.map { " \(short($0))" }.joined()
            return "\(path) \(signal.member)\(values)"
        }
    }

    private static func object(_ signal: DBusSignal) -> String {
        (signal.values.first?.objectPath?.text ?? "?").replacing("/org/bluez/hci0/", with: "")
    }

    private static func own(_ names: [String]) -> String {
        names.filter { $0.hasPrefix("org.bluez.") }
            .map { $0.replacing("org.bluez.", with: "") }.sorted().joined(separator: ",")
    }

    private static func short(_ value: DBusValue) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .string(let text): text
        case .bytes(let bytes): "\(bytes)"
        default: value.integer.map { "\($0)" } ?? "…"
        }
    }
}
