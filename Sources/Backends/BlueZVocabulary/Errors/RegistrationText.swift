#if os(Linux)
/// The texts of 5.66 when it refuses to register an application or an advertisement.
package enum RegistrationText {
    /// The program's object manager lists no objects.
    package static let noObject = "No object received"
    /// There is no service, or a characteristic or descriptor lacks a property.
    package static let noService = "No valid service object found"
    /// A service lacks a property, has an invalid UUID, or is one that the daemon provides.
    package static let noEntry = "Failed to create entry in database"
    /// The controller has no room for another advertisement.
    package static let tooMany = "Maximum advertisements reached"
    /// The registration was withdrawn before it was complete; never seen.
    package static let incomplete = "Failed to complete registration"
    /// A property of the advertisement is invalid, or one of its structures too long.
    package static let unreadable = "Failed to parse advertisement."
    /// The kernel refuses: the advertisement is too long, or the controller is off.
    package static let notRegistered = "Failed to register advertisement"
}
#endif
