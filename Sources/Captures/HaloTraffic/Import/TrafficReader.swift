struct TrafficReader<Sink: ConversationSink>: Sendable {
    private(set) var decoder: TrafficDecoder<ATTDecoder, Sink>
    private var parser: TrafficParser
    private var state = State.reading

    private enum State {
        case reading
        case finished
        case failed(TrafficError)
    }

    /// Creates a reader for the first pass, or, with the report of that, for the second one.
    init(
        _ sink: Sink, _ options: ImportOptions, _ report: TrafficReport? = nil
    ) throws(TrafficError) {
        parser = try TrafficParser(options.format ?? report?.format, unnamed: options.unnamed)
        decoder = TrafficDecoder(sink, KnownRoles(options, report))
    }

    /// The number of unpacked bytes read; after an error, those before it.
    var byteCount: Int {
        // The number of bytes beyond the error depends on the chunks.
        if case .failed(let error) = state { error.offset } else { parser.byteCount }
    }

    var format: TrafficFormat? { parser.format }
    var recordCount: Int { decoder.last?.number ?? 0 }

    var sink: Sink {
        _read { yield decoder.sink }
        _modify { yield &decoder.sink }
    }

    /// Reads more bytes. An error ends the reading and the sink: further calls throw it again.
    mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        if case .failed(let error) = state { throw error }
        do throws(TrafficError) {
            try parser.feed(bytes, into: &decoder)
        } catch {
            throw fail(error)
        }
    }

    /// Ends the file and the sink. After an error, the earlier records count.
    mutating func finish() throws(TrafficError) {
        switch state {
        case .finished: return
        case .failed(let error): throw error
        case .reading: break
        }
        do throws(TrafficError) {
            // A short file is recognised and read only here.
            try parser.finish(into: &decoder)
        } catch {
            throw fail(error)
        }
        state = .finished
        decoder.finish()
    }

    private mutating func fail(_ error: TrafficError) -> TrafficError {
        state = .failed(error)
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
