#if os(Linux)
/// What the daemon says when it does not take an application or an advertisement, as 5.66 said it.
package enum RegistrationText {
    /// The program told of no objects.
    package static let noObject = "No object received"
    /// There is no service, or a characteristic or descriptor is not whole.
    package static let noService = "No valid service object found"
    /// A service is not whole, or one that the daemon has to itself; or a UUID is none.
    package static let noEntry = "Failed to create entry in database"
    /// Another program has registered this profile; never seen.
    package static let taken = "UUID already registered"
    /// The controller has no room for another advertisement.
    package static let tooMany = "Maximum advertisements reached"
    /// It was taken back before it was registered; by switch only, never seen.
    package static let incomplete = "Failed to complete registration"
    /// A property of an advertisement is none, or one structure is too long.
    package static let unreadable = "Failed to parse advertisement."
    /// The kernel does not take it: the whole is too long for the controller, or that is off.
    package static let notTaken = "Failed to register advertisement"
}
#endif
