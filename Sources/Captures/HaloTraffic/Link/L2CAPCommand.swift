/// The commands of the signalling channels that are decoded (volume 3, part A, 4).
///
/// ```
/// code (1)  identifier (1)  length (2)  then
/// connection request:               PSM (2)  source channel (2)
/// disconnection request:            destination channel (2)  source channel (2)
/// low energy connection request:    PSM (2)  source channel (2)  MTU (2)  MPS (2)  credits (2)
/// low energy connection response:   destination channel (2)  MTU (2)  MPS (2)  credits (2) …
/// credit based connection request:  PSM (2)  MTU (2)  MPS (2)  credits (2)  source channels (2…)
/// credit based connection response: MTU (2)  MPS (2)  credits (2)  result (2)  destinations (2…)
/// ```
///
/// By the specification, the last two open bearers of attributes. Linux (BlueZ 5.66) was seen to
/// open them one by one with the two before.
enum L2CAPCommand {
    static let connectionRequest: UInt8 = 0x02
    static let disconnectionRequest: UInt8 = 0x06
    /// A peripheral's request for other parameters of the connection.
    static let parameterUpdateRequest: UInt8 = 0x12
    static let lowEnergyConnectionRequest: UInt8 = 0x14
    static let lowEnergyConnectionResponse: UInt8 = 0x15
    static let creditBasedConnectionRequest: UInt8 = 0x17
    static let creditBasedConnectionResponse: UInt8 = 0x18

    static let headerLength = 4
    /// The offset of the channels in the parameters of a credit based request or response.
    static let channelsOffset = 8

    /// The PSM of attributes on a classic link.
    static let attributes: UInt16 = 0x001F
    /// The PSM of attributes on credit based channels.
    static let enhancedAttributes: UInt16 = 0x0027
}
