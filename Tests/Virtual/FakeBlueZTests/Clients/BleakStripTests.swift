import FakeBlueZ
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// `bleak` drives a virtual LED strip, with the bytes that its users write.
@Suite(.takesTurns) struct BleakStripTests {
    private static let versions = PythonClients.withBleak
    private static let absence: Comment = "bleak is not installed for python3"

    private static let script = """
        import asyncio
        from bleak import BleakClient, BleakScanner
        from bleak.exc import BleakError
        def full(number):
            return f"0000{number}-0000-1000-8000-00805f9b34fb"
        commands, status = full("ffd9"), full("ffd4")
        async def main():
            strip = await BleakScanner.find_device_by_filter(
                lambda device, data: full("ffd5") in data.service_uuids, timeout=patience)
            print(strip.name)
            async with BleakClient(strip, timeout=patience) as client:
                for number in ("ffd5", "ffd0"):
                    service = client.services.get_service(full(number))
                    for one in service.characteristics:
                        print(service.uuid[4:8], one.uuid[4:8], *sorted(one.properties))
                heard = asyncio.Queue()
                await client.start_notify(status, lambda _, value: heard.put_nowait(bytes(value)))
                async def tell(text, response):
                    await client.write_gatt_char(commands, bytes.fromhex(text), response=response)
                async def report():
                    await tell("ef0177", False)
                    print((await asyncio.wait_for(heard.get(), patience)).hex())
                await report()
                await tell("5600ff0000f0aa", False)
                await report()
                await tell("bb270144", True)
                await report()
                await tell("cc2433", True)
                await report()
                await tell("cc23", True)
                await report()
                try:
                    await client.read_gatt_char(commands)
                except BleakError as error:
                    print("refused:", "permitted" in f"{error} {error!r}".lower())
                for level in range(256):
                    await tell(f"56000000{level:02x}0faa", False)
                await tell("cc2333", True)
                await report()
                print("unasked", heard.qsize())
        asyncio.run(main())
        """

    @Test(.enabled(if: !versions.isEmpty, absence), arguments: versions)
    func drivesAStrip(_ bleak: PythonClients) async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let hosted = fake.add(VirtualLEDStrip())
        let outcome = try await bleak.run(Self.script, bus: try fake.listen())
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.lines
                == [
                    hosted.state.options.name,
                    "ffd5 ffd9 write write-without-response", "ffd0 ffd4 notify",
                    "66152341 2000 ff0000 00 0699", "66152341 2000 00ff00 00 0699",
                    "66152327 2001 00ff00 00 0699", "66152427 2001 00ff00 00 0699",
                    "66152427 2001 00ff00 00 0699", "refused: True",
                    "66152341 2000 000000 ff 0699", "unasked 0",
                ].map { $0.hasPrefix("66") ? $0.filter { $0 != " " } : $0 })
        #expect(hosted.state.light(at: .origin) == LEDLight(white: 255))
        #expect(hosted.state.commandCount == 266)
    }
}
