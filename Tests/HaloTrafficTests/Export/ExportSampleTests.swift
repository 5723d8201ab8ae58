import Testing

@testable import HaloTraffic

/// What other programs are asked about is all that is written.
@Suite struct ExportSampleTests {
    /// What no exported capture needs: what is not recorded, and what other packets do as well.
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
