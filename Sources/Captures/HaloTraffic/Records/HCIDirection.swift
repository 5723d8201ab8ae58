enum HCIDirection: Hashable, Sendable, CaseIterable {
    case toController
    case toHost

    var opposite: HCIDirection {
        switch self {
        case .toController: .toHost
        case .toHost: .toController
        }
    }
}
