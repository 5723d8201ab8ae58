/// The number of packets in the text of a capture, which is read in pieces of any length.
package struct PacketLineScan {
    package private(set) var packetCount = 0
    private var isAtBeginning = true

    package init() {}

    package mutating func read(_ text: Span<UInt8>) {
        for index in text.indices {
            let byte = text[index]
            let isPacket = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            if isAtBeginning, isPacket { packetCount += 1 }
            isAtBeginning = byte == UInt8(ascii: "\n")
        }
    }
}
