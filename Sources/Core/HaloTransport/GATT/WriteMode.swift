/// The two ways to write a value.
public enum WriteMode: Hashable, Sendable, CaseIterable {
    /// The device confirms the write, or refuses it with an error.
    case withResponse
    /// The device does not respond: the write is complete when there is room for the next one.
    case withoutResponse

    var property: GATTProperties {
        switch self {
        case .withResponse: .write
        case .withoutResponse: .writeWithoutResponse
        }
    }
}
