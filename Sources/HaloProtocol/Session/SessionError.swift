/// Why a request has no answer.
public struct SessionError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The ring did not answer in time, as often as it was asked.
        public static let timedOut = Kind(code: 0)
        /// Parts of the answer did not come, as often as it was asked.
        public static let incomplete = Kind(code: 1)
        /// What came is not what the packet should be; ``SessionError/packetError`` says why.
        public static let malformed = Kind(code: 2)
        /// The request was taken back.
        public static let cancelled = Kind(code: 3)
        /// The link has ended.
        public static let disconnected = Kind(code: 4)
        /// Too many requests wait already.
        public static let overloaded = Kind(code: 5)
        /// The completion belongs to another ticket.
        public static let otherTicket = Kind(code: 6)
    }

    /// What went wrong.
    public let kind: Kind
    /// What was wrong with a packet.
    public let packetError: PacketError?
    /// What had come until then.
    public let received: ReceivedAnswer

    /// Says what went wrong.
    public init(
        _ kind: Kind, packetError: PacketError? = nil,
        received: ReceivedAnswer = ReceivedAnswer()
    ) {
        self.kind = kind
        self.packetError = packetError
        self.received = received
    }
}
