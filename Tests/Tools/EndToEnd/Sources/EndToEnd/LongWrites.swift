import HaloBlueZ
import HaloTesting
import HaloTransport

/// Values that are longer than a packet, from our central to a device that we host. The daemon
/// writes them in pieces, and joins the pieces.
enum LongWrites {
    /// The longest long write that the daemon passes on: 5.66 counts four bytes before the value,
    /// newer ones do not.
    private static func longest(_ version: String) -> Int { version == "5.66" ? 508 : 512 }

    static func run(_ version: String) async throws {
        let longest = longest(version)
        let host = try await BlueZTransport(BlueZOptions(adapter: "hci1"))
        let hosted = try await host.host(ContractPeripheral())
        let transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
        let found = try await transport.find(ScanFilter(services: [ContractAttribute.service]))
        let link = try await transport.connect(to: found)
        let record = try await link.characteristic(
            ContractAttribute.record.uuid, of: ContractAttribute.service)
        try Complaint.unless(
            link.maximumWriteLength(for: .withoutResponse), is: 61, "the longest without response")
        try Complaint.unless(
            link.maximumWriteLength(for: .withResponse), is: 512, "the longest with response")
        let values = [61, 62, 300, longest].map { count in
            (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        }
        for value in values { try await link.write(value, to: record) }
        do {
            try await link.write([UInt8](repeating: 0, count: longest + 1), to: record)
            throw Complaint("the daemon takes more than \(longest) bytes")
        } catch let error as BLEError {
            if error.kind == .refused {
                try Complaint.unless(error.attError, is: .invalidLength, "the refusal")
            } else {
                try Complaint.unless(error.kind, is: .tooLong, "the refusal")
            }
        }
        // The daemon confirms some writes before the device has seen them.
        for _ in 0..<100 where hosted.modify({ $0.written.count }) < values.count {
            try await Task.sleep(for: .milliseconds(50))
        }
        try Complaint.unless(hosted.modify { $0.written }, is: values, "what the device was told")
        await link.disconnect()
        await hosted.remove()
    }
}
