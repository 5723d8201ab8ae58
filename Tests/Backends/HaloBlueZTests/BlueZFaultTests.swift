import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The meanings of errors of the daemon and of the bus.
@Suite(.computes) struct BlueZFaultTests {
    private static let att = DBusRefusal.attPrefix

    @Test(
        arguments: [
            ("Failed", att + "80", .refused(ATTError(code: 0x80))),
            ("Failed", att + "fe", .refused(ATTError(code: 0xFE))),
            ("Failed", att + "1", .refused(.invalidHandle)), ("Failed", att + "0e", .unlikely),
            ("Failed", att + "04", .refused(ATTError(code: 4))), ("Failed", att + "05", .notPaired),
            ("Failed", att + "06", .refused(ATTError(code: 6))),
            ("Failed", att + "0b", .refused(ATTError(code: 0x0B))),
            ("Failed", att + "0c", .notPaired), ("Failed", att + "0d", .refused(.invalidLength)),
            ("Failed", att + "0f", .notPaired),
            ("Failed", att + "10", .refused(ATTError(code: 0x10))),
            ("Failed", att + "100", .other), ("Failed", att, .other), ("Failed", "0x80", .other),
            ("Failed", "Not connected", .notConnected),
            ("Failed", "Operation already in progress", .inProgress),
            ("Failed", "In Progress", .inProgress), ("Failed", "Input/output error", .inputOutput),
            ("Failed", "No notify session started", .notBegun),
            ("Failed", "le-connection-abort-by-local", .aborted),
            ("Failed", "Software caused connection abort", .aborted),
            ("Failed", "br-connection-canceled", .cancelled), ("Failed", "Failed", .other),
            ("InProgress", "", .inProgress), ("NotReady", "", .notReady),
            ("NotConnected", "", .notConnected), ("AlreadyConnected", "", .alreadyConnected),
            ("AlreadyExists", "", .alreadyExists), ("NotSupported", "", .notSupported),
            ("NotAuthorized", "", .refused(.insufficientAuthorization)),
            ("NotPermitted", "Read not permitted", .refused(.readNotPermitted)),
            ("NotPermitted", "Write not permitted", .refused(.writeNotPermitted)),
            ("NotPermitted", "Not paired", .notPaired),
            ("NotPermitted", "Notify acquired", .acquired),
            ("NotPermitted", "Write acquired", .acquired), ("NotPermitted", "", .notSupported),
            ("InvalidArguments", "Invalid offset", .refused(.invalidOffset)),
            ("InvalidArguments", "Invalid Length", .refused(.invalidLength)),
            ("InvalidArguments", "", .other), ("InvalidOffset", "", .refused(.invalidOffset)),
            ("InvalidValueLength", "", .refused(.invalidLength)),
            ("DoesNotExist", "", .unknownObject),
            ("AuthenticationFailed", "", .notAuthenticated),
            ("AuthenticationCanceled", "", .notAuthenticated),
            ("AuthenticationRejected", "", .notAuthenticated),
            ("AuthenticationTimeout", "", .notAuthenticated), ("Unheard", "", .other),
        ] as [(String, String, BlueZFault.Meaning)])
    func errorsOfTheDaemonHaveThisMeaning(
        _ name: String, _ text: String, _ meaning: BlueZFault.Meaning
    ) {
        let fault = BlueZFault(
            DBusError(.remote, name: "org.bluez.Error." + name, details: text))
        #expect(fault.meaning == meaning)
        #expect(fault.details == "org.bluez.Error.\(name): \(text)")
    }

    @Test(
        arguments: [
            ("UnknownObject", .unknownObject), ("UnknownMethod", .unknownObject),
            ("ServiceUnknown", .gone), ("NoReply", .gone), ("NameHasNoOwner", .gone),
            ("AccessDenied", .denied), ("Failed", .other),
        ] as [(String, BlueZFault.Meaning)])
    func errorsOfTheBusHaveThisMeaning(_ name: String, _ meaning: BlueZFault.Meaning) {
        let name = "org.freedesktop.DBus.Error." + name
        let fault = BlueZFault(DBusError(.remote, name: name))
        #expect(fault.meaning == meaning)
        #expect(fault.details == name)
    }

