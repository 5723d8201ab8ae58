/// One of a ring's two services.
public enum RingChannel: Hashable, Sendable, CaseIterable {
    /// The service of 16-byte frames: ``RingServices/uart``.
    case uart
    /// The service of frames with a length: ``RingServices/bigData``.
    case bigData
}
