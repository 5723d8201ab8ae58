/// What is looked for on the signalling channels: somebody opens another bearer of attributes.
///
/// ```
/// code (1)  identifier (1)  length (2)  then, of a request: PSM (2) …
/// ```
enum L2CAPSignalling {
    private static let connectionRequest: UInt8 = 0x02
    private static let creditBasedConnectionRequest: UInt8 = 0x17
    private static let attributes: UInt16 = 0x001F
    private static let enhancedAttributes: UInt16 = 0x0027

    /// Whether one of the commands asks for a channel that carries attributes.
    static func opensBearer(_ commands: Span<UInt8>) -> Bool {
        var rest = commands
        while let code = rest.byte(at: 0), let length = rest.littleEndian16(at: 2) {
            let port = rest.littleEndian16(at: 4)
            switch code {
            case connectionRequest where port == attributes: return true
            case creditBasedConnectionRequest where port == enhancedAttributes: return true
            default: rest = rest.extracting(droppingFirst: 4 + Int(length))
            }
        }
        return false
    }
}
