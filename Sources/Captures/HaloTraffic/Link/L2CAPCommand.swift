/// The commands of the signalling channels that are decoded (volume 3, part A, 4).
///
/// ```
/// code (1)  identifier (1)  length (2)  then, of a request for a channel or several:  PSM (2)
/// ```
///
/// By the specification, credit based requests open bearers of attributes. Linux (BlueZ 5.66) was
/// seen to open them with low energy requests.
enum L2CAPCommand {
    static let connectionRequest: UInt8 = 0x02
    /// A peripheral's request for other parameters of the connection.
    static let parameterUpdateRequest: UInt8 = 0x12
    static let lowEnergyConnectionRequest: UInt8 = 0x14
    static let creditBasedConnectionRequest: UInt8 = 0x17

    static let headerLength = 4

    /// The PSM of attributes on a classic link.
    static let attributes: UInt16 = 0x001F
    /// The PSM of attributes on credit based channels.
    static let enhancedAttributes: UInt16 = 0x0027
}
