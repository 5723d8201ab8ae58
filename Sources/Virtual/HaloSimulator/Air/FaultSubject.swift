/// The subject of a fault: a kind of packet, or a connection. Random faults are derived from the
/// number, and logs have the name.
package enum FaultSubject: UInt64, Hashable, Sendable, CaseIterable {
    /// A notification or an indication.
    case notification
    /// A value written by a central, with or without response.
    case write
    /// A read, or a further part of a long read.
    case read
    case subscription
    case connection

    func admits(_ fault: LinkFault) -> Bool {
        FaultRates().choices(for: self).contains { $0.fault.hasKind(of: fault) }
    }
}
