import HaloDevices

/// `halo demo`: a ring, a strap and a person who do not exist, and a day of theirs as a picture.
enum DemoVerb: Verb {
    static let name = "demo"
    static let summary = "syncs a virtual ring and draws its day, without hardware"

    static var usage: String {
        """
        usage: halo demo [--seed N] [--days N] [--profile NAME] [--json]

        Looks for a ring, connects to it, reads what it has stored, measures a heart rate with it
        and with a chest strap, and draws the last twenty-four hours. Ring, strap, person and time
        are virtual: an app does the same over Bluetooth with the same calls. The same seed gives
        the same person and the same week.

          --seed N        whose week it is; 3 if left out
          --days N        how many days the ring was worn and are read, 1 to 30; 7 if left out
          --profile NAME  the kind of ring: \
        \(DemoOptions.profiles.map(\.name).joined(separator: ", ")); r10 if left out
          --json          one JSON object: seed, ring, strap, history, days, live, seconds

        The picture is as wide as the terminal, up to 120 columns; where there is none, as COLUMNS
        says. NO_COLOR turns colours off.

        Exit status: 0 if all went well, also where a kind of ring does not answer everything; 1 if
        not, 2 for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        let options: DemoOptions
        do throws(UsageError) {
            options = try DemoOptions(arguments)
        } catch {
            console.complain(
                """
                halo demo: \(console.safe(error.reason))
                usage: halo demo [--seed N] [--days N] [--profile NAME] [--json]
                'halo help demo' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        do throws(DeviceError) {
            let record = try await DemoRecord.make(options)
            if options.isJSON {
                console.write(JSONText.text(DemoDocument(record).value) + "\n")
            } else {
                let style = TerminalStyle(isOn: console.usesColour)
                for line in DemoPicture(record, width: console.width, style: style).lines {
                    console.write(line + "\n")
                }
            }
            return .success
        } catch {
            console.complain("halo demo: \(error)")
            return .foundFault
        }
    }
}
