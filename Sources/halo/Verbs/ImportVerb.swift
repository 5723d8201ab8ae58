import HaloCapture
import HaloProtocol
import HaloTraffic

/// `halo import`: reports the content of a file of Bluetooth traffic, and makes a capture of it.
struct ImportVerb: Verb {
    private let path: FilePath
    private var output: FilePath?
    private let options: ImportOptions
    private var isJSON = false

    static let name = "import"
    static let summary = "reports the content of a file of traffic, and makes a capture of it"

    static let synopsis = """
        halo import FILE [--out FILE.halo] [--advertisements] [--json]
                           \(ImportArguments.synopsis)
        """

    static let details = """
        Reads the recording of a phone, a computer or a sniffer. Prints its devices, the times of
        their connections, their attributes and how the type of each is known, the number of
        packets of each type, and irregularities.
        \(InputFile.help)

          --out FILE.halo   writes the conversation as a capture; packets are not counted then,
                            but 'halo decode FILE.halo' prints them. With -, the capture is
                            standard output, and the report goes to standard error
          \(ImportArguments.details(withoutDevice: "the only device, or else the only ring"))
          --advertisements  keeps advertisements of the device before its connection
          --json            one JSON object a line; its member 'what' is one of: file, connection,
                            attribute, packets, finding, recorder, heard, written, error

        Exit status: 0 if the file was read to its end and has a conversation; 1 if not; 2 for
        wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var importing = ImportArguments(device: .only)
        var keepsAdvertisements = false
        while let option = try arguments.next() {
            switch option {
            case "--out": output = try arguments.file(of: option)
            case "--advertisements": keepsAdvertisements = true
            case "--json": isJSON = true
            case _ where try importing.read(option, &arguments): break
            default: throw .unknown(option)
            }
        }
        var options = importing.options
        options.keepsAdvertisements = keepsAdvertisements
        self.options = options
        path = try arguments.file()
        if let output { try ArgumentReader.check(output, differsFrom: path) }
    }

    func run(_ console: inout Console) -> ExitStatus {
        ImportRun(path: path, output: output, options: options, isJSON: isJSON).run(&console)
    }
}
