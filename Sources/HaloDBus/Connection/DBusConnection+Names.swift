#if os(Linux)
extension DBusConnection {
    /// How a name is asked for, as bits.
    public struct NameOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Options by their bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Others may take it away.
        public static let allowsReplacement = NameOptions(rawValue: 1)
        /// It is taken away from its owner, if that one allows it.
        public static let replacesOwner = NameOptions(rawValue: 2)
        /// It is not waited for.
        public static let doesNotQueue = NameOptions(rawValue: 4)
    }

    /// What became of asking for a name.
    public enum NameRequest: UInt32, Hashable, Sendable {
        /// It is ours.
        case owner = 1
        /// It will be ours when those before us give it up.
        case queued = 2
        /// It is somebody else's.
        case taken = 3
        /// It has been ours already.
        case alreadyOwner = 4
    }

    /// Asks for a name by which others can find us.
    @discardableResult
    public nonisolated(nonsending) func requestName(
        _ name: String, _ options: NameOptions = [], timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> NameRequest {
        let reply = try await call(
            .bus("RequestName", .string(name), .uint32(options.rawValue)), timeout: timeout)
        guard case .uint32(let number) = try reply.first(),
            let result = NameRequest(rawValue: number)
        else { throw DBusError(.unexpectedAnswer, details: "RequestName") }
        return result
    }

    /// Gives up a name; whether it was ours.
    @discardableResult
    public nonisolated(nonsending) func releaseName(
        _ name: String, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> Bool {
        try await call(.bus("ReleaseName", .string(name)), timeout: timeout).first() == .uint32(1)
    }

    /// The name that the bus gave to whoever owns a name, if anybody does.
    public nonisolated(nonsending) func owner(
        of name: String, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> String? {
        do throws(DBusError) {
            return try await call(.bus("GetNameOwner", .string(name)), timeout: timeout).string()
        } catch {
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return nil
        }
    }

    /// The names of everybody on the bus.
    public nonisolated(nonsending) func names(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> [String] {
        let reply = try await call(.bus("ListNames"), timeout: timeout)
        return (try reply.first().elements ?? []).compactMap(\.string)
    }
}
#endif
