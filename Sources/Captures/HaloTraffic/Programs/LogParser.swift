struct LogParser: TextLineParser {
    var lines = TextLines()
    private var reader: any LogReader
    private var output = LogOutput()

    /// The programs whose logs are recognised.
    static let programs: [any LogReader.Type] = [
        NRFConnectLog.self, WiresharkLog.self, WiresharkJSON.self,
    ]

    init(_ program: any LogReader.Type) { reader = program.init() }

    /// The program whose log a text is, with the number of its lines among the first ones: the
    /// program that has the most; `nil` if there is none.
    static func detect(
        _ lines: ArraySlice<ContiguousArray<UInt8>>
    ) -> (format: TrafficFormat, count: Int)? {
        let texts = lines.map { TextLines.plain($0) }
        var best: (format: TrafficFormat, count: Int)?
        for program in programs {
            var reader = program.init()
            var output = LogOutput()
            for text in texts { reader.read(text[...], into: &output) }
            reader.finish(into: &output)
            let count = output.count + texts.count { program.isCertain($0[...]) }
            if count > best?.count ?? 0 { best = (program.format, count) }
        }
        return best
    }

    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        reader.finish(into: &output)
        drain(into: &sink)
        guard output.count > 0 else {
            throw TrafficError(
                .unknownFormat, at: 0, hint: "no line of the text has a value in this format")
        }
    }

    mutating func readLine(into sink: inout some RecordSink) {
        guard lines.isWhole else {
            // Half a value would be a wrong value.
            var position = output.position
            position.offset = lines.offset
            return sink.note(.unfinishedPacket, at: position)
        }
        output.offset = lines.offset
        if lines.isTooLong {
            output.note(.beyondLimits)
        } else {
            reader.read(TextLines.plain(lines.text)[...], into: &output)
        }
        lines.removeLine()
        drain(into: &sink)
    }

    private mutating func drain(into sink: inout some RecordSink) {
        for (content, position) in output.items {
            switch content {
            case .odd(let oddity): sink.note(oddity, at: position)
            case .record(let kind, let bytes): sink.receive(kind, bytes.span, at: position)
            }
        }
        output.items.removeAll(keepingCapacity: true)
    }
}
