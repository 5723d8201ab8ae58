#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

struct DaemonFacts: Sendable {
    /// `true` if the daemon's name has an owner.
    var isRunning = false
    /// `true` if the bus can start the daemon.
    var isActivatable = false
    /// `true` if the daemon's process is visible here: only then its settings can be read.
    var isLocal = false
    var arguments: [String] = []
    /// The daemon's objects; `nil` if they were not requested, or no reply came.
    var objects: DaemonObjects?
    var error: DBusError?

    private static let processName = "bluetoothd"

    /// The path of the settings: from the daemon's command line, if it runs on this computer.
    var settingsPath: String {
        for (index, argument) in arguments.enumerated() {
            // bluetoothd has -f FILE, --configfile FILE, and both with the value attached.
            if argument == "-f" || argument == "--configfile" {
                return arguments.dropFirst(index + 1).first ?? DaemonSettings.usualPath
            }
            for beginning in ["--configfile=", "-f"] where argument.hasPrefix(beginning) {
                return String(argument.dropFirst(beginning.count))
            }
        }
        return DaemonSettings.usualPath
    }

    /// Asks the bus about the daemon, and the daemon for its objects; it is not started.
    static func collect(
        _ connection: DBusConnection, _ timeout: Duration
    ) async -> DaemonFacts {
        var facts = DaemonFacts()
        do throws(DBusError) {
            guard let owner = try await connection.owner(of: BlueZDaemon.name, timeout: timeout)
            else {
                let names = try await connection.ask(
                    DBusMessageBus.listActivatableNames, timeout: timeout)
                facts.isActivatable = names.elements?.contains(.string(BlueZDaemon.name)) == true
                return facts
            }
            facts.isRunning = true
            await facts.checkProcess(of: owner, connection, timeout)
            let objects = DBusCall(
                DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
                at: BlueZDaemon.manager, on: BlueZDaemon.name)
            let reply = try await connection.call(objects, timeout: timeout)
            guard let objects = DaemonObjects(reply.values.first) else {
                throw DBusError(.unexpectedReply)
            }
            facts.objects = objects
        } catch { facts.error = error }
        return facts
    }

    /// Looks up the process that owns the name. In this container, the process ID of a daemon
    /// outside is unused, or belongs to another process.
    private mutating func checkProcess(
        of owner: String, _ connection: DBusConnection, _ timeout: Duration
    ) async {
        let number = try? await connection.ask(
            DBusMessageBus.getConnectionUnixProcessID, .string(owner), timeout: timeout)
        guard let process = number?.integer else { return }
        let (name, line) = await LocalSystem.onThread {
            (
                LocalSystem.content("/proc/\(process)/comm"),
                LocalSystem.content("/proc/\(process)/cmdline")
            )
        }
        isLocal = name == Self.processName + "\n"
        guard isLocal, let line else { return }
        arguments = line.split(separator: "\0").dropFirst().map(String.init)
    }
}

extension DBusConnection {
    fileprivate func ask(_ member: String, _ arguments: DBusValue..., timeout: Duration)
        async throws(DBusError) -> DBusValue
    {
        let call = DBusCall(member, of: DBusName.bus, at: .bus, on: DBusName.bus, arguments)
        return try await self.call(call, timeout: timeout).first()
    }
}
#endif
