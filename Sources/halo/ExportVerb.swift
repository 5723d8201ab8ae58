import HaloCapture
import HaloTraffic

/// `halo export`: a capture for Wireshark and `btmon`.
enum ExportVerb: Verb {
    static let name = "export"
    static let summary = "writes a capture as a file for Wireshark and btmon"

    private static let synopsis = "usage: halo export FILE --as FORMAT --out FILE [--json]"

    static var usage: String {
        """
        \(synopsis)

        Writes a capture as the file that the app's host would have recorded: connections,
        discovery of what the device offers, and every value. What the capture does not say is
        made up as a host would do it.

          --as FORMAT   one of: \(ExportFormat.allCases.map(\.rawValue).joined(separator: " "))
                        Wireshark reads all of them, btmon reads btsnoop
          --out FILE    where to; the file appears when it is whole
          --json        one JSON object: input, output, format, lines, bytes, omitted, error

        Exit status: 0 if the file was written, 1 if the capture could not be read to its end, in
        which case what stands before is written, or nothing could be written; 2 for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) -> ExitStatus {
        let options: ExportOptions
        do throws(UsageError) {
            options = try ExportOptions(arguments)
        } catch {
            console.complain(
                """
                halo export: \(console.safe(error.reason))
                \(synopsis)
                'halo help export' says more.
                """)
            return .wrongUsage
        }
        guard let input = options.input, let path = options.output, let format = options.format
        else {
            console.write(usage)
            return .success
        }
        var export = CaptureFileExport(format)
        export.run(from: input, to: path)
        report(export, options, input, path, &console)
        return export.error == nil ? .success : .foundFault
    }

    private static func report(
        _ export: CaptureFileExport, _ options: ExportOptions, _ input: String, _ path: String,
        _ console: inout Console
    ) {
        if options.isJSON {
            let text = JSONText.text(
                .object([
                    ("input", .string(input)),
                    ("output", export.isWritten ? .string(path) : .null),
                    ("format", .string(options.format?.rawValue ?? "")),
                    ("lines", .number(UInt64(export.lineCount))),
                    ("bytes", .number(UInt64(export.byteCount))),
                    ("omitted", .number(UInt64(export.omissionCount))),
                    ("error", export.error.map { .string($0) } ?? .null),
                ]))
            console.write(text + "\n")
            return
        }
        if let error = export.error {
            console.complain("halo export: \(console.safe(error))")
        }
        guard export.isWritten else { return }
        console.write(
            "\(export.lineCount) lines of the capture, \(export.byteCount) bytes in "
                + "\(console.safe(path))\n")
        if export.omissionCount > 0 {
            console.write(
                "\(export.omissionCount) of the lines were left out: they acknowledge, refuse or "
                    + "confirm what is not there\n")
        }
    }
}
