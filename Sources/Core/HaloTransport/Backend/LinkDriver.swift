/// One link of a backend: the primitives on which ``BLELink`` is built.
///
/// Each function returns at once. Its completion is called once, from any thread, when the
/// operation is complete: at the latest when the link ends. Operations of one link are carried out
/// in the order of the calls. Events go to the `events` function of
/// ``BLETransport/openLink(to:events:completion:)``, one at a time and in order; completions and
/// events keep their common order too.
///
/// Events and completions must be called without a lock that these functions take: such a call may
/// wait for the return of a function that an app's thread has called.
public protocol LinkDriver: AnyObject, Sendable {
    /// The device at the other end.
    var identity: PeripheralIdentity { get }

    /// Discovers the services with their characteristics and descriptors; a backend may answer
    /// from an earlier discovery.
    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>)

    /// Reads the whole value of a characteristic or a descriptor, however long.
    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>)

    /// Writes a value. Without a response, the write is complete when there is room for the next
    /// one.
    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>)

    /// Switches notifications or indications of a characteristic on or off.
    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>)

    /// Returns the maximum number of bytes of one write.
    ///
    /// With a response, that is the maximum length of an attribute, 512 bytes: a value longer than
    /// a packet is written in pieces. Without a response, it is the room in one packet.
    func maximumWriteLength(for mode: WriteMode) -> Int

    /// Reads the RSSI in dBm, where the backend has ``TransportFeatures/connectedRSSI``.
    func readRSSI(_ completion: @escaping BLECompletion<Int>)

    /// Pairs with the device, where the backend has ``TransportFeatures/pairing``. If the device is
    /// already paired, the call completes at once.
    func pair(_ completion: @escaping BLECompletion<Void>)

    /// Closes the link; ``LinkEvent/disconnected(_:)`` follows when it is closed.
    func disconnect()
}

extension LinkDriver {
    /// Fails: many systems know the RSSI of advertisements only.
    public func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        completion(.failure(BLEError(.notSupported, .readRSSI)))
    }

    /// Fails: most backends pair only when an attribute demands it.
    public func pair(_ completion: @escaping BLECompletion<Void>) {
        completion(.failure(BLEError(.notSupported, .pair)))
    }
}
