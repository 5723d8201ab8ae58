import HaloCapture
import HaloProtocol
import HaloTraffic

/// One run of `halo import`: the passes over the file, and what is said of them.
struct ImportRun {
    let asked: ImportArguments

    init(_ asked: ImportArguments) {
        self.asked = asked
    }

    func run(_ console: inout Console) -> ExitStatus {
        if isCapture() { return runCapture(&console) }
        var survey: TrafficSurvey
        do throws(TrafficError) {
            survey = try TrafficSurvey(asked.options)
        } catch {
            return fail(error.description, &console)
        }
        var problem: String?
        do throws(FileReadingError<TrafficError>) {
            var progress = FileProgress("reading")
            try read(&progress, &console) { piece throws(TrafficError) in try survey.read(piece) }
            try FileReadingError.asContent { () throws(TrafficError) in try survey.finish() }
        } catch {
            problem = describe(error)
        }
        let report = survey.report
        guard report.recordCount > 0 || problem == nil else {
            return fail(problem ?? "", &console)
        }
        let printer = TrafficPrinter(isJSON: asked.isJSON, name: asked.path)
        printer.print(report, to: &console)
        let isFound = report.connections.contains(where: \.hasConversation)
        var isFine = problem == nil && isFound
        if let output = asked.output, isFound {
            isFine = write(report, output, &console) && isFine
        } else if isFound {
            isFine = checkSelection(report, &console) && isFine
            count(report, printer, &console)
        }
        if let problem { complain(problem, &console) }
        if !isFound, problem == nil { complain(nothing(report), &console) }
        return isFine ? .success : .foundFault
    }

    /// Answers whether the conversation is there that was asked for, if one was.
    private func checkSelection(_ report: TrafficReport, _ console: inout Console) -> Bool {
        guard asked.options.device != .only else { return true }
        do throws(TrafficError) {
            _ = try CaptureImporter(report, asked.options)
            return true
        } catch {
            complain(describe(.content(error)), &console)
            return false
        }
    }

    // MARK: Passes

    /// Decodes and counts; what stops the reading was said by the pass before.
    private func count(
        _ report: TrafficReport, _ printer: TrafficPrinter, _ console: inout Console
    ) {
        guard var census = try? TrafficCensus(report, asked.options) else { return }
        do throws(FileReadingError<TrafficError>) {
            var progress = FileProgress("decoding")
            try read(&progress, &console) { piece throws(TrafficError) in try census.read(piece) }
        } catch {}
        try? census.finish()
        printer.print(census.census, to: &console)
    }

    /// Writes the capture, as far as the file can be read; answers whether that went well.
    private func write(
        _ report: TrafficReport, _ path: String, _ console: inout Console
    ) -> Bool {
        do throws(ImportFault) {
            var importer: CaptureImporter
            do throws(TrafficError) {
                importer = try CaptureImporter(report, asked.options)
            } catch {
                throw .reading(.content(error))
            }
            var output: FileOutput
            do throws(FileError) {
                output = try FileOutput(path)
            } catch {
                throw .writing(error)
            }
            let fault = try copy(&importer, to: &output, &console)
            do throws(FileError) {
                try importer.takeText { (text) throws(FileError) in try output.write(text) }
                try output.commit()
            } catch {
                throw .writing(error)
            }
            sayWritten(path, output.length, of: report, isWhole: fault == nil, &console)
            return fault == nil
        } catch {
            switch error {
            case .reading(let error): complain(describe(error), &console)
            case .writing(let error):
                console.complain("halo import: \(error)")
            }
            return false
        }
    }

    /// Imports piece by piece; what stops the reading is answered, for what was before counts.
    private func copy(
        _ importer: inout CaptureImporter, to output: inout FileOutput, _ console: inout Console
    ) throws(ImportFault) -> FileReadingError<TrafficError>? {
        var input: FileInput
        do throws(FileError) {
            input = try FileInput(asked.path)
        } catch {
            throw .reading(.file(error))
        }
        var progress = FileProgress("writing")
        var fault: FileReadingError<TrafficError>?
        reading: while fault == nil {
            do throws(FileReadingError<TrafficError>) {
                guard
                    try input.readPiece({ (piece) throws(TrafficError) in
                        try importer.read(piece)
                    })
                else { break reading }
            } catch {
                fault = error
            }
            progress.show(input.offset, of: input.length, &console)
            do throws(FileError) {
                try importer.takeText { (text) throws(FileError) in try output.write(text) }
            } catch {
                progress.end(&console)
                throw .writing(error)
            }
        }
        progress.end(&console)
        do throws(TrafficError) {
            try importer.finish()
        } catch {
            fault = fault ?? .content(error)
        }
        return fault
    }

