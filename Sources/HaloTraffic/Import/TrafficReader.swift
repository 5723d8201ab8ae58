/// Reads a file of traffic from its bytes down to what devices and apps said to each other.
struct TrafficReader<Sink: ConversationSink & Sendable>: Sendable {
    /// What came through on the way.
    private(set) var tally: RecordTally<Sink>
    /// How many bytes were read: after an error, those before it.
    private(set) var byteCount = 0
    private var parser: TrafficParser
    private var failure: TrafficError?
    private var isFinished = false

    init(_ format: TrafficFormat?, _ sink: Sink) throws(TrafficError) {
        parser = try TrafficParser(format)
        tally = RecordTally(sink)
    }

    /// The format, once it is known.
    var format: TrafficFormat? { parser.format }

    /// Who is told what was said.
    var sink: Sink {
        get { tally.follower.sink }
        _modify { yield &tally.follower.sink }
    }

    /// Reads more bytes. An error ends the reading: it is thrown again from then on.
    mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        if let failure { throw failure }
        byteCount += bytes.count
        do throws(TrafficError) {
            try parser.feed(bytes, into: &tally)
        } catch {
            failure = error
            // How much of the piece is beyond the error says nothing about the file.
            byteCount = min(byteCount, error.offset)
            tally.finish()
            throw error
        }
    }

    /// Says that the file has ended; what was said before stays told when that is an error.
    mutating func finish() throws(TrafficError) {
        if let failure { throw failure }
        if isFinished { return }
        isFinished = true
        do throws(TrafficError) {
            try parser.finish(into: &tally)
        } catch {
            failure = error
            // A short file is recognised, and read, only here.
            byteCount = min(byteCount, error.offset)
            tally.finish()
            throw error
        }
        tally.finish()
    }
}

/// Counts records on their way, and notes when they were heard.
struct RecordTally<Sink: ConversationSink & Sendable>: RecordSink, Sendable {
    var follower: TrafficFollower<Sink>
    /// The last record.
    private(set) var last: RecordPlace?
    /// The time of the first record.
    private(set) var first: Int64?
    /// The latest time of a record.
    private(set) var latest: Int64 = .min

    init(_ sink: Sink) {
        follower = TrafficFollower(sink)
    }

    /// How many records there were.
    var count: Int { last?.number ?? 0 }

    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace) {
        see(place)
        follower.take(kind, bytes, at: place)
    }

    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace) {
        see(place)
        follower.note(oddity, at: place)
    }

    /// Ends what is open.
    mutating func finish() {
        follower.finish(
            at: last ?? RecordPlace(number: 0, offset: 0, microseconds: 0))
    }

    @inline(__always)
    private mutating func see(_ place: RecordPlace) {
        if last == nil { first = place.microseconds }
        latest = max(latest, place.microseconds)
        last = place
    }
}
