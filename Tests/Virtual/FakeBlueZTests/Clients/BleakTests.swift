import FakeBlueZ
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// `bleak`, the Bluetooth library for Python, as an independent client.
@Suite(.takesTurns) struct BleakTests {
    static let versions = PythonClients.withBleak
    private static let absence: Comment = "bleak is not installed for python3"

    /// The way in which notifications are received.
    enum Mode: String, CaseIterable, CustomTestStringConvertible {
        case signals, socket
        var testDescription: String { rawValue }
    }

    private static let ring = """
        import asyncio, sys
        from bleak import BleakClient, BleakScanner
        name, mode, request = sys.argv[1:]
        nordic = ("fff0", "0002", "0003")
        uart, write, notify = (f"6e40{n}-b5a3-f393-e0a9-e50e24dcca9e" for n in nordic)
        def full(number):
            return f"0000{number}-0000-1000-8000-00805f9b34fb"
        async def main():
            ring = await BleakScanner.find_device_by_name(name, timeout=patience)
            print("found", ring.address)
            same = await BleakScanner.find_device_by_filter(
                lambda device, data: uart in data.service_uuids, timeout=patience,
                service_uuids=[uart])
            print("by service", same.address)
            none = await BleakScanner.find_device_by_filter(
                lambda device, data: True, timeout=0.5, service_uuids=[full("180d")])
            print("by another", none)
            for turn in range(2):
                gone, heard = asyncio.Event(), asyncio.Queue()
                client = BleakClient(
                    ring, disconnected_callback=lambda _: gone.set(), timeout=patience)
                async with client:
                    for number in ("2a26", "2a27"):
                        print((await client.read_gatt_char(full(number))).decode())
                    def keep(_, value):
                        # A ring may say something unasked, too.
                        if value[0] == bytes.fromhex(request)[0]:
                            heard.put_nowait(bytes(value))
                    await client.start_notify(
                        notify, keep, bluez={"use_start_notify": mode == "signals"})
                    await client.write_gatt_char(write, bytes.fromhex(request), response=False)
                    print((await asyncio.wait_for(heard.get(), patience)).hex())
                    await client.write_gatt_char(write, bytes.fromhex(request), response=True)
                    print((await asyncio.wait_for(heard.get(), patience)).hex())
                    await client.stop_notify(notify)
                await asyncio.wait_for(gone.wait(), patience)
                print("gone", heard.qsize())
        asyncio.run(main())
        """

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions, Mode.allCases)
    func asksARing(_ bleak: PythonClients, _ mode: Mode) async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let ring = VirtualRing(
            .r02, days: 0, options: VirtualRingOptions(seed: 4, batteryPercent: 83))
        let hosted = fake.add(ring)
        let address = try #require(hosted.identity).rawValue
        let outcome = try await bleak.run(
            Self.ring,
            [ring.name, mode.rawValue, HexText.bytes(Battery.Request().frame.bytes)],
            bus: try fake.listen())
        let battery = HexText.bytes(
            Battery.Reply(percent: 83, charging: .discharging).frame.bytes
        ).lowercased()
        let turn = [ring.profile.firmware, ring.profile.hardware, battery, battery, "gone 0"]
        #expect(
            outcome.lines == [
                "found \(address)", "by service \(address)", "by another None",
            ] + turn + turn)
        #expect(outcome.status == 0)
        #expect(!hosted.isConnected)
    }

    private static let strap = """
        import asyncio
        from bleak import BleakClient, BleakScanner
        def full(number):
            return f"0000{number}-0000-1000-8000-00805f9b34fb"
        async def main():
            strap = await BleakScanner.find_device_by_filter(
                lambda device, data: full("180d") in data.service_uuids, timeout=patience)
            print(strap.name)
            for turn in range(2):
                async with BleakClient(strap, timeout=patience) as client:
                    print((await client.read_gatt_char(full("2a24"))).decode())
                    print((await client.read_gatt_char(full("2a38"))).hex())
                    print((await client.read_gatt_char(full("2a19"))).hex())
                    heard = asyncio.Queue()
                    await client.start_notify(
                        full("2a37"), lambda _, value: heard.put_nowait(bytes(value)))
                    for beat in range(3):
                        print("beat", (await asyncio.wait_for(heard.get(), patience)).hex())
                    await client.stop_notify(full("2a37"))
                    # Energy spent begins again.
                    await client.write_gatt_char(full("2a39"), b"\\x01", response=True)
        asyncio.run(main())
        """

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func listensToAStrap(_ bleak: PythonClients) async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        var options = VirtualHeartRateSensorOptions()
        options.interval = .milliseconds(200)
        let hosted = fake.add(VirtualHeartRateSensor(beatsPerMinute: 72, options: options))
        let outcome = try await bleak.run(Self.strap, bus: try fake.listen())
        #expect(outcome.status == 0, "\(outcome)")
        let beats = outcome.lines.filter { $0.hasPrefix("beat ") }.map { $0.dropFirst(5) }
        #expect(beats.count == 6)
        for beat in beats {
            let measurement = try HeartRateMeasurement(decoding: bytes(beat))
            #expect((68...76).contains(measurement.beatsPerMinute), "\(measurement)")
            #expect(measurement.contact == .detected)
        }
        let rest = outcome.lines.filter { !$0.hasPrefix("beat ") }
        let turn = ["Virtual heart-rate sensor", "01", "64"]
        #expect(rest == [options.name] + turn + turn)
        #expect(!hosted.state.isMeasuring)
    }

    private static let loss = """
        import asyncio, sys
        from bleak import BleakClient, BleakScanner
        from bleak.exc import BleakError
        name, restart = sys.argv[1:]
        write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
        firmware = "00002a26-0000-1000-8000-00805f9b34fb"
        async def main():
            ring = await BleakScanner.find_device_by_name(name, timeout=patience)
            gone = asyncio.Event()
            client = BleakClient(
                ring, disconnected_callback=lambda _: gone.set(), timeout=patience)
            await client.connect()
            try:
                await client.read_gatt_char(write)
            except BleakError as error:
                print("refused:", "permitted" in f"{error} {error!r}".lower())
            await client.write_gatt_char(write, bytes.fromhex(restart), response=False)
            await asyncio.wait_for(gone.wait(), patience)
            print("connected:", client.is_connected)
            try:
                await client.read_gatt_char(firmware)
            except BleakError as error:
                print("error:", error)
            ring = await BleakScanner.find_device_by_name(name, timeout=patience)
            async with BleakClient(ring, timeout=patience) as client:
                print((await client.read_gatt_char(firmware)).decode())
        asyncio.run(main())
        """

    /// A ring that restarts ends the link, and advertises again after some seconds.
    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func noticesThatARingGoes(_ bleak: PythonClients) async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let ring = VirtualRing(.r12, days: 0)
        fake.add(ring)
        let restart = DangerousPowerOff.Request(knowinglySending: .reboot).frame.bytes
        let outcome = try await bleak.run(
            Self.loss, [ring.name, HexText.bytes(restart)], bus: try fake.listen())
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.lines.map { $0.hasPrefix("error: ") ? "error" : $0 } == [
                "refused: True", "connected: False", "error", ring.profile.firmware,
            ])
    }

    private static let passive = """
        import asyncio
        from bleak import BleakScanner
        from bleak.assigned_numbers import AdvertisementDataType
        async def main():
            patterns = [(0, AdvertisementDataType.FLAGS, b"\\x06")]
            try:
                async with BleakScanner(scanning_mode="passive", bluez={"or_patterns": patterns}):
                    print("it scans")
            except Exception as error:
                print(error)
        asyncio.run(main())
        """

    /// Without `--experimental` the daemon offers no passive scan.
    @Test(.enabled(if: !versions.isEmpty, absence), arguments: versions)
    func cannotScanPassively(_ bleak: PythonClients) async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let outcome = try await bleak.run(Self.passive, bus: try fake.listen())
        #expect(outcome.lines.first?.contains("--experimental") == true, "\(outcome)")
    }
}
