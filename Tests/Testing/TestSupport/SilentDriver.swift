package import HaloTransport

/// A driver that completes nothing, has the default pairing, and calls a function in its `deinit`.
package final class SilentDriver: LinkDriver {
    package let identity: PeripheralIdentity
    private let ended: @Sendable () -> Void

    package init(
        _ identity: PeripheralIdentity = PeripheralIdentity("ring"),
        ended: @escaping @Sendable () -> Void = {}
    ) {
        (self.identity, self.ended) = (identity, ended)
    }

    deinit { ended() }

    package func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {}
    package func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {}
    package func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {}
    package func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {}
    package func maximumWriteLength(for mode: WriteMode) -> Int { 20 }
    package func disconnect() {}
}
