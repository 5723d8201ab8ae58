import HaloBlueZ
import HaloProtocol
import HaloTransport

/// Faults during an operation: it ends with an error, and the next attempt works.
///
/// Prints `ready` before it starts the operation, and waits for a line. Prints `broken` after its
/// end, and waits for a line before the next attempt.
enum Faults {
    private static let address = PeripheralIdentity("C0:11:22:33:44:55")
    private static let counted = BluetoothUUID(0xAA02)
    private static let tests = BluetoothUUID(0xAA00)

    static func run(_ what: String) async throws {
        let transport = try await BlueZTransport(
            BlueZOptions(adapter: "hci0", powersOn: true))
        let error: BLEError
        do {
            error = try await breaks(what, transport)
        } catch let mistake as BLEError {
            throw Complaint("before anything was broken: \(mistake)")
        }
        System.say("broken")
        System.say("    \(what): \(error)")
        try await waitForWord()
        let link = try await transport.connect(
            to: try await transport.find(ScanFilter(identities: [address])))
        let characteristic = try await link.characteristic(counted, of: tests)
        var values = try await link.notifications(of: characteristic).makeAsyncIterator()
        try Complaint.unless(try await values.next()?.value.count, is: 4, "a value's length")
        await link.disconnect()
        System.say("    \(what): the next attempt works")
    }

    private static func breaks(
        _ what: String, _ transport: BlueZTransport
    ) async throws -> BLEError {
        if what == "scan" {
            var scan = transport.scan(ScanFilter(namePrefix: "Nobody")).makeAsyncIterator()
            System.say("ready")
            return try await error(of: what) { _ = try await scan.next() }
        }
        let found = try await transport.find(ScanFilter(identities: [address]))
        if what == "connect" {
            System.say("ready")
            try await waitForWord()
            return try await error(of: what) { _ = try await transport.connect(to: found) }
        }
        let link = try await transport.connect(to: found)
        let characteristic = try await link.characteristic(counted, of: tests)
        if what == "read" {
            System.say("ready")
            try await waitForWord()
            return try await error(of: what) { _ = try await link.read(characteristic) }
        }
        let values = try await link.notifications(of: characteristic)
        System.say("ready")
        return try await error(of: what) { for try await _ in values {} }
    }

    private static func error(
        of what: String, _ body: () async throws -> Void
    ) async throws -> BLEError {
        do {
            try await body()
        } catch let error as BLEError {
            return error
        }
        throw Complaint("\(what) ends as if nothing had happened")
    }

    /// Waits for a line on standard input.
    static func waitForWord() async throws {
        guard readLine() != nil else { throw Complaint("nobody says how it goes on") }
    }
}
