#if os(Linux)
/// `org.freedesktop.DBus`: the members of the message bus itself.
///
/// The bus has the object path ``DBusObjectPath/bus`` and the name ``DBusName/bus``.
package enum DBusMessageBus {
    /// The name of the interface, which is the bus's own name, too.
    package static let interfaceName = DBusName.bus

    /// Requests a unique name: the first call of every connection.
    package static let hello = "Hello"
    package static let requestName = "RequestName"
    package static let releaseName = "ReleaseName"
    /// Starts the program that is installed for a name.
    package static let startServiceByName = "StartServiceByName"
    package static let nameHasOwner = "NameHasOwner"
    package static let listNames = "ListNames"
    /// Lists the names for which the bus can start a program.
    package static let listActivatableNames = "ListActivatableNames"
    package static let addMatch = "AddMatch"
    package static let removeMatch = "RemoveMatch"
    package static let getNameOwner = "GetNameOwner"
    /// Lists the owner of a name and those in its queue.
    package static let listQueuedOwners = "ListQueuedOwners"
    package static let getConnectionUnixUser = "GetConnectionUnixUser"
    package static let getConnectionUnixProcessID = "GetConnectionUnixProcessID"
    package static let getConnectionCredentials = "GetConnectionCredentials"
    package static let getID = "GetId"

    package static let nameOwnerChanged = "NameOwnerChanged"
    /// Signal to the new owner of a name.
    package static let nameAcquired = "NameAcquired"
    /// Signal to the former owner of a name.
    package static let nameLost = "NameLost"
}
#endif
