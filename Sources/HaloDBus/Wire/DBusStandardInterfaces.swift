#if os(Linux)
/// `org.freedesktop.DBus`: the members of the message bus itself.
///
/// The bus has the object path ``DBusObjectPath/bus`` and the name ``DBusName/bus``.
public enum DBusMessageBus {
    /// The name of the interface, which is the bus's own name, too.
    public static let interfaceName = DBusName.bus

    /// Requests a unique name: the first call of every connection.
    public static let hello = "Hello"
    /// Requests a well-known name.
    public static let requestName = "RequestName"
    /// Releases a well-known name.
    public static let releaseName = "ReleaseName"
    /// Starts the program that is installed for a name.
    public static let startServiceByName = "StartServiceByName"
    /// Returns `true` if a name has an owner.
    public static let nameHasOwner = "NameHasOwner"
    /// Lists the names of all connections.
    public static let listNames = "ListNames"
    /// Lists the names for which the bus can start a program.
    public static let listActivatableNames = "ListActivatableNames"
    /// Adds a match rule.
    public static let addMatch = "AddMatch"
    /// Removes a match rule.
    public static let removeMatch = "RemoveMatch"
    /// Returns the unique name of a name's owner.
    public static let getNameOwner = "GetNameOwner"
    /// Lists the owner of a name and those in its queue.
    public static let listQueuedOwners = "ListQueuedOwners"
    /// Returns the user of a name's owner.
    public static let getConnectionUnixUser = "GetConnectionUnixUser"
    /// Returns the process of a name's owner.
    public static let getConnectionUnixProcessID = "GetConnectionUnixProcessID"
    /// Returns the user and the process of a name's owner.
    public static let getConnectionCredentials = "GetConnectionCredentials"
    /// Returns the identifier of the bus, 32 hexadecimal digits.
    public static let getID = "GetId"

    /// Signal: a name has another owner, or none.
    public static let nameOwnerChanged = "NameOwnerChanged"
    /// Signal to the new owner of a name.
    public static let nameAcquired = "NameAcquired"
    /// Signal to the former owner of a name.
    public static let nameLost = "NameLost"
}

/// `org.freedesktop.DBus.Properties`: reads and writes the properties of an object.
public enum DBusProperties {
    /// The name of the interface.
    public static let interfaceName = "org.freedesktop.DBus.Properties"

    /// Reads one property.
    public static let get = "Get"
    /// Writes one property.
    public static let set = "Set"
    /// Reads all properties of one interface.
    public static let getAll = "GetAll"
    /// Signal: properties have new values, or values that have to be read again.
    public static let propertiesChanged = "PropertiesChanged"
}

/// `org.freedesktop.DBus.ObjectManager`: lists the objects below a path.
public enum DBusObjectManager {
    /// The name of the interface.
    public static let interfaceName = "org.freedesktop.DBus.ObjectManager"

    /// Lists all objects with their interfaces and properties.
    public static let getManagedObjects = "GetManagedObjects"
    /// Signal: an object has appeared, or has more interfaces.
    public static let interfacesAdded = "InterfacesAdded"
    /// Signal: an object was removed, or has fewer interfaces.
    public static let interfacesRemoved = "InterfacesRemoved"
}

/// `org.freedesktop.DBus.Introspectable`: describes an object as XML.
public enum DBusIntrospectable {
    /// The name of the interface.
    public static let interfaceName = "org.freedesktop.DBus.Introspectable"

    /// Returns the description.
    public static let introspect = "Introspect"
}

/// `org.freedesktop.DBus.Peer`: answered by every connection, at any path.
public enum DBusPeer {
    /// The name of the interface.
    public static let interfaceName = "org.freedesktop.DBus.Peer"

    /// Does nothing but reply.
    public static let ping = "Ping"
    /// Returns the identifier of the computer.
    public static let getMachineID = "GetMachineId"
}

/// Names of the standard errors, which the bus and the common libraries reply with.
public enum DBusErrorName {
    private static let prefix = "org.freedesktop.DBus.Error."
    /// A generic error; the text says more.
    public static let failed = prefix + "Failed"
    /// The object does not exist.
    public static let unknownObject = prefix + "UnknownObject"
    /// The object does not have the interface.
    public static let unknownInterface = prefix + "UnknownInterface"
    /// The object does not have the method.
    public static let unknownMethod = prefix + "UnknownMethod"
    /// The interface does not have the property.
    public static let unknownProperty = prefix + "UnknownProperty"
    /// The property cannot be written.
    public static let propertyReadOnly = prefix + "PropertyReadOnly"
    /// The arguments do not fit the method.
    public static let invalidArguments = prefix + "InvalidArgs"
    /// The value has another type than the property.
    public static let invalidSignature = prefix + "InvalidSignature"
    /// The name to call has no owner, and no program can be started for it.
    public static let serviceUnknown = prefix + "ServiceUnknown"
    /// The name to look up has no owner.
    public static let nameHasNoOwner = prefix + "NameHasNoOwner"
    /// The callee disconnected, or dropped the call, without a reply.
    public static let noReply = prefix + "NoReply"
    /// A policy forbids the call.
    public static let accessDenied = prefix + "AccessDenied"
    /// The operation is not supported.
    public static let notSupported = prefix + "NotSupported"
    /// A limit of the bus or of the callee is reached.
    public static let limitsExceeded = prefix + "LimitsExceeded"
    /// The text of a match rule is invalid.
    public static let matchRuleInvalid = prefix + "MatchRuleInvalid"
    /// The match rule to remove was never added.
    public static let matchRuleNotFound = prefix + "MatchRuleNotFound"
    /// A timeout of the callee has passed.
    public static let timeout = prefix + "Timeout"
    /// A timeout has passed; an older spelling of ``timeout``.
    public static let timedOut = prefix + "TimedOut"
    /// The prefix of all errors for a program that could not be started for a name.
    public static let spawnPrefix = prefix + "Spawn."
}
#endif
