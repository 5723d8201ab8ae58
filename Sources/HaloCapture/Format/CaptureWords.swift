import HaloProtocol
import HaloTransport

extension BluetoothUUID {
    /// The number as captures write it.
    var lowercased: String { description.lowercased() }
}

extension GATTProperties {
    /// What can be done with a characteristic, in the words of captures.
    static let captureWords: [(word: String, property: GATTProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("command", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("signed", .signedWrite), ("extended", .extended),
    ]

    /// The words, each with a space before it.
    var words: String {
        Self.captureWords.filter { contains($0.property) }.map { " \($0.word)" }.joined()
    }
}
