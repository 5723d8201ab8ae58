import HaloCapture
import HaloTraffic

struct ImportVerb: Verb {
    private let path: FilePath
    private let output: FilePath?
    private let replaces: Bool
    private let options: ImportOptions

    private static let outputOption = FileArguments.output(
        """
        writes the conversation as a capture, without counting packets; 'halo decode \
        FILE.halo' prints them. With -, the capture goes to standard output, and the report to \
        standard error
        """)
    private static let advertisements = Flag(
        "advertisements", "keeps advertisements of the device before its connection")
    private static let importing = ImportArguments(
        withoutDevice: "the only device, or else the only ring")

    static let syntax = VerbSyntax(
        "import", "reports what a file of traffic holds, and makes a capture of it",
        forms: ["FILE"], takesFiles: true,
        options: [outputOption, FileArguments.force, advertisements] + importing.all,
        json: """
            one JSON object a line; its type is one of: file, connection, attribute, packets, \
            finding, heard, written, error
            """,
        difference: """
            the traffic is cut off or damaged, or the capture has an error (what was read before \
            that is reported)
            """,
        examples: [
            "halo import btsnoop_hci.log",
            "halo import bugreport.zip --out ring.halo",
        ],
        """
        Reads the recording of a phone, a computer or a sniffer. Prints its devices, the times of
        their connections, their attributes and how the type of each is known, the number of
        packets of each type, and irregularities. \(ImportArguments.fileHelp)
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        var options = try Self.importing.options(arguments, device: .only)
        options.keepsAdvertisements = arguments.has(Self.advertisements)
        self.options = options
        path = try FileArguments.input(arguments)
        output = try arguments.value(of: Self.outputOption)
        replaces = arguments.has(FileArguments.force)
        if let output { try FileArguments.check(output, differsFrom: path) }
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        let file = InputFile(path, entry: options.entry)
        return try ImportRun(file: file, output: output, replaces: replaces, options: options)
            .run(&console)
    }
}
