/// The person who holds the phone, and taps on pickers.
public struct PickerUser: Hashable, Sendable {
    /// The tap on a picker that shows accessories.
    public enum Choice: Hashable, Sendable {
        /// Chooses an accessory by its index on the screen, in the order in which they were found,
        /// as soon as it is shown.
        case choose(Int)
        /// Chooses the accessory of a device with this name, as soon as it is shown.
        case chooseNamed(String)
        /// Chooses an accessory by its index, and the pairing fails: a wrong code, or a refusal.
        case failPairing(Int)
        /// Closes the picker at once.
        case cancel
        /// Looks at the picker, and taps on nothing.
        case wait
    }

    /// The tap on a picker.
    public var choice: Choice
    /// The name that is typed where one is asked for; `nil` to leave the name as it is.
    public var newName: String?

    /// Creates a person, who by default chooses the first accessory.
    public init(_ choice: Choice = .choose(0), newName: String? = nil) {
        self.choice = choice
        self.newName = newName
    }
}
