struct TrafficReader<Sink: ConversationSink>: Sendable {
    private(set) var decoder: TrafficDecoder<ATTDecoder, Sink>
    private var parser: TrafficParser
    /// The result of the reading once it has ended, at the end of the file or by an error.
    private var result: Result<Void, TrafficError>?

    init(
        _ sink: Sink, _ options: ImportOptions, _ report: TrafficReport? = nil
    ) throws(TrafficError) {
        parser = try TrafficParser(options.format ?? report?.format, unnamed: options.unnamed)
        decoder = TrafficDecoder(sink, KnownRoles(options, report))
    }

    /// The number of unpacked bytes read; after an error, those before it.
    var byteCount: Int {
        // The number of bytes beyond the error depends on the chunks.
        if case .failure(let error) = result { error.offset } else { parser.byteCount }
    }

    var format: TrafficFormat? { parser.format }
    var recordCount: Int { decoder.last?.number ?? 0 }

    var sink: Sink {
        _read { yield decoder.sink }
        _modify { yield &decoder.sink }
    }

    /// Reads more bytes. An error ends the reading and the sink: further calls throw it again.
    mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try result?.get()
        do throws(TrafficError) {
            try parser.feed(bytes, into: &decoder)
        } catch {
            throw fail(error)
        }
    }

    /// Ends the file and the sink. After an error, the earlier records count.
    mutating func finish() throws(TrafficError) {
        if let result { return try result.get() }
        do throws(TrafficError) {
            // A short file is recognised and read only here.
            try parser.finish(into: &decoder)
        } catch {
            throw fail(error)
        }
        result = .success(())
        decoder.finish()
    }

    private mutating func fail(_ error: TrafficError) -> TrafficError {
        result = .failure(error)
        decoder.finish()
        return error
    }
}

extension KnownRoles {
    /// Creates the roles given by the options, and those in the report of an earlier pass.
    init(_ options: ImportOptions, _ report: TrafficReport? = nil) {
        self.init()
        if options.role == .remote || options.role == .local { given = options.role }
        for (index, connection) in (report?.connections ?? []).enumerated()
        where connection.roleBasis != .recorded && connection.role != .unknown {
            decided[index] = connection.role
        }
    }
}
