package import HaloTransport

/// A driver of which a test replaces a part: all else is that of another. It does not pair.
package protocol ForwardingDriver: LinkDriver {
    var base: any LinkDriver { get }
}

extension ForwardingDriver {
    package var identity: PeripheralIdentity { base.identity }
    package func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        base.discoverServices(completion)
    }
    package func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        base.read(attribute, completion)
    }
    package func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {
        base.write(value, to: attribute, mode, completion)
    }
    package func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        base.setNotify(isOn, for: attribute, completion)
    }
    package func maximumWriteLength(for mode: WriteMode) -> Int {
        base.maximumWriteLength(for: mode)
    }
    package func readRSSI(_ completion: @escaping BLECompletion<Int>) { base.readRSSI(completion) }
    package func disconnect() { base.disconnect() }
}
