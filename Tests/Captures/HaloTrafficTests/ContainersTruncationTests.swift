import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// Files that are truncated at each byte, and files with wrong bytes.
@Suite(.computes) struct ContainersTruncationTests {
    private static let logger: [UInt8] = {
        var file = ContainersFile(.little)
        for index in 0..<40 as Range<UInt8> {
            file.putLogger(index % 4, [UInt8](repeating: index, count: Int(index) % 9))
        }
        return file.bytes
    }()

    static let names = [
        "uart.btsnoop", "uart.pcap", "uart.pcapng", "nordic.pcap", "air-phdr.pcap", "pklg",
    ]

    private func file(_ name: String) throws -> (bytes: [UInt8], format: TrafficFormat) {
        let bytes = name == "pklg" ? Self.logger : try ContainersFixtureTests.bytes(name)
        let beginning = ContiguousArray(bytes.prefix(TrafficFormat.detectionLength))
        let format = TrafficFormat.detect(beginning.span)
        return (bytes, try #require(format))
    }

    @Test(arguments: names)
    func keepsTheRecordsBeforeTheEnd(_ name: String) throws {
        let (bytes, format) = try file(name)
        let whole = ContainersSink(bytes, format)
        #expect(whole.error == nil && whole.records.count > 20)
        var starts = Set(whole.records.map(\.position.offset) + whole.notes.map(\.position.offset))
        starts.insert(bytes.count)
        let first = try #require(starts.min())
        for count in 0..<bytes.count {
            let found = ContainersSink(Array(bytes.prefix(count)), format)
            let next = starts.filter { $0 > count }.min() ?? bytes.count
            let before = whole.records.filter { record in
                let end = starts.filter { $0 > record.position.offset }.min() ?? bytes.count
                return end <= count
            }
            #expect(found.records == before, "\(count)")
            if count == 0 {
                #expect(found.error == TrafficError(.empty, at: 0))
            } else if starts.contains(count) || count < first && found.error == nil {
                #expect(found.error == nil, "\(count)")
            } else {
                let error = try #require(found.error, "\(count)")
                #expect(error.kind == .truncated && error.offset <= count, "\(count)")
                let missing = try #require(error.missing)
                #expect(missing > 0 && missing <= next - count, "\(count): \(missing)")
            }
        }
    }

    @Test(arguments: names)
    func cutsAnywhereHaveNoEffect(_ name: String) throws {
        let (bytes, format) = try file(name)
        let whole = ContainersSink(bytes, format)
        for cut in 0...bytes.count {
            #expect(ContainersSink(bytes, format, cutAt: cut) == whole, "\(cut)")
        }
    }

    @Test(arguments: names)
    func wrongBytesAreAnErrorWithAnOffset(_ name: String) throws {
        let (bytes, format) = try file(name)
        var random: UInt64 = 42
        let next = { (limit: Int) -> Int in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        for round in 0..<600 {
            var broken = bytes
            for _ in 0...next(4) {
                broken[next(broken.count)] = [0, 0xFF, 0x7F, 0x80, UInt8(next(256))][next(5)]
            }
            let whole = ContainersSink(broken, format)
            #expect(ContainersSink(broken, format, inPieces: 1 + next(40)) == whole, "\(round)")
            if let error = whole.error {
                #expect(error.offset >= 0 && error.offset <= broken.count, "\(error)")
                #expect(error.description.hasSuffix("."))
            }
        }
    }
}
