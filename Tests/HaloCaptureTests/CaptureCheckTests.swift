import Foundation
import HaloCapture
import HaloProtocol
import Testing

/// What a check finds in a capture.
@Suite struct CaptureCheckTests {
    private static let fixtures = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures", directoryHint: .isDirectory)

    private static func capture(_ path: String) throws -> Capture {
        try Capture(reading: Data(contentsOf: fixtures.appending(path: path)))
    }

    private static func check(_ text: String) throws -> CaptureCheck {
        CaptureCheck(try Capture(reading: text))
    }

    private static let battery = "03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51"
    private static let ask = "03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03"

    @Test(arguments: ["Sessions/QRingR12Sync.halo", "Sessions/R10Workout.halo"])
    func recordedSessionsAreClean(_ path: String) throws {
        let check = CaptureCheck(try Self.capture(path))
        #expect(check.isClean, "\(check)")
        print(check)
    }
}
