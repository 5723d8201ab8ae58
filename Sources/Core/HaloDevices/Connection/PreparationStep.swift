enum PreparationStep<Client: DeviceClient>: Sendable {
    case discover
    /// Subscribes to a channel, if the device has it.
    case subscribe(Client.Channel)
    case client(Client.Step)

    /// `true` if the device is of no use without it.
    var isRequired: Bool {
        switch self {
        case .discover, .subscribe: true
        case .client: false
        }
    }
}
