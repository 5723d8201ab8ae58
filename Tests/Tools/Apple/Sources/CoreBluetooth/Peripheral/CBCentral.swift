public import Foundation
internal import HaloTransport

/// A central that uses the services of this phone.
public class CBCentral: CBPeer {
    /// The maximum number of bytes of one notification.
    public var maximumUpdateValueLength: Int { length.value }

    let length: Guarded<Int>

    init(_ identifier: UUID, length: Guarded<Int>) {
        self.length = length
        super.init(identifier)
    }
}

/// A read or a write of a central.
public class CBATTRequest: NSObject {
    /// The central.
    public let central: CBCentral
    /// The characteristic, one of the hosted ones.
    public let characteristic: CBCharacteristic
    /// The position in the value at which the read or the write begins.
    public let offset: Int
    /// The written bytes, or the bytes that answer a read: those from the offset on.
    public var value: Data?
    /// The radio's number of the request; `nil` for a write without response.
    let token: ResponseToken?
    let isRead: Bool

    init(
        _ central: CBCentral, _ characteristic: CBCharacteristic, offset: Int, value: Data?,
        token: ResponseToken?, isRead: Bool
    ) {
        self.central = central
        self.characteristic = characteristic
        self.offset = offset
        self.value = value
        self.token = token
        self.isRead = isRead
    }
}

@available(*, unavailable)
extension CBATTRequest: Sendable {}
