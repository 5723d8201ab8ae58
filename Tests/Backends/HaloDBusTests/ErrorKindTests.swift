import HaloDBus
import Testing

/// Error kinds differ, and so do their texts.
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
            .unreachable, .invalidAddress, .notAuthenticated, .disconnected, .remote, .timedOut,
            .cancelled, .malformed, .limitExceeded, .unexpectedReply, .noDescriptors,
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
