import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The services and the advertisement of a recorded device.
@Suite(.passesTime) struct ReplayOfferTests {
    private static let lamp = BluetoothUUID(0xFFE1)

    private static func services(_ text: String) throws -> [GATTService] {
        ReplayDevice(try Capture(reading: text)).services
    }

    @Test func offersWhatWasOffered() throws {
        let services = try Self.services(
            """
            * offers 180d 2a37 notify
            * offers 180d 2a38 read
            * offers ffe0 ffe1 read command
            * offers 180d 2a37 notify
            < 2a37 00 48

            """)
        #expect(services.map(\.uuid) == [StandardServices.heartRate, BluetoothUUID(0xFFE0)])
        #expect(
            services[0].characteristics.map(\.properties) == [.notify, .read])
        #expect(services[1].characteristics[0].properties == [.read, .writeWithoutResponse])
        #expect(Set(services.flatMap(\.characteristics).map(\.id)).count == 3)
    }

    /// The memory for changes of services is bounded.
    @Test func offersSomethingElseOnlySoOften() throws {
        var text = ""
        for index in 0..<300 { text += "> \(10_000_000 + index) 00\n" }
        for _ in 0..<2_000 { text += "* offers 180d 2a37 notify\n* services-changed\n" }
        let recording = RecordedConversations(try Capture(reading: text))
        #expect(recording.offers.count == RecordedConversations.generationLimit)
        #expect(recording.offers.allSatisfy { $0.count <= 1 })
        #expect(recording.reactions.count == 2_000)
        #expect(try Self.services(text).flatMap(\.characteristics).count == 301)
    }

    @Test func offersWhatWasUsedInTheRightPlace() throws {
        let services = try Self.services(
            """
            > uart write 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
            > ffe1 command 01
            < ffe1 indicated 02
            * read 2a26
            < 2a26 31
            > 2a39 01
            * acknowledged 2a39

            """)
        let offered = services.map { service in
            (service.uuid, service.characteristics.map { ($0.uuid, $0.properties) })
        }
        #expect(
            offered.map(\.0) == [
                RingServices.uart, ReplayDevice.unknownService,
                StandardServices.deviceInformation, StandardServices.heartRate,
            ])
        #expect(offered[0].1.map(\.0) == [RingServices.uartWrite, RingServices.uartNotify])
        #expect(offered[0].1.map(\.1) == [.write, .notify])
        #expect(offered[1].1.map(\.1) == [[.writeWithoutResponse, .indicate]])
        #expect(offered[2].1.map(\.1) == [.read])
        // The recording does not say how it was written.
        #expect(offered[3].1.map(\.1) == [[.write, .writeWithoutResponse]])
    }

    /// The descriptor that switches notifications is the backend's.
    @Test func offersTheDescriptorsThatWereUsed() throws {
        let services = try Self.services(
            """
            * offers 180d 2a37 notify
            * read 2a37:2901
            < 2a37:2901 read 48
            * read 2a37:2901
            > 2a37:2902 write 07 00
            > ffe1:2904 write 01

            """)
        let offered = services.flatMap(\.characteristics)
        #expect(offered.map(\.uuid) == [BluetoothUUID(0x2A37), Self.lamp])
        #expect(
            offered.map { $0.descriptors.map(\.uuid) }
                == [[BluetoothUUID(0x2901)], [BluetoothUUID(0x2904)]])
        let ids = offered.flatMap { [$0.id] + $0.descriptors.map(\.id) }
        #expect(Set(ids).count == ids.count)
    }

    /// A recorded client reads and writes the descriptors of a device, and a replay of the
    /// recording answers as the device did.
    @Test func descriptorsAreRecordedAndReplayed() async throws {
        let air = VirtualBluetooth(seed: 3)
        let gadget = air.add(AirGadget())
        let recorder = CaptureRecorder()
        let link = try await RecordingTransport(air, to: recorder).connect(to: gadget.identity)
        let all = try await link.services.flatMap(\.characteristics).flatMap(\.descriptors)
        let descriptor = try #require(all.first)
        #expect(try await link.read(descriptor) == [1, 2, 3])
        try await link.write([5], to: descriptor)
        await link.disconnect()
        let capture = recorder.capture()
        #expect(capture.text.contains("< 1001:2901 read 01 02 03\n"))
        #expect(capture.text.contains("> 1001:2901 write 05\n"))

        let other = VirtualBluetooth(seed: 4)
        let device = other.add(ReplayDevice(capture))
        var options = ReplayClientOptions()
        options.permissions = .unknown
        let comparison = try await ReplayClient(capture, options).run(
            over: other, to: device.identity)
        #expect(comparison.skipped.isEmpty && comparison.differences.isEmpty)
        #expect(comparison.exchanges.count == 2)
        let again = try await other.connect(to: device.identity)
        let found = try await again.services.flatMap(\.characteristics).flatMap(\.descriptors)
        #expect(found.map(\.uuid) == [BluetoothUUID(0x2901)])
        #expect(try await again.read(try #require(found.first)) == [1, 2, 3])
        #expect(device.state?.report.unknownCount == 0)
        await again.disconnect()
    }

    /// A client subscribes once, where the recorded one was refused first.
    @Test(arguments: [ReplayOptions.lenient, .strict])
    func refusedSubscriptionsAreLeftOut(_ options: ReplayOptions) throws {
        var bench = try ReplayBench(
            """
            * connected
            * subscribed 2a37
            * refused 2a37 05
            * read 2a37:2902
            < 2a37:2902 read 00 00
            * subscribed 2a37
            + 10ms
            < 2a37 notified 00 48

            """, options)
        bench.advance(byMilliseconds: 20)
        #expect(bench.takeSent().map(\.bytes) == [[0, 0x48]])
        #expect(bench.device.report.unrequestedCount == 0)
        #expect(bench.device.report.unknownCount == 0)
    }

    /// Of characteristics with the same UUID the first one has the descriptors.
    @Test func descriptorsAreOfferedOnce() throws {
        var text = ""
        for service in 0..<500 { text += "* offers \(10_000_000 + service) 2a37 read\n" }
        for type in 0..<500 { text += "* read 2a37:\(20_000_000 + type)\n" }
        let offered = try Self.services(text).flatMap(\.characteristics)
        #expect(offered.map(\.descriptors.count) == [500] + Array(repeating: 0, count: 499))
    }

    @Test func changesWhatItOffers() throws {
        var bench = try ReplayBench(
            """
            * offers ffe0 ffe1 write notify
            > ffe1 01
            + 10ms
            * services-changed
            * offers ffe0 ffe1 write notify
            * offers ffe0 ffe2 read

            """)
        let before = bench.id(Self.lamp)
        #expect(bench.device.services[0].characteristics.count == 1)
        bench.write([1], to: Self.lamp)
        bench.advance(byMilliseconds: 10)
        #expect(bench.deeds.map(\.deed) == [.changed])
        #expect(bench.device.services[0].characteristics.count == 2)
        #expect(bench.id(Self.lamp) == before)
        // The next connection begins as the recorded one did, so its services are known before it.
        bench.handle(.disconnected)
        #expect(bench.deeds.map(\.deed) == [.changed, .changed])
        #expect(bench.device.services[0].characteristics.count == 1)
        bench.connect()
        bench.handle(.disconnected)
        #expect(bench.deeds.count == 2)
    }

    @Test func everyKnownCharacteristicHasAService() {
        for entry in CharacteristicCatalog.entries {
            #expect(ServiceCatalog.service(ofCharacteristic: entry.uuid) != nil, "\(entry.name)")
        }
        #expect(ServiceCatalog.service(ofCharacteristic: Self.lamp) == nil)
    }

    @Test func advertisesWhatWasHeard() throws {
        let bench = try ReplayBench(
            "* advertised rssi -60\n< adv 02 01 06\n< scan 03 09 41 42\n< adv 02 01 05\n")
        #expect(bench.advertisement?.data.bytes == [2, 1, 6])
        #expect(bench.advertisement?.scanResponse?.bytes == [3, 9, 0x41, 0x42])
    }

    @Test func advertisesWhatItIsIfNothingWasHeard() throws {
        let ring = try ReplayBench(
            "# name: R02_AB12\n> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\n")
        let data = try #require(ring.advertisement)
        let seen = AdvertisedDevice(data.data, scanResponse: data.scanResponse)
        #expect(seen.recognition.classification == .ring)
        #expect(seen.name?.bytes == Array("R02_AB12".utf8))
        #expect(data.data.fitsLegacy && data.scanResponse?.fitsLegacy ?? true)
        let strap = try ReplayBench("< 2a37 00 48\n")
        #expect(strap.advertisement?.data.services == [StandardServices.heartRate])
    }

    @Test func aCaptureWithoutPacketsOffersNothing() throws {
        var bench = try ReplayBench("# nothing\n")
        #expect(bench.device.services == [])
        #expect(bench.device.report.isExact)
        bench.handle(.write(AttributeID(1), [1], token: ResponseToken(1)))
        #expect(bench.answers[ResponseToken(1)]?.answer == .refused(1))
    }

    @Test func recordsAreCutToWhatALinkCarries() throws {
        let bytes = try BigDataFrame(id: 0x27, payload: [UInt8](repeating: 7, count: 100)).bytes
        let text = HexText.bytes(bytes, separator: " ")
        var bench = try ReplayBench("> bigdata BC 27 00 00 FF FF\n< bigdata \(text)\n")
        bench.handle(.maximumLength(50))
        bench.write([0xBC, 0x27, 0, 0, 0xFF, 0xFF], to: RingServices.bigDataWrite)
        let pieces = bench.takeSent().map(\.bytes)
        #expect(pieces.map(\.count) == [50, 50, 6])
        #expect(pieces.flatMap { $0 } == bytes)
    }
}
