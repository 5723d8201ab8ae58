#if os(Linux)
import HaloDBus
import Testing

/// Errors are told apart, and each has words of its own.
@Suite struct ErrorKindTests {
    @Test func kindsOfDBusWireError() {
        let kinds: [DBusWireError.Kind] = [
            .truncated, .wrongEndianness, .wrongVersion, .wrongMessageType, .tooLong, .tooDeep,
            .wrongSignature, .wrongPath, .wrongName, .wrongText, .wrongBoolean, .wrongPadding,
            .wrongType, .wrongHeader, .wrongSerial, .excess, .missingDescriptor,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.description)).count == kinds.count)
    }

    @Test func kindsOfDBusError() {
        let kinds: [DBusError.Kind] = [
            .unreachable, .notAuthenticated, .disconnected, .remote, .timedOut, .cancelled,
            .malformed, .tooMuch, .unexpectedAnswer, .noDescriptors,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.description)).count == kinds.count)
    }

    @Test func kindsOfDBusAddressError() {
        let kinds: [DBusAddressError.Kind] = [
            .empty, .noTransport, .noValue, .twice, .wrongEscape, .unescaped,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.description)).count == kinds.count)
    }

    @Test func kindsOfDBusAuthenticationError() {
        let kinds: [DBusAuthenticationError.Kind] = [
            .rejected, .unexpected, .lineTooLong,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.description)).count == kinds.count)
    }
}
#endif
