import HaloProtocol
import HaloSimulator
import HaloTransport

/// `halo simulate ring` and `halo simulate strap`: a device that other programs meet.
enum SimulatedDevice {
    /// Where programs of Qt look which version the daemon is, and what they are told.
    ///
    /// Without it they ask the owner of the daemon's name, by starting its program a second time,
    /// which is not the daemon's here.
    static let version = (name: "BLUETOOTH_FORCE_DBUS_LE_VERSION", value: "5.66")

    static let usageLines = """
        usage: halo simulate ring|strap --fake-bluez [--bus PLACE] [--everyone] [--model M]
                                        [--seed S] [--with DEVICE …] [--adapters N]
                                        [-- COMMAND …]
               halo simulate ring|strap --adapter hciN [--model M] [--seed S]
        """

    static var usage: String {
        """
        \(usageLines)

        A ring, or a chest strap, that any program with Bluetooth finds, until Ctrl-C.

          --fake-bluez   no radio and no daemon are needed: a bus of its own, with what BlueZ's
                         daemon has on it. The first line that is printed is what programs need
                         to find it, DBUS_SYSTEM_BUS_ADDRESS=unix:…, to be put into their
                         environment; the device is there then. With a command behind --, that
                         is run so instead; its exit status is the one of halo. Programs of Qt
                         need \(version.name)=\(version.value), too; such a command has it.
          --bus PLACE    where the bus listens: a file that is to be made, @NAME for a name that
                         is none, or an address, unix:path=FILE; one that nobody else has if left
                         out. Programs of this user and root's may connect
          --everyone     programs of other users may connect to that bus, too
          --adapter hciN on the air: this computer is the device, for a phone or another computer
          --model M      which ring: \(SimulatedDeviceOptions.models); r02 if left out
          --seed S       which virtual person wears the device; 1 if left out
          --with DEVICE  one more device beside it: strap, or a ring's model; as often as needed
          --adapters N   how many adapters the daemon has, hci0 and so on; 1 if left out

        What programs do with the device is told on standard error. It ends when it is asked to
        by a signal, or when nobody reads its output any more, and leaves nothing behind.

        Exit status: 0 when it was ended, 1 if there can be no device here, or none any more, 2
        for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        let options: SimulatedDeviceOptions
        do throws(UsageError) {
            options = try SimulatedDeviceOptions(arguments)
        } catch {
            console.complain(
                """
                halo simulate: \(console.safe(error.reason))
                \(usageLines)
                'halo simulate ring --help' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        #if os(Linux)
        let devices = options.devices
        guard let (device, name) = devices.first else { return .wrongUsage }
        let run = SimulatedDeviceRun(options, name: name, others: Array(devices.dropFirst()))
        return await run.run(device, &console)
        #else
        console.complain("halo simulate: a device that other programs meet needs Linux")
        return .foundFault
        #endif
    }
}
