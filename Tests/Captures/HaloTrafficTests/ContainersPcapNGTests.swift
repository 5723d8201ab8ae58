import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct ContainersPcapNGTests {
    private static let uart: UInt16 = 187
    private static let reset: [UInt8] = [1, 3, 12, 0]

    private func file(
        _ order: ByteOrder = .little, _ body: (inout ContainersFile) -> Void
    ) -> [UInt8] {
        var file = ContainersFile()
        file.putSection(order)
        body(&file)
        return file.bytes
    }

    @Test(arguments: [ByteOrder.big, .little])
    func readsBothOrders(_ order: ByteOrder) {
        let found = ContainersSink(
            file(order) { file in
                file.putInterface(Self.uart)
                file.putPacket(Self.reset, time: 0x0006_0000_0000_0001)
                file.putPacket([2, 9, 8], time: 0x0006_0000_0000_0002)
            })
        #expect(found.error == nil && found.notes == [])
        #expect(
            found.records.map(\.kind) == [
                .hci(.command, .toController, adapter: 0), .hci(.acl, nil, adapter: 0),
            ])
        #expect(found.records.map(\.bytes) == [[3, 12, 0], [9, 8]])
        #expect(
            found.records.map(\.position) == [
                FilePosition(number: 1, offset: 48, microseconds: 0x0006_0000_0000_0001),
                FilePosition(number: 2, offset: 84, microseconds: 0x0006_0000_0000_0002),
            ])
    }

    @Test func readsSectionsOfBothOrdersInOneFile() {
        var file = ContainersFile()
        for order in [ByteOrder.little, .big, .little] {
            file.putSection(order)
            file.putInterface(Self.uart)
            file.putPacket(Self.reset)
        }
        #expect(ContainersSink(file.bytes).records.count == 3)
        file.putSection(.big)
        file.putPacket(Self.reset)
        #expect(ContainersSink(file.bytes).error?.kind == .malformed)
    }

    @Test(
        arguments: [
            ([], 5_000_000, 5_000_000), ([6], 5, 5), ([3], 5, 5000), ([0], 5, 5_000_000),
            ([9], 5_999, 5), ([12], 5_999_999, 5), ([127], .max, 0), ([0], .max, .max),
            ([6], .max, .max),
        ] as [([UInt8], UInt64, Int64)])
    func readsAnyDecimalUnitOfTime(_ unit: [UInt8], _ time: UInt64, _ microseconds: Int64) {
        let options: [(UInt16, [UInt8])] = unit.isEmpty ? [] : [(UInt16(9), unit)]
        let found = ContainersSink(
            file { file in
                file.putInterface(Self.uart, options: options)
                file.putPacket(Self.reset, time: time)
            })
        #expect(found.error == nil)
        #expect(found.records.map(\.position.microseconds) == [microseconds])
    }

    @Test func refusesBinaryUnitsOfTime() {
        let error = ContainersSink(
            file { $0.putInterface(Self.uart, options: [(9, [0x80 | 20])]) }
        ).error
        #expect(error?.kind == .unknownContent && error?.found == 0x94)
        #expect(error?.hint?.contains("editcap") == true)
    }

    @Test(
        arguments: [
            (100, 5, 100_000_005), (-100, 5, -99_999_995), (.max, 5, .max), (.min, 5, .min),
            (9_223_372_036_854, .max, .max),
        ] as [(Int64, UInt64, Int64)])
    func addsTheInterfacesOffset(_ offset: Int64, _ time: UInt64, _ microseconds: Int64) {
        var number = ContainersFile(.little)
        number.put(offset)
        let found = ContainersSink(
            file { file in
                file.putInterface(Self.uart, options: [(2, [65]), (14, number.bytes)])
                file.putPacket(Self.reset, time: time)
            })
        #expect(found.records.map(\.position.microseconds) == [microseconds])
    }

    @Test func readsOptionsOfPackets() {
        let found = ContainersSink(
            file { file in
                file.putInterface(Self.uart)
                for flags in [0, 1, 2, 3] as [UInt8] {
                    file.putPacket([2, 7], options: [(1, [65]), (2, [flags, 0, 0, 0])])
                }
                file.putPacket([2, 7], options: [(4, [0, 0, 0, 0, 0, 0, 0, 0])])
                file.putPacket([2, 7], options: [(4, [1, 0, 0, 0, 0, 0, 0, 0])])
            })
        let acl = { (way: HCIDirection?) in RecordKind.hci(.acl, way, adapter: 0) }
        #expect(
            found.records.map(\.kind) == [
                acl(nil), acl(.toHost), acl(.toController), acl(nil), acl(nil), acl(nil),
            ])
        #expect(found.notes.map(\.position.number) == [6] && found.oddities == [.lostByRecorder])
    }

    @Test func passesOverOtherBlocks() {
        let bytes = file { file in
            for type in [2, 3, 5] as [UInt32] { file.putBlock(type) { $0.put(UInt64(9)) } }
            file.putInterface(Self.uart)
            file.putBlock(0xBAD) { $0.bytes = [UInt8](repeating: 0x0A, count: 3 << 20) }
            file.putPacket(Self.reset)
            file.putBlock(0x8000_0001) { _ in }
        }
        for size in [10_000, 1 << 22] {
            let found = ContainersSink(bytes, inPieces: size)
            #expect(found.error == nil && found.records.count == 1)
        }
    }

    @Test func keepsInterfacesApart() {
        let found = ContainersSink(
            file { file in
                file.putInterface(Self.uart)
                file.putInterface(1)
                file.putInterface(201)
                file.putPacket([0, 0, 0, 1, 2, 5], interface: 2)
                file.putPacket([1, 2, 3, 4], interface: 1)
                file.putPacket(Self.reset, interface: 0)
            })
        #expect(found.error == nil)
        #expect(
            found.records.map(\.kind) == [
                .hci(.acl, .toHost, adapter: 2), .hci(.command, .toController, adapter: 0),
            ])
        #expect(found.notes.map(\.position.number) == [2] && found.oddities == [.unknownPacket])
    }

    @Test func refusesAFileWithoutBluetooth() {
        let error = ContainersSink(
            file { file in
                file.putInterface(1)
                file.putPacket([1, 2, 3, 4])
                file.putInterface(105)
            }
        ).error
        #expect(error?.kind == .unknownContent && error?.offset == 36 && error?.found == 1)
        #expect(ContainersSink(file { _ in }).error == nil)
    }

    @Test func refusesTooManyInterfaces() {
        let bytes = file { file in
            for _ in 0...PcapNGParser.mostInterfaces { file.putInterface(Self.uart) }
        }
        #expect(ContainersSink(bytes).error?.kind == .tooMuch)
    }

    @Test(arguments: [0, 4, 8, 11, 13, 14, 15, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func refusesLengthsThatCannotBe(_ length: Int) {
        for type in [1, 6, 0xBAD] as [UInt32] {
            let error = ContainersSink(
                file { $0.putBlock(type, length: length) { $0.put(UInt64(0)) } }
            ).error
            #expect(error?.kind == .wrongLength && error?.offset == 32, "\(type)")
            #expect(error?.found == length)
        }
    }

    @Test(arguments: [1, 6, 0xBAD] as [UInt32])
    func refusesLengthsThatDoNotAgree(_ type: UInt32) {
        let error = ContainersSink(
            file { file in
                file.putInterface(Self.uart)
                file.putBlock(type, trailer: 44) { $0.bytes = [UInt8](repeating: 0, count: 20) }
            }
        ).error
        #expect(error?.kind == .wrongLength && error?.found == 44)
        #expect(error?.offset == 28 + 20 + 28)
    }

    @Test func refusesBlocksThatAreTooShortOrTooLong() {
        let kinds: [UInt32] = [1, 6]
        for kind in kinds {
            let bytes = file { file in
                file.putInterface(Self.uart)
                file.putBlock(kind) { _ in }
            }
            #expect(ContainersSink(bytes).error?.kind == .wrongLength, "\(kind)")
        }
        let long = file { $0.putBlock(6, length: (1 << 20) + 4) { _ in } }
        #expect(
            ContainersSink(long).error
                == TrafficError(.recordTooLong, at: 28, found: (1 << 20) + 4))
    }

    @Test func refusesPacketsThatCannotBe() {
        let cases: [(TrafficError.Kind, (inout ContainersFile) -> Void)] = [
            (.wrongLength, { $0.putPacket([1, 2, 3, 4], included: 5) }),
            (.recordTooLong, { $0.putPacket([1], included: 1 << 20) }),
            (.malformed, { $0.putPacket([1], interface: 1) }),
            (.malformed, { $0.putPacket([1], interface: .max) }),
            (
                .wrongLength,
                { file in
                    file.putBlock(1) { body in
                        body.put(UInt64(187))
                        body.put(UInt16(9))
                        body.put(UInt16(5))
                        body.put(UInt32(9))
                    }
                }
            ),
        ]
        for (index, (kind, put)) in cases.enumerated() {
            let found = ContainersSink(
                file { file in
                    file.putInterface(Self.uart)
                    file.putPacket(Self.reset)
                    put(&file)
                })
            #expect(found.error?.kind == kind, "case \(index)")
            #expect(found.records.count == 1 && (found.error?.offset ?? 0) >= 84)
        }
    }

    @Test func refusesABlockThatIsNoSection() {
        var file = ContainersFile(.little)
        file.putBlock(0x0A0D_0D0A) { $0.put(UInt64(0x1A2B_3C4E)) }
        #expect(ContainersSink(file.bytes).error == TrafficError(.malformed, at: 8))
        file = ContainersFile()
        file.putSection(.big, major: 2)
        #expect(
            ContainersSink(file.bytes).error
                == TrafficError(.unknownVersion, at: 12, found: 2, hint: "it is 1.0"))
        file = ContainersFile()
        file.putInterface(187)
        #expect(
            ContainersSink(file.bytes, .pcapng).error == TrafficError(.malformed, at: 0))
    }
}
