#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZFacts {
    /// Looks at the bus, the daemon and the computer.
    static func gathered(_ options: BlueZOptions, timeout: Duration) async -> BlueZFacts {
        var facts = BlueZFacts()
        facts.wantedAdapter = options.adapter
        if let connection = await facts.bus.connect(options.bus, timeout) {
            facts.daemon = await .gathered(connection, timeout)
            connection.close()
        }
        let settingsPath = facts.daemon.settingsPath
        facts.computer = await LocalSystem.asked { .gathered(settingsPath: settingsPath) }
        return facts
    }
}

extension BusFacts {
    /// Finds out where the bus is, and connects to it.
    fileprivate mutating func connect(
        _ given: [DBusAddress]?, _ timeout: Duration
    ) async -> DBusConnection? {
        do throws(DBusError) {
            if let given {
                (source, addresses) = (.option, given)
            } else {
                let variable = LocalSystem.environment(DBusAddress.systemBusVariable) ?? ""
                source = variable.isEmpty ? .usualPlace : .environment
                addresses = try DBusAddress.systemBus()
            }
            if let path {
                access = await LocalSystem.asked { LocalSystem.access(path, writes: true) }
            }
            return try await DBusConnection.connect(to: addresses, timeout: timeout)
        } catch {
            self.error = error
            return nil
        }
    }
}

extension DaemonFacts {
    /// The name of the daemon's process.
    private static let processName = "bluetoothd"

    /// Where its settings are, if it is one that is running here, and was told another place.
    fileprivate var settingsPath: String {
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

    /// Asks the bus about the daemon, and the daemon for its objects. A daemon that is not running
    /// is not started.
    fileprivate static func gathered(
        _ connection: DBusConnection, _ timeout: Duration
    ) async -> DaemonFacts {
        var facts = DaemonFacts()
        do throws(DBusError) {
            guard let owner = try await connection.owner(of: BlueZDaemon.name, timeout: timeout)
            else {
                let names = try await connection.ask(
                    BusMember.listActivatableNames, timeout: timeout)
                facts.isActivatable =
                    names.elements?.contains(.string(BlueZDaemon.name)) == true
                return facts
            }
            facts.isRunning = true
            await facts.lookAtProcess(of: owner, connection, timeout)
            let objects = DBusCall(
                DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
                at: BlueZDaemon.manager, on: BlueZDaemon.name)
            let reply = try await connection.call(objects, timeout: timeout)
            guard let objects = DaemonObjects(reply.values.first) else {
                throw DBusError(.unexpectedAnswer)
            }
            facts.objects = objects
        } catch {
            facts.error = error
        }
        return facts
    }

    /// Whether the owner of the name is a process here. In a container it has the number that it
    /// has outside, which here is none, or another's.
    private mutating func lookAtProcess(
        of owner: String, _ connection: DBusConnection, _ timeout: Duration
    ) async {
        let number = try? await connection.ask(
            BusMember.getProcessID, .string(owner), timeout: timeout)
        guard let process = number?.integer else { return }
        let (name, line) = await LocalSystem.asked {
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
    /// Asks the bus itself something.
    fileprivate func ask(
        _ member: String, _ arguments: DBusValue..., timeout: Duration
    ) async throws(DBusError) -> DBusValue {
        let call = DBusCall(member, of: DBusName.bus, at: .bus, on: DBusName.bus, arguments)
        return try await self.call(call, timeout: timeout).first()
    }
}
#endif
