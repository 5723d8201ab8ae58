#if os(Linux)
package import HaloProtocol

extension BluetoothUUID {
    /// The number as the daemon writes it: all digits, in lower case.
    package var busText: String {
        func digits(_ value: UInt64, _ count: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return digits(high >> 32, 8) + "-" + digits(high >> 16 & 0xFFFF, 4) + "-"
            + digits(high & 0xFFFF, 4) + "-" + digits(low >> 48, 4) + "-"
            + digits(low & 0xFFFF_FFFF_FFFF, 12)
    }
}
#endif
