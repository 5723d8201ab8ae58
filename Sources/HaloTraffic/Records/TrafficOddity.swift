/// Something in a file of traffic that looks wrong, and did not stop the reading.
public struct TrafficOddity: Hashable, Sendable {
    let code: UInt8

    /// A packet is shorter than its own length says.
    public static let shortPacket = TrafficOddity(code: 0)
    /// The recorder kept only the beginning of a packet.
    public static let cutByRecorder = TrafficOddity(code: 1)
    /// Time runs backwards.
    public static let timeBackwards = TrafficOddity(code: 2)
    /// A fragment continues nothing, or too much was continued.
    public static let strayFragment = TrafficOddity(code: 3)
    /// A packet was announced and never came whole.
    public static let unfinishedPacket = TrafficOddity(code: 4)
    /// The packet is of no known type.
    public static let unknownPacket = TrafficOddity(code: 5)
    /// A response that nobody asked for.
    public static let strayResponse = TrafficOddity(code: 6)
    /// A request that nobody answered.
    public static let unanswered = TrafficOddity(code: 7)
    /// A packet in the air has a wrong CRC.
    public static let wrongCRC = TrafficOddity(code: 8)
    /// The same packet was heard again: the other side did not acknowledge it.
    public static let repeated = TrafficOddity(code: 9)
    /// The recorder says that it lost packets.
    public static let lostByRecorder = TrafficOddity(code: 10)
    /// The link is encrypted: what went over it from there on cannot be read.
    public static let encrypted = TrafficOddity(code: 11)
    /// Attributes over a classic (BR/EDR) link, which are not followed.
    public static let otherBearer = TrafficOddity(code: 12)
    /// The device itself asked for the other side's attributes; that is left out.
    public static let askedByDevice = TrafficOddity(code: 13)
    /// A line that is none of the log's.
    public static let unknownLine = TrafficOddity(code: 14)
    /// More connections, attributes or bytes than are followed.
    public static let beyondLimits = TrafficOddity(code: 15)
    /// A packet is followed by bytes that its own length does not count.
    public static let longPacket = TrafficOddity(code: 16)
    /// A classic (BR/EDR) connection, which is not followed.
    public static let classicLink = TrafficOddity(code: 17)
    /// Several values came as one, and nothing says where each of them ends.
    public static let undividedValues = TrafficOddity(code: 18)
}

extension TrafficOddity: CustomStringConvertible {
    /// What looks wrong, in words.
    public var description: String {
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
        case .undividedValues: "several values came as one, and cannot be told apart"
        default: "something is odd"
        }
    }
}
