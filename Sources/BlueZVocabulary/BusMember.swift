#if os(Linux)
/// What the bus itself can be asked.
package enum BusMember {
    /// What it calls itself.
    package static let getID = "GetId"
    /// Which names it can have programs started for.
    package static let listActivatableNames = "ListActivatableNames"
    /// Which process has a name.
    package static let getProcessID = "GetConnectionUnixProcessID"
}
#endif
