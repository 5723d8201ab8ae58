import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Files of other programs. For each, `tshark` gives the number of packets, their bytes, and the
/// times of the first and the last one.
@Suite(.computes) struct ContainersFixtureTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let count: Int
        let length: Int
        let times: [Int64]
        /// The bytes of a packet that are not passed on: its header and its CRC.
        let overhead: Int
        var testDescription: String { name }
    }

    private static let uartTimes: [Int64] = [1_765_493_655_290_001, 1_765_493_656_330_025]
    private static let airTimes: [Int64] = [1_765_493_655_001_000, 1_765_493_655_691_000]
    private static let monitorTimes: [Int64] = [1_795_160_439_319_087, 1_795_160_441_652_206]
    static let cases = [
        Case(name: "air.pcap", count: 24, length: 363, times: airTimes, overhead: 3),
        Case(name: "air-phdr.pcap", count: 24, length: 603, times: airTimes, overhead: 13),
        Case(name: "nordic.pcap", count: 24, length: 771, times: airTimes, overhead: 20),
        Case(name: "monitor.btsnoop", count: 178, length: 3081, times: monitorTimes, overhead: 0),
        Case(name: "monitor.pcap", count: 178, length: 3081, times: monitorTimes, overhead: 0),
        Case(name: "monitor-ns.pcap", count: 178, length: 3081, times: monitorTimes, overhead: 0),
        Case(name: "monitor.pcapng", count: 178, length: 3081, times: monitorTimes, overhead: 0),
        Case(name: "uart.btsnoop", count: 27, length: 351, times: uartTimes, overhead: 1),
        Case(name: "uart.pcap", count: 27, length: 351, times: uartTimes, overhead: 1),
        Case(name: "uart.pcapng", count: 27, length: 351, times: uartTimes, overhead: 1),
        Case(
            name: "uart-big-endian.pcap", count: 27, length: 351,
            times: [1_765_493_655_040_001, 1_765_493_681_040_001], overhead: 1),
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        try FixtureFolder("Captures/Containers").bytes(name)
    }

    /// Where a file comes from, and what its licence is, stands in the folder's table.
    @Test(arguments: ["Traffic", "Containers", "Text"])
    func eachFileHasARow(_ folder: String) throws {
        let page = try FixtureFolder("Captures").bytes("README.md")
        let table = String(decoding: page, as: UTF8.self)
        let files = FixtureFolder("Captures/\(folder)").names.filter { !$0.hasSuffix(".att") }
        #expect(!files.isEmpty)
        for file in files {
            let family = file.replacing(/packets-5\.\d+/, with: "packets-VERSION")
            #expect(table.contains("`\(file)`") || table.contains("`\(family)`"), "\(file)")
        }
    }

    @Test(arguments: cases)
    func agreesWithTheCounts(_ file: Case) throws {
        let found = ContainersSink(try Self.bytes(file.name))
        #expect(found.error == nil)
        #expect(found.records.count == file.count)
        #expect(
            found.records.reduce(0) { $0 + $1.bytes.count }
                == file.length - file.overhead * file.count)
        let times = found.records.map(\.position.microseconds)
        #expect([times.first, times.last] == file.times)
        #expect(found.records.map(\.position.number) == Array(1...file.count))
        #expect(found.oddities.allSatisfy { $0 == .timeBackwards })
    }

    @Test func theSameTrafficIsTheSameInEachFormat() throws {
        let groups = [
            ["monitor.btsnoop", "monitor.pcap", "monitor-ns.pcap", "monitor.pcapng"],
            ["uart.btsnoop", "uart.pcap", "uart.pcapng"], ["uart.pcap", "uart-big-endian.pcap"],
            ["air.pcap", "air-phdr.pcap", "nordic.pcap"],
        ]
        for group in groups {
            let files = try group.map { ContainersSink(try Self.bytes($0)).records.map(\.bytes) }
            #expect(files.allSatisfy { $0 == files[0] }, "\(group)")
        }
        let kinds = try groups[0].map { ContainersSink(try Self.bytes($0)).records.map(\.kind) }
        #expect(kinds.allSatisfy { $0 == kinds[0] })
        let bumble = try groups[1].map { ContainersSink(try Self.bytes($0)).records.map(\.kind) }
        #expect(bumble.allSatisfy { $0 == bumble[0] })
    }

    @Test func knowsHowPacketsWereReceived() throws {
        for name in ["air-phdr.pcap", "nordic.pcap"] {
            let found = ContainersSink(try Self.bytes(name))
            for (index, record) in found.records.enumerated() {
                let sent: Direction? = index < 2 ? nil : index % 2 == 0 ? .toDevice : .fromDevice
                #expect(
                    record.kind
                        == .air(
                            AirReception(
                                direction: sent, strength: Int8(-40 - index),
                                isIntact: index != 7)), "\(name) \(index)")
            }
        }
    }

    @Test func keepsTheInterfacesOfAMergedFileApart() throws {
        let found = ContainersSink(try Self.bytes("merged.pcapng"))
        #expect(found.error == nil && found.records.count == 229)
        let parts = ["air-phdr.pcap", "uart.pcap", "monitor.pcap"]
        let records = try parts.flatMap { ContainersSink(try Self.bytes($0)).records }
        let sorted = { (records: [ContainersSink.Record]) in
            records.map { "\($0.position.microseconds) \($0.bytes) \($0.kind)" }.sorted()
        }
        #expect(sorted(found.records) == sorted(records))
    }

    @Test(arguments: cases.map(\.name) + ["merged.pcapng"])
    func isTheSameInPiecesOfAnySize(_ name: String) throws {
        let bytes = try Self.bytes(name)
        let whole = ContainersSink(bytes)
        for size in [1, 2, 3, 5, 7, 13, 64, 100, 1000, 4095, 4096, 4097] {
            #expect(ContainersSink(bytes, inPieces: size) == whole, "\(size)")
        }
    }
}
