/// The names of the files on a ring.
///
///     → 30
///     ← 30 count names…        each name: its length, then its bytes
///
/// Only the empty list was captured; it may mean that the ring does not know the record. The layout
/// of the names has one source; their encoding in UTF-8 is a guess.
public enum FileList: BigDataRequestCommand, BigDataReplyCommand {
    public static var facts: CommandFacts {
        CommandFacts(0x30, "FileList", "file list", .oneSource, onlyReads: true)
    }

    /// A request for the names.
    public struct Request: BigDataRequest {
        public typealias Owner = FileList

        /// Creates a request for the names.
        public init() {}

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {}

        public func encode(into writer: inout ByteWriter) {}
    }

    /// The reply with the names.
    public struct Reply: BigDataReply {
        public typealias Owner = FileList

        /// The bytes of each name: at most 255 names of at most 255 bytes.
        public let names: [[UInt8]]

        /// Creates a reply with the given names.
        public init(names: [[UInt8]]) throws(ValueError) {
            try RecordLength.check(names.count, "names", most: Int(UInt8.max))
            for name in names {
                try RecordLength.check(name.count, "name", most: Int(UInt8.max))
            }
            self.names = names
        }

        /// The names as text; bytes that are not UTF-8 are replaced.
        public var texts: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            let count = try reader.extent("count")
            var names: [[UInt8]] = []
            for index in 0..<Int(count) {
                reader.enter("names", index)
                let length = try reader.extent("length")
                let name = try reader.byteArray("name", count: Int(length))
                reader.means { PrintableText.quoted(name) }
                names.append(name)
                reader.leave()
            }
            self.names = names
        }

        public func encode(into writer: inout ByteWriter) {
            writer.extent("count", UInt8(truncatingIfNeeded: names.count))
            for name in names {
                writer.extent("length", UInt8(truncatingIfNeeded: name.count))
                writer.byteArray("name", name)
            }
        }
    }
}
