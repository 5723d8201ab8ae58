#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// An effect of ``FakeDaemon``; effects are carried out in order and outside of the lock.
enum FakeEffect: Sendable {
    /// Exports an object, whose requests go to the target.
    case export(DBusObject, DBusObjectPath, FakeTarget)
    case unexport(DBusObjectPath)
    /// Sets properties and removes those with `nil`, with a signal.
    case set([String: DBusValue?], of: String, at: DBusObjectPath)
    case setSilently([String: DBusValue?], of: DBusObjectPath)
    /// Signals a value of a characteristic: the most frequent effect.
    case value([UInt8], at: DBusObjectPath)
    case signal(DBusSignal)
    case add(DBusInterface, [String: DBusValue], to: DBusObjectPath)
    case remove(String, from: DBusObjectPath)
    case reply(DBusRequest, [DBusValue])
    case refuse(DBusRequest, DBusRefusal)
    /// Accepts the new value of a property.
    case accept(DBusRequest)
    /// Accepts the new value of a property that is set separately.
    case acknowledge(DBusRequest)
    /// Releases requests that never get a reply.
    case drop([DBusRequest])
    /// Passes a request to the registrar of applications, advertisements and agents.
    case register(DBusRequest, adapter: Int?)
    /// Requests permission to pair with a device; `isMeant` is `true` for an explicit `Pair`.
    case authorize(DBusObjectPath, isMeant: Bool, FakeOperation.ID)
    case clientDisconnected(String)
    case adapterRemoved(Int)
    /// An adapter's discoverability has changed, which its advertisements include.
    case discoverabilityChanged(Int)
    /// Ends the daemon as SIGKILL does.
    case die
    case alarm(UInt64, Duration)
    case remote(any FakeRemote, FakeRemoteCall)
    case discover(any FakeRemote, device: Int, link: UInt64)
    /// Creates a socket for a characteristic, and replies with its other end.
    case openSocket(DBusRequest, FakeCharacteristic.Socket, mtu: UInt16)
    case send([UInt8], FakeCharacteristic.Socket)
    case closeSocket(FakeCharacteristic.Socket)
}

extension FakeEffect {
    func falsified(_ quirks: FakeQuirks) -> FakeEffect {
        switch self {
        case .value(let value, let path):
            return FakeEffect.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path
            ).falsified(quirks)
        case .set(let values, let interface, let path):
            return .set(
                Dictionary(
                    uniqueKeysWithValues: values.map { name, value in
                        (name, quirks.falseValues["\(interface).\(name)"] ?? value)
                    }), of: interface, at: path)
        case .export(let object, let path, let target):
            return .export(object.falsified(quirks), path, target)
        case .add(let interface, let values, let path):
            let object = DBusObject([interface], values: [interface.name: values])
                .falsified(quirks)
            let shown = object.values[interface.name] ?? [:]
            return .add(object.interfaces.first ?? interface, shown, to: path)
        default: return self
        }
    }
}
#endif
