import HaloProtocol

/// The address of the tag `address:`: six bytes separated by colons. ` (random)` follows a random
/// address, and ` on NAME` the address of one of several connections.
package struct CaptureAddress: Hashable {
    package let address: DeviceAddress
    package let link: CaptureName?

    package init?(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
        let bytes = words.popFirst()?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard bytes.count == 6 else { return nil }
        var value: UInt64 = 0
        for byte in bytes {
            let digits = byte.utf8.compactMap { HexText.value(ofDigit: $0) }
            guard byte.utf8.count == 2, digits.count == 2 else { return nil }
            value = value << 8 | UInt64(digits[0] << 4 | digits[1])
        }
        let isRandom = words.first == "(random)"
        if isRandom { words.removeFirst() }
        address = DeviceAddress(value, isRandom: isRandom)
        switch words.count {
        case 0: link = nil
        case 2 where words.first == "on":
            guard let name = try? CaptureName(words.last.map(String.init) ?? "") else { return nil }
            link = name
        default: return nil
        }
    }
}
