#if os(Linux)
package import HaloTesting

@testable import HaloDBus

/// D-Bus: messages, the authentication, addresses, and streams of messages. The first byte
/// chooses one of these. The rest is its input, or decides the steps.
package struct DBusTarget: FuzzTarget {
    package let name = "DBus"

    package init() {}

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
        let all = bytes.withUnsafeBufferPointer { Array($0) }
        guard let choice = all.first else { return }
        let rest = Array(all.dropFirst())
        switch choice % 4 {
        case 0: try checkMessage(rest)
        case 1: try checkAuthentication(rest)
        case 2: try checkAddress(String(decoding: rest, as: UTF8.self))
        default: try checkStream(FuzzBytes(rest))
        }
    }

    /// A decoded message is encoded so that it decodes to the same, and encodes to the same again.
    private func checkMessage(_ bytes: [UInt8]) throws(ContractViolation) {
        do throws(DBusWireError) {
            let message = try DBusMessage(decoding: bytes.span)
            let written = try message.encoded()
            let again = try DBusMessage(decoding: written.span).encoded()
            guard again == written else {
                throw DBusWireError(.wrongType, at: 0)
            }
        } catch {
            // Only decoding may fail.
            guard (try? DBusMessage(decoding: bytes.span)) == nil else {
                throw ContractViolation(
                    "what was read is not written: \(error)", packet: "DBus", bytes: bytes)
            }
            guard error.offset >= 0, error.offset <= max(bytes.count, 1 << 27) else {
                throw ContractViolation("the error is nowhere", packet: "DBus", bytes: bytes)
            }
        }
    }

    /// No client is accepted without the bus's identifier; nothing is sent after the end.
    private func checkAuthentication(_ bytes: [UInt8]) throws(ContractViolation) {
        var authentication = DBusAuthentication(userID: 1000)
        _ = authentication.start()
        var hasEnded = false
        for byte in bytes {
            do throws(DBusAuthenticationError) {
                _ = try authentication.receive(byte)
                guard !hasEnded else { break }
                hasEnded = authentication.isDone
            } catch {
                hasEnded = true
                continue
            }
            guard !hasEnded || authentication.busID?.utf8.count == 32 else {
                throw ContractViolation("a bus without a name", packet: "DBus", bytes: bytes)
            }
        }
    }

    /// A list is refused with an offset in it, or is written so that it parses to the same.
    private func checkAddress(_ text: String) throws(ContractViolation) {
        let bytes = Array(text.utf8)
        do throws(DBusWireError) {
            let list = try DBusAddress.list(text)
            let written = list.map(\.description).joined(separator: ";")
            let again = try DBusAddress.list(written)
            guard again == list else {
                throw DBusWireError(.empty, at: -1)
            }
        } catch {
            guard error.offset >= 0, error.offset <= bytes.count else {
                throw ContractViolation(
                    "it does not read as it was written: \(error)", packet: "DBus", bytes: bytes)
            }
        }
    }
}
#endif
