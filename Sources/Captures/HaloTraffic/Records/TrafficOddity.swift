/// An irregularity in a file of traffic that does not stop the reading, in words.
package enum TrafficOddity: String, CaseIterable, CustomStringConvertible, Sendable {
    case shortPacket = "a packet is shorter than it has to be"
    case cutByRecorder = "the recorder kept only the beginning of a packet"
    case timeBackwards = "time runs backwards"
    /// A fragment continues no packet, or exceeds the length of its packet.
    case strayFragment = "a fragment continues nothing"
    case unfinishedPacket = "a packet never came whole"
    case unknownPacket = "a packet of no known type"
    case strayResponse = "a response that nobody asked for"
    case unanswered = "a request that nobody answered"
    case wrongCRC = "a packet in the air with a wrong CRC"
    /// The same packet was received again: the other side did not acknowledge it.
    case repeated = "a packet was heard again"
    case lostByRecorder = "the recorder lost packets"
    case encrypted = "the link is encrypted, and what follows cannot be read"
    case otherBearer =
        "a channel for attributes over classic Bluetooth or EATT, which is not followed"
    /// The device requested the other side's attributes; the request is left out.
    case askedByDevice = "the device asked for the other side's attributes"
    case unknownLine = "a line that is none of the log's"
    case beyondLimits = "more connections, attributes or bytes than are followed"
    case longPacket = "a packet is followed by bytes that its length does not count"
    case classicLink = "a classic (BR/EDR) connection, which is not followed"
    case undividedValues = "several values came as one, and cannot be told apart"
    case afterEnd = "a packet of a connection that has just ended"

    package var description: String { rawValue }
}
