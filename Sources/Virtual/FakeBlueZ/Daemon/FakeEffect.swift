#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// An effect of ``FakeDaemon``; effects are carried out in order and outside of the lock.
enum FakeEffect: Sendable {
    /// Exports an object, whose requests go to the target.
    case export(DBusObject, DBusObjectPath, FakeTarget)
    /// Unexports an object.
    case unexport(DBusObjectPath)
    /// Sets properties and removes those with `nil`, with a signal.
    case set([String: DBusValue?], of: String, at: DBusObjectPath)
    /// Sets properties of a device without a signal.
    case setSilently([String: DBusValue?], of: DBusObjectPath)
    /// Signals a value of a characteristic: the most frequent effect.
    case value([UInt8], at: DBusObjectPath)
    /// Emits a signal.
    case signal(DBusSignal)
    /// Adds an interface to an object.
    case add(DBusInterface, [String: DBusValue], to: DBusObjectPath)
    /// Removes an interface from an object.
    case remove(String, from: DBusObjectPath)
    /// Replies to a request.
    case reply(DBusRequest, [DBusValue])
    /// Replies with an error.
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
    /// A client has left the bus.
    case clientDisconnected(String)
    /// An adapter has been removed.
    case adapterRemoved(Int)
    /// An adapter's discoverability has changed, which its advertisements include.
    case discoverabilityChanged(Int)
    /// Ends the daemon as SIGKILL does.
    case die
    /// Starts a timer.
    case alarm(UInt64, Duration)
    case remote(any FakeRemote, FakeRemoteCall)
    /// Discovers the services of a remote for a device on a link.
    case discover(any FakeRemote, device: Int, link: UInt64)
    /// Creates a socket for a characteristic, and replies with its other end.
    case openSocket(DBusRequest, FakeCharacteristic.Socket, mtu: UInt16)
    /// Sends a value through a socket.
    case send([UInt8], FakeCharacteristic.Socket)
    /// Closes a socket.
    case closeSocket(FakeCharacteristic.Socket)
}

extension FakeEffect {
    /// Returns the effect with the false values of the quirks.
    func falsified(_ quirks: FakeQuirks) -> FakeEffect {
        switch self {
        case .value(let value, let path):
            FakeEffect.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path
            ).falsified(quirks)
        case .set(let values, let interface, let path):
            .set(
                Dictionary(
                    uniqueKeysWithValues: values.map { name, value in
                        (name, quirks.falseValues["\(interface).\(name)"] ?? value)
                    }), of: interface, at: path)
        default: self
        }
    }
}
#endif