    private func read(
        _ progress: inout FileProgress, _ console: inout Console,
        _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(FileReadingError<TrafficError>) {
        var input: FileInput
        do throws(FileError) {
            input = try FileInput(asked.path)
        } catch {
            throw .file(error)
        }
        defer { progress.end(&console) }
        while try input.readPiece(body) {
            progress.show(input.offset, of: input.length, &console)
        }
    }

    // MARK: Captures

    /// Whether the file is one of this package's own captures.
    private func isCapture() -> Bool {
        if let format = asked.options.format { return format == .capture }
        guard var input = try? FileInput(asked.path) else { return false }
        var format: TrafficFormat?
        _ = try? input.readPiece { (piece: Span<UInt8>) throws(TrafficError) in
            let count = min(piece.count, TrafficFormat.detectionLength)
            format = TrafficFormat.detect(piece.extracting(0..<count))
        }
        return format == .capture
    }

    private func runCapture(_ console: inout Console) -> ExitStatus {
        if asked.output != nil {
            return fail("this is a capture already; it needs no importing", &console)
        }
        var reader = CaptureReader()
        var problem: CaptureFileError?
        do throws(CaptureFileError) {
            try reader.read(contentsOf: asked.path)
            do throws(CaptureError) {
                _ = try reader.finishCutOff()
            } catch {
                throw CaptureFileError(error, in: asked.path)
            }
        } catch {
            problem = error
        }
        // What stands before an error counts.
        let capture = reader.capture
        let census = PacketCensus(of: capture)
        if problem == nil || !capture.lines.isEmpty {
            let printer = TrafficPrinter(isJSON: asked.isJSON, name: asked.path)
            printer.print(capture, to: &console)
            printer.print(census, to: &console)
        }
        if let problem { complain("\(problem)", &console) }
        return census.count > 0 && problem == nil ? .success : .foundFault
    }

    // MARK: Words

    /// Why there is nothing to import from a file that was read to its end.
    private func nothing(_ report: TrafficReport) -> String {
        let name = PrintableText.quoted(asked.path.utf8)
        do throws(TrafficError) {
            _ = try report.conversations(.all)
            return name
        } catch {
            return "\(name): \(error)"
        }
    }

    private func describe(_ error: FileReadingError<TrafficError>) -> String {
        switch error {
        case .file(let error): error.description
        case .content(let error):
            "\(PrintableText.quoted(asked.path.utf8)): \(error.description)"
        }
    }

    private func sayWritten(
        _ path: String, _ length: Int, of report: TrafficReport, isWhole: Bool,
        _ console: inout Console
    ) {
        if asked.isJSON { return }
        let taken = (try? report.conversations(asked.options.device)) ?? []
        let numbers = taken.prefix(Self.mostNumbered).map { "\($0.number)" }
        let more = taken.count > Self.mostNumbered ? ", …" : ""
        let which = "connection\(taken.count == 1 ? "" : "s") \(numbers.joined(separator: ", "))"
        let what = isWhole ? "" : ", as far as the file can be read"
        console.write(
            "\n\(PrintableText.quoted(path.utf8)) is written, \(length) bytes: "
                + "\(which)\(more)\(what)\n")
    }

    /// How many connections are named that were imported.
    private static let mostNumbered = 8

    private func complain(_ problem: String, _ console: inout Console) {
        if asked.isJSON {
            console.write(
                JSONText.text(
                    .object([("what", .string("error")), ("reason", .string(problem))])) + "\n")
        }
        console.complain("halo import: \(problem)")
    }

    private func fail(_ problem: String, _ console: inout Console) -> ExitStatus {
        complain(problem, &console)
        return .foundFault
    }
}

/// Why no capture was written.
private enum ImportFault: Error {
    case reading(FileReadingError<TrafficError>)
    case writing(FileError)
}
