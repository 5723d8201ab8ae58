import HaloBlueZ
import HaloDBus

/// `halo doctor`: what is wrong with Bluetooth on this computer, and the command that mends it.
enum DoctorVerb: Verb {
    static let name = "doctor"
    static let summary = "says what is wrong with Bluetooth on this computer, and what mends it"

    /// Where a verb has found no Bluetooth.
    static let advice = "'halo doctor' says what is missing, and what mends it."

    static var usage: String {
        """
        usage: halo doctor [--json] [--bus ADDRESS] [--adapter NAME]

        Looks at everything that a program needs to use Bluetooth on Linux: the bus, the daemon of
        BlueZ, permission, the adapter, its power and roles, the daemon's settings. Says of each
        how it is, and with which command it is mended. Nothing is changed or started.

          --json          one JSON object: usable, bus, daemon, adapter (texts or null), findings:
                          each subject, severity (good, hint, problem), sentence, evidence and
                          command (texts or null)
          --bus ADDRESS   the bus, as unix:path=/run/dbus/system_bus_socket; if left out, what
                          DBUS_SYSTEM_BUS_ADDRESS says, or else the usual place
          --adapter NAME  the adapter, by name (hci0) or address; if left out, the one that
                          programs get

        Exit status: 0 if Bluetooth can be used, 1 if something prevents it, 2 for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        do throws(UsageError) {
            let options = try DoctorOptions(arguments)
            if options.wantsHelp {
                console.write(usage)
                return .success
            }
            return try await examine(options, &console)
        } catch {
            console.complain(
                """
                halo doctor: \(console.safe(error.reason))
                usage: halo doctor [--json] [--bus ADDRESS] [--adapter NAME]
                'halo help doctor' says more.
                """)
            return .wrongUsage
        }
    }

    #if os(Linux)
    private static func examine(
        _ options: DoctorOptions, _ console: inout Console
    ) async throws(UsageError) -> ExitStatus {
        var wanted = BlueZOptions(adapter: options.adapter)
        if let text = options.bus {
            do throws(DBusAddressError) {
                wanted.bus = try DBusAddress.list(text)
            } catch {
                throw UsageError(
                    reason: "'\(text)' is no address of a bus, as unix:path=FILE is one: \(error)")
            }
        }
        let diagnosis = await BlueZDoctor.examine(wanted)
        if options.isJSON {
            console.write(JSONText.text(DoctorPrinter.value(of: diagnosis)) + "\n")
        } else {
            let printer = DoctorPrinter(
                width: console.width, style: TerminalStyle(isOn: console.usesColour))
            for line in printer.lines(of: diagnosis) { console.write(line + "\n") }
        }
        return diagnosis.isUsable ? .success : .foundFault
    }
    #else
    private static func examine(
        _ options: DoctorOptions, _ console: inout Console
    ) async throws(UsageError) -> ExitStatus {
        console.complain("halo doctor: it looks at BlueZ, which is the Bluetooth of Linux")
        return .foundFault
    }
    #endif
}
