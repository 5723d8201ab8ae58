import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// Numbers from other documents: the Bluetooth specification, the specifications of file formats,
/// and this package's pages about its limits.
@Suite(.computes) struct TrafficNumbersTests {
    @Test func limitsAreThoseThatAreDocumented() {
        #expect(TrafficSurvey.connectionLimit == 4_096)
        #expect(TrafficSurvey.deviceLimit == 1_024)
        #expect(TrafficSurvey.attributeLimit == 32_768)
        #expect(ImportOptions.advertisementLimit == 64)
        #expect(CaptureExporter.maximumLinkCount == 256)
        #expect(TrafficFormat.detectionLength == 262_144)
    }

    @Test func innerLimitsAreThoseThatAreDocumented() {
        #expect(ConnectionLimits.links == 64)
        #expect(ConnectionLimits.requests == 32 && AdapterTable.mostAdapters == 16)
        #expect(ConnectionLimits.advertisement == 1_650)
        #expect(PcapNGParser.mostInterfaces == 1_024)
        #expect(ChunkFeeder.longestUnit == 1_048_576)
        #expect(RecordCounter.longestPacket == 131_072)
        #expect(PreparedWrites.maximumCount == 64 && ATTDecoder.leastMTU == 23)
        #expect(TextLines.longestLine == 65_536 && HexLineBytes.certain == 8)
        #expect(TrafficRecogniser.most == 64)
        #expect(ExportLink.longestWait == 30_000_000 && ExportAir.longestData == 251)
    }

    @Test func anImportSelectsTheOnlyDevice() {
        let options = ImportOptions()
        #expect(options.format == nil && options.handles.isEmpty && options.device == .only)
        #expect(!options.keepsAdvertisements)
    }

    /// Core Specification, volume 3 parts A and F.
    @Test func numbersAreThoseOfBluetooth() {
        #expect(L2CAPAssembly.headerLength == 4)
        #expect(AirPackets.advertising == 2_391_391_958)
        #expect(AttributeUUIDs.primaryService == BluetoothUUID(10_240 as UInt32))
        #expect(AttributeUUIDs.secondaryService == BluetoothUUID(10_241 as UInt32))
    }
}
