/// Sets the name of the phone that the ring is connected to.
///
///     → 04 platform systemVersion phoneName…    1 iOS, 2 Android; up to 12 ASCII characters
///     ← 04 00 …
public enum PhoneName: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x04, "PhoneName", "phone name", .captured)
    }

    /// A request with the phone's name.
    public struct Request: RequestPacket {
        public typealias Owner = PhoneName

        public var platform: Platform
        /// The system's major version.
        public var systemVersion: UInt8
        /// The name's characters as they were sent, without the zeros that fill the frame.
        public let phoneName: InlineBytes

        @usableFromInline static var nameLength: Int { 12 }

        /// Creates a request with a name of up to twelve ASCII characters.
        public init(
            platform: Platform, systemVersion: UInt8, phoneName: String
        ) throws(ValueError) {
            for character in phoneName.utf8 {
                try ValueError.check("phoneName", character, in: 0...0x7F)
            }
            self.platform = platform
            self.systemVersion = systemVersion
            self.phoneName = try InlineBytes(phoneName.utf8, limit: Self.nameLength)
                .trimmingZeros
        }

        /// The name, with everything but printable ASCII written as `\xNN`.
        package var printableName: String { PrintableText.escaped(phoneName) }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            platform = try io.code("platform", packet?.platform, .open)
            systemVersion = try io.uint8("systemVersion", packet?.systemVersion, .open)
            phoneName = try io.inlineBytes(
                "phoneName", packet?.phoneName, .name, count: Self.nameLength
            )
            .trimmingZeros
            io.means { PrintableText.quoted(phoneName) }
        }
    }

    /// A phone's operating system.
    public enum Platform: UInt8, FieldCode {
        case iOS = 1
        case android = 2

        public static let labels = FieldLabels<Platform>([.iOS: "iOS", .android: "Android"])
    }
}
