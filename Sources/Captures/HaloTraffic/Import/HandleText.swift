internal import HaloProtocol

package enum HandleText {
    /// A handle in four digits: `0x0025`.
    package static func text(_ handle: UInt16) -> String {
        "0x" + HexText.byte(UInt8(handle >> 8)) + HexText.byte(UInt8(truncatingIfNeeded: handle))
    }
}
