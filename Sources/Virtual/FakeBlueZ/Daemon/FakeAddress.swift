#if os(Linux)
enum FakeAddress {
    static func hexadecimal(_ number: Int) -> String {
        let digits = String(number & 0xFF, radix: 16, uppercase: true)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }

    static func random(_ number: Int) -> String {
        let bytes = [0xC0, 0xDE, 0, number >> 16, number >> 8, number]
        return bytes.map { hexadecimal($0) }.joined(separator: ":")
    }
}
#endif
