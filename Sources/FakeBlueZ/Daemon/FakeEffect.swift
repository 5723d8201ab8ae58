#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What the daemon does, to be carried out in order and outside of the lock.
enum FakeEffect: Sendable {
    /// Puts an object on the bus; what is asked of it is asked of the target.
    case export(DBusObject, DBusObjectPath, FakeTarget)
    /// Takes it away.
    case unexport(DBusObjectPath)
    /// Tells other values of properties, and of some that there are none.
    case set([String: DBusValue?], of: String, at: DBusObjectPath)
    /// Gives properties of a device other values, and tells nobody.
    case conceal([String: DBusValue?], of: DBusObjectPath)
    /// Tells a value of a characteristic: what happens most.
    case value([UInt8], at: DBusObjectPath)
    /// Tells something that is no property's value.
    case signal(DBusSignal)
    /// Gives an object one more interface.
    case add(DBusInterface, [String: DBusValue], to: DBusObjectPath)
    /// Takes one from it.
    case remove(String, from: DBusObjectPath)
    /// Answers.
    case reply(DBusRequest, [DBusValue])
    /// Answers with an error.
    case refuse(DBusRequest, DBusRefusal)
    /// Lets a property have the value that it was given.
    case accept(DBusRequest)
    /// Says yes to a property whose value is told by itself.
    case acknowledge(DBusRequest)
    /// Lets go of what is never answered.
    case letGo([DBusRequest])
    /// Lets somebody else answer, who knows of what programs register.
    case register(DBusRequest, adapter: Int?)
    /// Finds out whether a device may be paired with; `isMeant` says that somebody asked for it.
    case authorize(DBusObjectPath, isMeant: Bool, FakeOperationID)
    /// A client has left the bus.
    case clientLeft(String)
    /// An adapter has been taken out.
    case adapterLeft(Int)
    /// Others may see an adapter, or no longer: what is advertised on it says so.
    case adapterShown(Int)
    /// The daemon ends as with SIGKILL.
    case die
    /// Has the daemon woken.
    case alarm(UInt64, Duration)
    /// Asks something of a remote.
    case remote(any FakeRemote, FakeRemoteCall)
    /// Makes a socket for the values of a characteristic, and answers with its other end.
    case openSocket(DBusRequest, FakeSocketPlace, mtu: UInt16)
    /// Puts a value into one.
    case send([UInt8], FakeSocketPlace)
    /// Closes one.
    case closeSocket(FakeSocketPlace)
}

extension FakeEffect {
    /// What is told of properties, with the false values that somebody wants.
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

/// What is asked of a remote.
enum FakeRemoteCall: Sendable {
    case connect(FakeRemoteLink)
    case disconnect
    case read(AttributeID, offset: Int, FakeOperationID)
    case write([UInt8], AttributeID, offset: Int = 0, WriteMode, FakeOperationID?)
    case subscribe(AttributeID, isOn: Bool, FakeOperationID?)
    case confirm(AttributeID)
    case discover(device: Int, link: UInt64)
    case stop
}

/// Which operation an answer belongs to.
struct FakeOperationID: Hashable, Sendable {
    let device: Int
    let number: UInt64
}

/// Which object something is asked of.
enum FakeTarget: Hashable, Sendable {
    case daemon
    case adapter(Int)
    case device(Int)
    case characteristic(device: Int, Int)
    case descriptor(device: Int, Int, Int)
    /// One that has no methods.
    case nothing
}

/// Which socket.
struct FakeSocketPlace: Hashable, Sendable {
    let device: Int
    let characteristic: Int
    /// Whether it is for the device's values, and not for writing.
    let isNotify: Bool
    /// Tells those of different times apart.
    let number: UInt64
}
#endif
