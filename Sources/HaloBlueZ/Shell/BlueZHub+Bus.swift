#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The connection to the bus, which is made when something is asked for, and again after its end.
extension BlueZHub {
    /// How long the bus has to let us in.
    static let openingTimeout: Duration = .seconds(10)

    /// What is to be heard: whose the daemon's name is, which objects it has, how they change,
    /// and why links end. None is for one device, so there are no more of them however many
    /// links there are.
    private static let rules: [DBusMatchRule] = {
        // A path that is none would mean the objects of all.
        let root = try? DBusObjectPath(BlueZDaemon.root)
        return [
            .ownerChange(of: BlueZDaemon.name),
            DBusMatchRule(
                sender: BlueZDaemon.name, interface: DBusObjectManager.interfaceName),
            DBusMatchRule(
                sender: BlueZDaemon.name, pathNamespace: root,
                interface: DBusProperties.interfaceName,
                member: DBusProperties.propertiesChanged),
        ]
            + [Device1.interfaceName, BearerLE1.interfaceName].map {
                DBusMatchRule(
                    sender: BlueZDaemon.name, pathNamespace: root, interface: $0,
                    member: Device1.disconnected)
            }
    }()

    /// Connects to the bus, wherever that is: in a container it is elsewhere, or not there at all
    /// (pitfall 25: bumble#236); the session hears how it went.
    func open(_ number: UInt64) {
        do throws(DBusError) {
            use(try connect(), number)
        } catch {
            update { $0.busEnded(number, error) }
        }
    }

    /// First it is said what is to be heard, and then everything is asked for: nothing is missed
    /// in between (pitfall 12: bleak#374 is about values).
    private func use(_ bus: DBusConnection, _ number: UInt64) {
        keep(Connection(number: number, bus: bus))
        bus.gather(for: options.gathering)
        bus.aroundMuch(begin: { [gate] in gate.open() }, end: { [gate] in gate.close() })
        bus.onEnd { [weak self] error in
            self?.update { $0.busEnded(number, error) }
        }
        do throws(DBusError) {
            for rule in Self.rules {
                let subscription = try bus.subscribe(
                    batching: rule,
                    ready: { [weak self] error in
                        guard let error else { return }
                        self?.update { $0.busEnded(number, error) }
                    },
                    values: { [weak self] values in
                        self?.update { $0.received(values, from: number) }
                    },
                    receive: { [weak self] signals in
                        self?.update { session in
                            for signal in signals { session.received(signal, from: number) }
                        }
                    })
                keep(subscription, for: number)
            }
            update { $0.opened(number) }
        } catch {
            update { $0.busEnded(number, error) }
        }
    }
}
#endif