    @Test func localErrorsHaveThisMeaning() {
        let cases: [(DBusError.Kind, BlueZFault.Meaning)] = [
            (.timedOut, .timedOut), (.disconnected, .gone), (.unreachable, .gone),
            (.notAuthenticated, .gone), (.limitExceeded, .other), (.malformed, .other),
            (.cancelled, .other),
        ]
        for (kind, meaning) in cases { #expect(BlueZFault(DBusError(kind)).meaning == meaning) }
    }

    /// The error of an operation for each meaning.
    @Test(arguments: [
        ("DoesNotExist", "", BLEError(.noSuchAttribute, .read)),
        ("NotReady", "", BLEError(.bluetoothOff, .read)),
        ("NotSupported", "", BLEError(.notPermitted, .read)),
        (
            "NotPermitted", "Not paired",
            BLEError(.refused, .read, attError: .insufficientAuthentication)
        ),
        (
            "AuthenticationFailed", "",
            BLEError(.refused, .read, attError: .insufficientAuthentication)
        ),
        ("NotAuthorized", "", BLEError(.refused, .read, attError: .insufficientAuthorization)),
        ("Failed", att + "0e", BLEError(.refused, .read, attError: .unlikely)),
        (
            "NotConnected", "",
            BLEError(.disconnected, .read, disconnectReason: DisconnectReason(.remote))
        ),
        ("InProgress", "", BLEError(.backend, .read)), ("Failed", "x", BLEError(.backend, .read)),
        ("AlreadyExists", "", BLEError(.backend, .read)),
    ])
    func eachMeaningHasItsError(_ name: String, _ text: String, _ expected: BLEError) {
        let fault = BlueZFault(
            DBusError(.remote, name: "org.bluez.Error." + name, details: text))
        var expected = expected
        expected.details = fault.details
        #expect(fault.error(.read) == expected)
    }

    /// The text of each outage, word for word.
    @Test(arguments: [
        (
            DBusError(.unreachable, details: "No such file"), BLEError.Kind.backend,
            """
            the system's D-Bus cannot be reached: No such file; it does not run, or this \
            container lacks its socket
            """
        ),
        (
            DBusError(.notAuthenticated, details: "no"), .unauthorized,
            "D-Bus does not let this program in: no"
        ),
        (
            DBusError(.disconnected, details: "x"), .backend,
            "the connection to D-Bus has ended: x"
        ),
        (DBusError(.timedOut), .timedOut, "bluetoothd did not answer in time"),
        (
            DBusError(.limitExceeded, details: "x"), .backend,
            "\(DBusError(.limitExceeded, details: "x"))"
        ),
        (
            DBusError(.remote, name: DBusErrorName.accessDenied, details: "x"), .unauthorized,
            """
            D-Bus does not let this program use bluetoothd: \
            org.freedesktop.DBus.Error.AccessDenied: x
            """
        ),
        (
            DBusError(.remote, name: DBusErrorName.nameHasNoOwner), .backend,
            """
            bluetoothd is not running: org.freedesktop.DBus.Error.NameHasNoOwner; \
            'sudo systemctl enable --now bluetooth' starts it
            """
        ),
        (
            DBusError(.remote, name: DBusErrorName.noReply), .backend,
            "bluetoothd quit without an answer: org.freedesktop.DBus.Error.NoReply"
        ),
        (
            DBusError(.remote, name: DBusErrorName.spawnPrefix + "ExecFailed", details: "x"),
            .backend,
            "bluetoothd cannot be started: org.freedesktop.DBus.Error.Spawn.ExecFailed: x"
        ),
        (DBusError(.remote, name: "a.E", details: "x"), .backend, "a.E: x"),
    ])
    func eachOutageHasItsText(_ error: DBusError, _ kind: BLEError.Kind, _ words: String) {
        #expect(Outage(error) == Outage(kind, words))
        #expect(Outage(error).error(.scan) == BLEError(kind, .scan, details: words))
    }
}
