/// A backend's end of one link: what a backend implements, and ``BLELink`` builds on.
///
/// Each function returns at once. Its completion is called once, from any thread, with what came
/// of it: at the latest when the link ends. Operations of one link are carried out in the order
/// in which they were asked for. Events go to the function that
/// ``BLETransport/openLink(to:events:completion:)`` was given, one at a time and in order; a
/// completion and the events around it keep their order too. Both are called without a lock that
/// these functions need: they may wait until one that was called by an app has returned.
public protocol LinkDriver: AnyObject, Sendable {
    /// The device at the other end.
    var identity: PeripheralIdentity { get }

    /// Discovers the services; a backend that has done so already answers from that.
    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>)

    /// Reads the whole value of a characteristic or a descriptor, however long.
    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>)

    /// Writes a value. Without a response, it is complete when there is room for the next one.
    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>)

    /// Makes the device send values of a characteristic by itself, or no longer.
    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>)

    /// The most bytes that one write can carry. With a response that is the longest value of an
    /// attribute, 512 bytes: what is longer than a packet is written in pieces. Without one, it is
    /// what fits into one packet.
    func maximumWriteLength(_ mode: WriteMode) -> Int

    /// Reads the strength of the signal in dBm, where the backend has
    /// ``TransportFeatures/connectedRSSI``.
    func readRSSI(_ completion: @escaping BLECompletion<Int>)

    /// Pairs with the device, where ``TransportFeatures/pairing`` says that this can be done; with
    /// one that is paired already, at once.
    func pair(_ completion: @escaping BLECompletion<Void>)

    /// Closes the link; ``LinkEvent/disconnected(_:)`` says when it is.
    func disconnect()
}

extension LinkDriver {
    /// Fails, as most backends pair only when an attribute demands it.
    public func pair(_ completion: @escaping BLECompletion<Void>) {
        completion(.failure(BLEError(.notSupportedHere, .pair)))
    }
}

/// What happens on a link, in the order in which it happened.
public enum LinkEvent: Hashable, Sendable {
    /// The device has sent a value by itself.
    case value(AttributeID, [UInt8])
    /// The services have changed: what was discovered is stale.
    case servicesChanged
    /// Longer or shorter values can be written than before.
    case maximumLengthChanged
    /// The link has ended; nothing follows.
    case disconnected(DisconnectReason)
}
