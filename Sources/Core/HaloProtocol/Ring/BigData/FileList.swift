/// The names of the files on a ring.
///
///     → 30
///     ← 30 count names…        each name: its length, then its bytes
///
/// Only the empty list was captured; it may mean that the ring does not know the record. The layout
/// of the names has one source; their encoding in UTF-8 is a guess.
public enum FileList: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x30, "FileList", "file list", .oneSource, onlyReads: true)

    /// A request for the names.
    public struct Request: BigDataRequest {
        public typealias Owner = FileList

        public init() {}

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        }
    }

    /// The reply with the names.
    public struct Reply: BigDataReply {
        public typealias Owner = FileList

        /// The bytes of each name: at most 255 names of at most 255 bytes.
        public let names: [[UInt8]]

        public init(names: [[UInt8]]) throws(ValueError) {
            try ValueError.check("names", names.count, in: 0...UInt8.max)
            for name in names { try ValueError.check("name", name.count, in: 0...UInt8.max) }
            self.names = names
        }

        /// The names as text; bytes that are not UTF-8 are replaced.
        public var texts: [String] { names.map { String(decoding: $0, as: UTF8.self) } }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let count = try io.extent("count", packet?.names.count)
            var names: [[UInt8]] = []
            for index in 0..<count {
                io.enter("names", index)
                let old = packet?.names[index]
                let length = try io.extent("length", old?.count)
                let name = try io.byteArray("name", old, .name, count: length)
                io.means { PrintableText.quoted(name) }
                names.append(name)
                io.leave()
            }
            self.names = names
        }
    }
}
