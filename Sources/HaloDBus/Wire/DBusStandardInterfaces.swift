#if os(Linux)
/// `org.freedesktop.DBus`: the members of the message bus itself.
///
/// The bus has the object path ``DBusObjectPath/bus`` and the name ``DBusName/bus``.
package enum DBusMessageBus {
    /// The name of the interface, which is the bus's own name, too.
    package static let interfaceName = DBusName.bus

    /// Requests a unique name: the first call of every connection.
    package static let hello = "Hello"
    /// Requests a well-known name.
    package static let requestName = "RequestName"
    /// Releases a well-known name.
    package static let releaseName = "ReleaseName"
    /// Starts the program that is installed for a name.
    package static let startServiceByName = "StartServiceByName"
    /// Returns `true` if a name has an owner.
    package static let nameHasOwner = "NameHasOwner"
    /// Lists the names of all connections.
    package static let listNames = "ListNames"
    /// Lists the names for which the bus can start a program.
    package static let listActivatableNames = "ListActivatableNames"
    /// Adds a match rule.
    package static let addMatch = "AddMatch"
    /// Removes a match rule.
    package static let removeMatch = "RemoveMatch"
    /// Returns the unique name of a name's owner.
    package static let getNameOwner = "GetNameOwner"
    /// Lists the owner of a name and those in its queue.
    package static let listQueuedOwners = "ListQueuedOwners"
    /// Returns the user of a name's owner.
    package static let getConnectionUnixUser = "GetConnectionUnixUser"
    /// Returns the process of a name's owner.
    package static let getConnectionUnixProcessID = "GetConnectionUnixProcessID"
    /// Returns the user and the process of a name's owner.
    package static let getConnectionCredentials = "GetConnectionCredentials"
    /// Returns the identifier of the bus, 32 hexadecimal digits.
    package static let getID = "GetId"

    /// Signal: a name has another owner, or none.
    package static let nameOwnerChanged = "NameOwnerChanged"
    /// Signal to the new owner of a name.
    package static let nameAcquired = "NameAcquired"
    /// Signal to the former owner of a name.
    package static let nameLost = "NameLost"
}

/// `org.freedesktop.DBus.Properties`: reads and writes the properties of an object.
package enum DBusProperties {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.Properties"

    /// Reads one property.
    package static let get = "Get"
    /// Writes one property.
    package static let set = "Set"
    /// Reads all properties of one interface.
    package static let getAll = "GetAll"
    /// Signal: properties have new values, or values that have to be read again.
    package static let propertiesChanged = "PropertiesChanged"
}

/// `org.freedesktop.DBus.ObjectManager`: lists the objects below a path.
package enum DBusObjectManager {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.ObjectManager"

    /// Lists all objects with their interfaces and properties.
    package static let getManagedObjects = "GetManagedObjects"
    /// Signal: an object has appeared, or has more interfaces.
    package static let interfacesAdded = "InterfacesAdded"
    /// Signal: an object was removed, or has fewer interfaces.
    package static let interfacesRemoved = "InterfacesRemoved"
}

/// `org.freedesktop.DBus.Introspectable`: describes an object as XML.
package enum DBusIntrospectable {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.Introspectable"

    /// Returns the description.
    package static let introspect = "Introspect"
}

/// `org.freedesktop.DBus.Peer`: answered by every connection, at any path.
package enum DBusPeer {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.Peer"

    /// Does nothing but reply.
    package static let ping = "Ping"
    /// Returns the identifier of the computer.
    package static let getMachineID = "GetMachineId"
}

/// Names of the standard errors, which the bus and the common libraries reply with.
package enum DBusErrorName {
    private static let prefix = "org.freedesktop.DBus.Error."
    /// A generic error; the text says more.
    package static let failed = prefix + "Failed"
    /// The object does not exist.
    package static let unknownObject = prefix + "UnknownObject"
    /// The object does not have the interface.
    package static let unknownInterface = prefix + "UnknownInterface"
    /// The object does not have the method.
    package static let unknownMethod = prefix + "UnknownMethod"
    /// The interface does not have the property.
    package static let unknownProperty = prefix + "UnknownProperty"
    /// The property cannot be written.
    package static let propertyReadOnly = prefix + "PropertyReadOnly"
    /// The arguments do not fit the method.
    package static let invalidArguments = prefix + "InvalidArgs"
    /// The value has another type than the property.
    package static let invalidSignature = prefix + "InvalidSignature"
    /// The name to call has no owner, and no program can be started for it.
    package static let serviceUnknown = prefix + "ServiceUnknown"
    /// The name to look up has no owner.
    package static let nameHasNoOwner = prefix + "NameHasNoOwner"
    /// The callee disconnected, or dropped the call, without a reply.
    package static let noReply = prefix + "NoReply"
    /// A policy forbids the call.
    package static let accessDenied = prefix + "AccessDenied"
    /// The operation is not supported.
    package static let notSupported = prefix + "NotSupported"
    /// A limit of the bus or of the callee is reached.
    package static let limitsExceeded = prefix + "LimitsExceeded"
    /// The text of a match rule is invalid.
    package static let matchRuleInvalid = prefix + "MatchRuleInvalid"
    /// The match rule to remove was never added.
    package static let matchRuleNotFound = prefix + "MatchRuleNotFound"
    /// A timeout of the callee has passed.
    package static let timeout = prefix + "Timeout"
    /// A timeout has passed; an older spelling of ``timeout``.
    package static let timedOut = prefix + "TimedOut"
    /// The prefix of all errors for a program that could not be started for a name.
    package static let spawnPrefix = prefix + "Spawn."
}
#endif
