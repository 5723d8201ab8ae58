#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// What a link needs of the central that has opened it.
protocol LinkOwner: AnyObject {
    /// Asks the system to close a link, and ends it for a reason of ours.
    func close(_ link: PeripheralLink, _ reason: DisconnectReason)

    /// Calls ``PeripheralLink/poll()`` after a delay, if the link is still open.
    func poll(_ link: PeripheralLink, after delay: Duration)
}
#endif
