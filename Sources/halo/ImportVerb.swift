import HaloProtocol
import HaloTraffic

/// `halo import`: what is in a file of Bluetooth traffic, and a capture made of it.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "says what is in a file of Bluetooth traffic, and makes a capture of it"

    private static let synopsis = """
        usage: halo import FILE [--out FILE.halo] [--device ADDRESS|N|all] [--map HANDLE=UUID …]
                           [--format FORMAT] [--advertisements] [--json]
        """

    static var usage: String {
        """
        \(synopsis)

        Reads what a phone, a computer or a sniffer has recorded, and says which devices are in it,
        when and how they were connected, what their attributes are and how that is known, how many
        packets there are of which kind, and what looks wrong.

          --out FILE.halo   writes the conversation as a capture; packets are then not counted by
                            kind, which 'halo decode FILE.halo' does
          --device WHICH    whose conversation: an address, the number of a connection, or 'all';
                            without it, that of the only device there is, or of the only ring
          --map HANDLE=UUID what a handle is, as in 0x25=2a37 or 0x10=uart-write; also uart-notify,
                            bigdata-write, bigdata-notify. Can be given often, or with commas
          --format FORMAT   what the file is, instead of finding out. One of:
                            \(TrafficFormat.all.map(\.name).joined(separator: " "))
          --advertisements  keeps the device's advertisements before it was connected
          --json            one JSON object a line: what says which it is: file, connection,
                            attribute, packets, finding, heard, error

        Exit status: 0 if the file was read to its end and has a conversation, 1 if not, 2 for wrong
        usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) -> ExitStatus {
        let asked: ImportArguments
        do throws(UsageError) {
            asked = try ImportArguments(arguments)
        } catch {
            console.complain(
                """
                halo import: \(console.safe(error.reason))
                \(synopsis)
                'halo help import' says more.
                """)
            return .wrongUsage
        }
        if asked.wantsHelp {
            console.write(usage)
            return .success
        }
        let run = ImportRun(asked)
        return run.run(&console)
    }
}
