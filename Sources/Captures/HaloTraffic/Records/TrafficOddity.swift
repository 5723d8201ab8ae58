/// An irregularity in a file of traffic that does not stop the reading.
package struct TrafficOddity: Hashable, Sendable {
    let code: UInt8

    package static let shortPacket = TrafficOddity(code: 0)
    package static let cutByRecorder = TrafficOddity(code: 1)
    package static let timeBackwards = TrafficOddity(code: 2)
    /// A fragment continues no packet, or exceeds the length of its packet.
    package static let strayFragment = TrafficOddity(code: 3)
    package static let unfinishedPacket = TrafficOddity(code: 4)
    package static let unknownPacket = TrafficOddity(code: 5)
    package static let strayResponse = TrafficOddity(code: 6)
    package static let unanswered = TrafficOddity(code: 7)
    package static let wrongCRC = TrafficOddity(code: 8)
    /// The same packet was received again: the other side did not acknowledge it.
    package static let repeated = TrafficOddity(code: 9)
    package static let lostByRecorder = TrafficOddity(code: 10)
    package static let encrypted = TrafficOddity(code: 11)
    package static let otherBearer = TrafficOddity(code: 12)
    /// The device requested the other side's attributes; the request is left out.
    package static let askedByDevice = TrafficOddity(code: 13)
    package static let unknownLine = TrafficOddity(code: 14)
    package static let beyondLimits = TrafficOddity(code: 15)
    package static let longPacket = TrafficOddity(code: 16)
    package static let classicLink = TrafficOddity(code: 17)
    package static let undividedValues = TrafficOddity(code: 18)
    package static let afterEnd = TrafficOddity(code: 19)
}

extension TrafficOddity: CustomStringConvertible {
    /// The irregularity in words.
    package var description: String {
        switch self {
        case .shortPacket: "a packet is shorter than it has to be"
        case .cutByRecorder: "the recorder kept only the beginning of a packet"
        case .timeBackwards: "time runs backwards"
        case .strayFragment: "a fragment continues nothing"
        case .unfinishedPacket: "a packet never came whole"
        case .unknownPacket: "a packet of no known type"
        case .strayResponse: "a response that nobody asked for"
        case .unanswered: "a request that nobody answered"
        case .wrongCRC: "a packet in the air with a wrong CRC"
        case .repeated: "a packet was heard again"
        case .lostByRecorder: "the recorder lost packets"
        case .encrypted: "the link is encrypted, and what follows cannot be read"
        case .otherBearer: "attributes over classic Bluetooth, which are not followed"
        case .askedByDevice: "the device asked for the other side's attributes"
        case .unknownLine: "a line that is none of the log's"
        case .beyondLimits: "more connections, attributes or bytes than are followed"
        case .longPacket: "a packet is followed by bytes that its length does not count"
        case .classicLink: "a classic (BR/EDR) connection, which is not followed"
        case .afterEnd: "a packet of a connection that has just ended"
        case .undividedValues: "several values came as one, and cannot be told apart"
        default: "something is odd"
        }
    }
}
