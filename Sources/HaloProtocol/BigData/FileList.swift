/// The names of the files on a ring.
///
///     → 30
///     ← 30 count names…        each name: its length, then its bytes
///
/// Only the empty list was ever captured, which may just as well mean that the ring does not know
/// the record. The names' layout has one source; that they are UTF-8 is a guess.
public enum FileList: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "FileList" }
    public static var title: FieldName { "file list" }
    public static var evidence: Evidence { .oneSource }
    public static var requestID: UInt8 { 0x30 }
    public static var onlyReads: Bool { true }

    /// Asks for the names.
    public struct Request: BigDataRequest {
        public typealias Owner = FileList

        /// Asks for the names.
        public init() {}

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {}

        public func encode(into writer: inout ByteWriter) {}
    }

    /// The names.
    public struct Reply: BigDataReply {
        public typealias Owner = FileList

        /// The bytes of each name: at most 255 names of at most 255 bytes.
        public let names: [[UInt8]]

        /// The given names.
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
