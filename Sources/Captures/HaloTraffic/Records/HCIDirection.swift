/// The direction of a packet between a host and its controller.
enum HCIDirection: Hashable, Sendable, CaseIterable {
    /// From the host into the air.
    case toController
    /// Out of the air to the host.
    case toHost

    var opposite: HCIDirection {
        switch self {
        case .toController: .toHost
        case .toHost: .toController
        }
    }
}
