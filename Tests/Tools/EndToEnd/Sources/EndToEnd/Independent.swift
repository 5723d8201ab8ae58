import HaloBlueZ
import HaloProtocol
import HaloTransport

/// Our central, and a device of another make: `guest/ring.py`.
enum Independent {
    private static let address = PeripheralIdentity("C0:11:22:33:44:55")
    private static let ring = uuid("6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let requests = uuid("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let answers = uuid("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    private static let tests = BluetoothUUID(0xAA00)
    private static let stored = BluetoothUUID(0xAA01)
    private static let counted = BluetoothUUID(0xAA02)
    private static let confirmed = BluetoothUUID(0xAA03)

    static func run() async throws {
        let transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
        let found = try await transport.find(ScanFilter(services: [ring]))
        try Complaint.unless(found.identity, is: address, "the device")
        try Complaint.unless(found.name, is: "R02_TEST", "its name")
        for _ in 1...2 {
            let link = try await transport.connect(to: found)
            try await values(link)
            try await reading(link)
            try await asking(link)
            await link.disconnect()
        }
        try await leaving(transport)
    }

    private static func reading(_ link: BLELink) async throws {
        let stored = try await link.characteristic(stored, of: tests)
        for text in ["a", String(repeating: "long", count: 100)] {
            try await link.write(Array(text.utf8), to: stored)
            let read = try await link.read(stored)
            try Complaint.unless(String(decoding: read, as: UTF8.self), is: text, "what is read")
        }
        let version = try await link.characteristic(
            BluetoothUUID(0x2A27), of: BluetoothUUID(0x180A))
        let read = try await link.read(version)
        try Complaint.unless(read, is: Array("R02_V3.0".utf8), "the hardware's version")
        let level = try await link.characteristic(BluetoothUUID(0x2A19), of: BluetoothUUID(0x180F))
        let battery = try await link.read(level)
        try Complaint.unless(battery, is: [64], "the battery's level")
    }

    private static func asking(_ link: BLELink) async throws {
        let answers = try await link.characteristic(answers, of: ring)
        let requests = try await link.characteristic(requests, of: ring)
        var values = try await link.notifications(of: answers).makeAsyncIterator()
        let request = [3] + [UInt8](repeating: 0, count: 14) + [3]
        try await link.write(request, to: requests, .withoutResponse)
        let answer = [3, 64] + [UInt8](repeating: 0, count: 13) + [67]
        try Complaint.unless(try await values.next()?.value, is: answer, "the answer")
    }

    /// Receives numbers ten times a second, as notifications and as indications.
    private static func values(_ link: BLELink) async throws {
        for kind in [counted, confirmed] {
            let characteristic = try await link.characteristic(kind, of: tests)
            var values = try await link.notifications(of: characteristic).makeAsyncIterator()
            var last: UInt32?
            for _ in 0..<5 {
                guard let bytes = try await values.next()?.value, bytes.count == 4 else {
                    throw Complaint("no number came")
                }
                let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                if let last { try Complaint.unless(number, is: last + 1, "the next number") }
                last = number
            }
        }
    }

    /// The device ends the link on request.
    private static func leaving(_ transport: BlueZTransport) async throws {
        let link = try await transport.connect(to: address)
        let counted = try await link.characteristic(counted, of: tests)
        let stored = try await link.characteristic(stored, of: tests)
        let values = try await link.notifications(of: counted)
        try await link.write(Array("leave".utf8), to: stored)
        do {
            for try await _ in values {}
            throw Complaint("values end as if we had closed the link")
        } catch let error as BLEError {
            try Complaint.unless(error.kind, is: .disconnected, "why values end")
        }
    }

    private static func uuid(_ text: String) -> BluetoothUUID {
        (try? BluetoothUUID(parsing: text)) ?? BluetoothUUID(0)
    }
}
