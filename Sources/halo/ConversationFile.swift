import HaloCapture
import HaloProtocol
import HaloTraffic

/// A file with a conversation in it, read line by line: a capture, or traffic in another format,
/// of which a capture is made on the way.
struct ConversationFile {
    /// How the reading ended.
    struct End {
        /// What stopped it, as one sentence with the place before it.
        var problem: String?
        /// How many bytes at the end of a recording are no whole line.
        var leftOutCount = 0

        /// What is to be said of a recording that was cut off, which is no fault.
        func remark(on path: String) -> String? {
            guard leftOutCount > 0 else { return nil }
            let bytes = TrafficWords.number(leftOutCount, "byte")
            return "\(PrintableText.quoted(path.utf8)): the recording was cut off; \(bytes) at its "
                + "end \(leftOutCount == 1 ? "is" : "are") no whole line"
        }
    }

    private let path: String
    private let purpose: String

    /// A file, and what is done with it: `decoding`.
    init(_ path: String, for purpose: String) {
        self.path = path
        self.purpose = purpose
    }

    /// Hands every line to `body`, also those before what stops the reading.
    func read(
        _ console: inout Console, _ body: (TimedLine, inout Console) -> Void
    ) -> End {
        do throws(FileReadingError<TrafficError>) {
            guard try isTraffic() else { return readCapture(&console, body) }
        } catch {
            return End(problem: describe(error))
        }
        return readTraffic(&console, body)
    }

    private func isTraffic() throws(FileReadingError<TrafficError>) -> Bool {
        var file = try open(TrafficError.self)
        var format: TrafficFormat?
        _ = try file.readPiece { (piece: Span<UInt8>) throws(TrafficError) in
            let count = min(piece.count, TrafficFormat.detectionLength)
            format = TrafficFormat.detect(piece.extracting(0..<count))
        }
        // Fixtures have no version; what nothing else looks like is read as one of them.
        return format.map { $0 != .capture } ?? false
    }

    private func open<Failure>(
        _ content: Failure.Type
    ) throws(FileReadingError<Failure>) -> FileInput {
        do throws(FileError) {
            return try FileInput(path)
        } catch {
            throw .file(error)
        }
    }

    // MARK: Captures

    private func readCapture(
        _ console: inout Console, _ body: (TimedLine, inout Console) -> Void
    ) -> End {
        var reader = CaptureLineReader()
        var end = End()
        var progress = FileProgress(purpose)
        do throws(FileReadingError<CaptureError>) {
            var file = try open(CaptureError.self)
            while try file.readPiece({ (piece) throws(CaptureError) in try reader.read(piece) }) {
                while let line = reader.next() { body(line, &console) }
                progress.show(file.offset, of: file.length, &console)
            }
            do throws(CaptureError) {
                end.leftOutCount = try reader.finishCutOff()
            } catch {
                throw .content(error)
            }
        } catch {
            switch error {
            case .file(let error): end.problem = "\(error)"
            case .content(let error): end.problem = "\(CaptureFileError(error, in: path))"
            }
        }
        while let line = reader.next() { body(line, &console) }
        progress.end(&console)
        return end
    }

    // MARK: Traffic

    private func readTraffic(
        _ console: inout Console, _ body: (TimedLine, inout Console) -> Void
    ) -> End {
        var end = End()
        do throws(FileReadingError<TrafficError>) {
            var importer = try importer(&console)
            var lines = CaptureLineReader()
            var progress = FileProgress(purpose)
            var file = try open(TrafficError.self)
            while try file.readPiece({ (piece) throws(TrafficError) in try importer.read(piece) }) {
                drain(&importer, &lines, &console, body)
                progress.show(file.offset, of: file.length, &console)
            }
            try FileReadingError.asContent { () throws(TrafficError) in try importer.finish() }
            drain(&importer, &lines, &console, body)
            progress.end(&console)
        } catch {
            end.problem = describe(error)
        }
        return end
    }

    /// What makes a capture of the traffic: the file is read once for it.
    private func importer(
        _ console: inout Console
    ) throws(FileReadingError<TrafficError>) -> CaptureImporter {
        var survey: TrafficSurvey?
        var options = ImportOptions()
        options.device = .all
        try FileReadingError.asContent { () throws(TrafficError) in
            survey = try TrafficSurvey(options)
        }
        var progress = FileProgress("reading")
        var file = try open(TrafficError.self)
        // What stops this pass stops the next one, too, which says so.
        do throws(FileReadingError<TrafficError>) {
            while try file.readPiece({ (piece) throws(TrafficError) in try survey?.read(piece) }) {
                progress.show(file.offset, of: file.length, &console)
            }
            try FileReadingError.asContent { () throws(TrafficError) in try survey?.finish() }
        } catch {}
        progress.end(&console)
        let report = survey?.report
        var importer: CaptureImporter?
        try FileReadingError.asContent { () throws(TrafficError) in
            importer = try report.map { (report) throws(TrafficError) in
                try CaptureImporter(report, options)
            }
        }
        guard let importer else { throw .file(FileError(.read, path, reason: "nothing is in it")) }
        return importer
    }

    private func drain(
        _ importer: inout CaptureImporter, _ lines: inout CaptureLineReader,
        _ console: inout Console, _ body: (TimedLine, inout Console) -> Void
    ) {
        // The importer writes what can be read.
        try? lines.read(importer.takeText())
        while let line = lines.next() { body(line, &console) }
    }

    private func describe(_ error: FileReadingError<TrafficError>) -> String {
        switch error {
        case .file(let error): "\(error)"
        case .content(let error): "\(PrintableText.quoted(path.utf8)): \(error)"
        }
    }
}
