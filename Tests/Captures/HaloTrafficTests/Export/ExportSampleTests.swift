import TestSupport
import Testing

@testable import HaloTraffic

/// The samples for other programs contain everything that the exporter writes.
@Suite(.computes) struct ExportSampleTests {
    /// The opcodes that no export has: they are not recorded, or other packets do the same.
    private static let unwritten: Set<ATTOpcode> = [
        .findByTypeValueRequest, .findByTypeValueResponse, .readMultipleRequest,
        .readMultipleResponse, .readMultipleVariableRequest, .readMultipleVariableResponse,
        .multipleNotifications, .signedWriteCommand,
    ]

    @Test(arguments: ExportFormat.allCases)
    func theSamplesHaveEveryOpcodeThatIsWritten(format: ExportFormat) throws {
        var found: Set<ATTOpcode> = []
        for sample in ExportSample.all {
            let bytes = try sample.capture.exported(as: format)
            found.formUnion(try ExportedTraffic(bytes, format).attributes.compactMap(\.opcode))
        }
        #expect(found == Set(ATTOpcode.allCases).subtracting(Self.unwritten))
    }
}
