import FakeBlueZ
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Values that are longer than a packet: the daemon writes them in pieces.
@Suite(.takesTurns) struct LongWriteTests {
    private static func value(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }

    @Test(arguments: [23, 185, 517])
    func aWriteWithResponseCarriesTheLongestValueWhateverThePacket(_ mtu: Int) async throws {
        var quirks = FakeQuirks()
        quirks.mtu = mtu
        let harness = try await LinkContractTests.Harness(quirks: quirks)
        let link = try await harness.transport.connect(
            to: try await harness.transport.find(
                ScanFilter(services: [ContractAttribute.service])))
        let record = try await link.characteristic(
            ContractAttribute.record.uuid, of: ContractAttribute.service)
        #expect(link.maximumWriteLength(for: .withResponse) == 512)
        #expect(link.maximumWriteLength(for: .withoutResponse) == min(mtu - 3, 510))
        try await link.write(Self.value(512), to: record)
        #expect(try await harness.order([]).written == [Self.value(512)])
        let error = await #expect(throws: BLEError.self) {
            try await link.write(Self.value(513), to: record)
        }
        #expect(error?.kind == .tooLong)
        await link.disconnect()
    }

    /// Seen on 5.66: a hosted device receives the pieces as one value, of at most 508 bytes. One
    /// packet has room for 510.
    @Test(arguments: [(64, 508), (517, 510)])
    func aHostedDeviceGetsTheWholeValue(_ mtu: Int, _ longest: Int) async throws {
        let harness = try await HostingContractTests.Harness()
        harness.fake.quirks.mtu = mtu
        let link = try await harness.transport.connect(
            to: try await harness.transport.find(
                ScanFilter(services: [ContractAttribute.service])))
        let record = try await link.characteristic(
            ContractAttribute.record.uuid, of: ContractAttribute.service)
        try await link.write(Self.value(longest), to: record)
        #expect(try await harness.order([]).written == [Self.value(longest)])
        let error = await #expect(throws: BLEError.self) {
            try await link.write(Self.value(longest + 1), to: record)
        }
        #expect(error?.attError == .invalidLength)
        await link.disconnect()
        await harness.hosted.remove()
    }
}
