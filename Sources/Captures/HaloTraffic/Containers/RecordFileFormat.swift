/// A format with a file header and records, each with a header of fixed length and a packet.
protocol RecordFileFormat: Sendable {
    /// The length of the file header in bytes; 0 for a format without one.
    static var headerLength: Int { get }
    static var recordHeaderLength: Int { get }
    /// The number of first bytes of a record from which its length is known.
    static var lengthEnd: Int { get }

    /// Reads the file header at file offset `offset`. For a format without a header, `bytes` begin
    /// with the header of the first record.
    init(header bytes: Span<UInt8>, at offset: Int) throws(TrafficError)

    /// The length of the packet by its record's header, and the offset of the length field.
    func packetLength(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> (length: Int, offset: Int)

    func microseconds(_ header: Span<UInt8>) -> Int64

    mutating func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink)
}
