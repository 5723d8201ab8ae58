enum HCIDirection: Hashable, Sendable, CaseIterable {
    case toController
    case toHost

    var opposite: HCIDirection { self == .toHost ? .toController : .toHost }
}
