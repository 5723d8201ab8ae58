import Foundation
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

/// The requests of a fixture, as an app would send them.
struct RingFixture: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whole frames, in order, joined from their pieces.
    let requests: [[UInt8]]

    var testDescription: String { name }

    static let commands = all(in: "Commands", .uart)
    static let records = all(in: "BigData", .bigData)

    private static let root = URL(filePath: packagePath("Fixtures/"))

    private static func all(in folder: String, _ channel: CaptureChannel) -> [RingFixture] {
        let directory = root.appending(path: folder, directoryHint: .isDirectory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".halo") }.sorted().compactMap { name in
            guard let capture = capture("\(folder)/\(name)") else { return nil }
            var requests: [[UInt8]] = []
            for packet in capture.lines.compactMap(\.packet)
            where packet.direction == .toDevice && packet.channel == channel {
                let isWhole = channel == .uart || (try? BigDataFrame(decoding: packet.bytes)) != nil
                if isWhole { requests.append(packet.bytes) }
            }
            return RingFixture(name: String(name.dropLast(5)), requests: requests)
        }
    }

    /// A file below `Fixtures`.
    static func bytes(_ path: String) -> Data? { try? Data(contentsOf: root.appending(path: path)) }

    /// The capture in a file below `Fixtures`.
    static func capture(_ path: String) -> Capture? {
        bytes(path).flatMap { try? Capture(reading: $0) }
    }
}
