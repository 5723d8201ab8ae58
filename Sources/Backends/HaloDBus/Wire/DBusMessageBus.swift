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
#endif
