import HaloProtocol
import HaloSimulator
import HaloTransport

/// `halo simulate ring` and `halo simulate strap`: a device that other programs meet.
enum SimulatedDevice {
    static let usageLines = """
        usage: halo simulate ring|strap --fake-bluez [--bus PLACE] [--model M] [--seed S]
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
                         is run so instead; its exit status is the one of halo.
          --bus PLACE    where the bus listens: a file that is to be made, @NAME for a name that
                         is none, or an address, unix:path=FILE; one that nobody else has if left
                         out
          --adapter hciN on the air: this computer is the device, for a phone or another computer
          --model M      which ring: \(SimulatedDeviceOptions.models); r02 if left out
          --seed S       which virtual person wears the device; 1 if left out

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
        let wearer = Wearer(seed: options.seed, restingHeartRate: 54)
        if let profile = options.profile {
            let ring = VirtualRing(
                profile, wearer: wearer,
                options: VirtualRingOptions(seed: options.seed, batteryPercent: 83))
            return await SimulatedDeviceRun(options, name: ring.name).run(ring, &console)
        }
        let strap = VirtualHeartRateSensor(location: .chest, wearer: wearer)
        return await SimulatedDeviceRun(options, name: strap.options.name).run(strap, &console)
        #else
        console.complain("halo simulate: a device that other programs meet needs Linux")
        return .foundFault
        #endif
    }
}
