/// The commands of the big-data channel: the only list of record ids.
public enum BigDataCatalog {
    /// A command of the catalogue.
    public struct Entry: Sendable {
        public let facts: CommandFacts
        /// The record id of a request; `nil` for a record that a ring only pushes.
        package var requestID: UInt8? { request.map { _ in facts.code } }
        package let replyID: UInt8?
        /// The record that is sent to a ring; `nil` for a record that a ring only pushes.
        public let request: ByteForm?
        public let reply: ByteForm?
        #if !hasFeature(Embedded)
        /// Returns the request of a recorded frame, whose value is the records of the reply; `nil`
        /// if the frame is no request of the command.
        private(set) var session: (@Sendable (BigDataFrame) -> RingRequest<ReceivedAnswer>?)?
        #endif

        /// The name of the command's type, as programs write it.
        public var name: FieldName { facts.name }

        init<Subject: BigDataRequestCommand>(_ type: Subject.Type)
        where Subject.Request.Owner == Subject {
            self.init(type) { RingRequest($0) }
        }

        /// Creates the entry of a command with a reply of more than one record.
        init<Subject: BigDataRequestCommand, Value>(
            _ type: Subject.Type,
            _ typed: @escaping @Sendable (Subject.Request) -> RingRequest<Value>
        ) {
            facts = Subject.facts
            replyID = Subject.replyID
            request = ByteForm(Subject.Request.self)
            reply = ByteForm(Subject.Reply.self)
            #if !hasFeature(Embedded)
            session = { (try? Subject.Request(decoding: $0)).map { typed($0).untyped } }
            #endif
        }

        init<Subject: BigDataCommand>(pushed type: Subject.Type) {
            facts = Subject.facts
            replyID = Subject.replyID
            request = nil
            reply = ByteForm(Subject.Reply.self)
        }

        init(raw facts: CommandFacts, reply: ByteForm? = nil) {
            self.facts = facts
            replyID = facts.code
            request = RawRecord.form(facts, "Request")
            self.reply = reply ?? RawRecord.form(facts, "Reply")
            #if !hasFeature(Embedded)
            session = { RingRequest($0, facts).untyped }
            #endif
        }

        init(step facts: CommandFacts) {
            let name = PacketName(facts.name, "Reply")
            self.init(raw: facts, reply: ByteForm(DangerousFirmwareUpdate.Reply.self, named: name))
        }

        /// Returns the form of this command's record in one direction.
        public func form(_ direction: Direction) -> ByteForm? {
            direction == .toDevice ? request : reply
        }

        /// Returns the id of this command's records in one direction.
        public func id(_ direction: Direction) -> UInt8? {
            direction == .toDevice ? requestID : replyID
        }
    }

    /// All entries, in the order of their ids.
    public static let entries: [Entry] =
        (described + RawRecord.rows.map { Entry(raw: $0) }
        + DangerousFirmwareUpdate.rows.map { Entry(step: $0) })
        .sorted { $0.facts.code < $1.facts.code }

    private static let described: [Entry] = [
        Entry(TemperatureSeries.self) { RingRequest<TemperatureSeries.Reply>($0) },
        Entry(Sleep.self) { RingRequest<SleepHistory>($0) },
        Entry(ManualHeartRate.self),
        Entry(BloodOxygen.self),
        Entry(FileList.self),
        Entry(pushed: Nap.self),
        Entry(WorkoutList.self),
        Entry(WorkoutDetail.self) { RingRequest<WorkoutRecording>($0) },
        Entry(pushed: WorkoutSamples.self),
        Entry(BloodSugar.self),
        Entry(Nickname.self),
        Entry(IntervalTemperature74.self),
        Entry(IntervalTemperature77.self),
    ]

    /// Returns the entry of a record id in one direction.
    public static func entry(id: UInt8, _ direction: Direction) -> Entry? {
        (direction == .toDevice ? byRequestID : byReplyID)[Int(id)]
    }

    /// Returns the form of a frame in one direction; `nil` for an unknown record id.
    ///
    /// A single zero from a device is "no data", unless it decodes as its record.
    public static func form(of frame: BigDataFrame, _ direction: Direction) -> ByteForm? {
        let form = entry(id: frame.id, direction)?.form(direction)
        guard direction == .fromDevice, frame.isSingleZero else { return form }
        if let form, (try? form.check(frame.payload)) != nil { return form }
        return noData
    }

    private static let noData = ByteForm(BigDataNoData.Payload.self)
    private static let byRequestID = table(.toDevice)
    private static let byReplyID = table(.fromDevice)

    private static func table(_ direction: Direction) -> [Entry?] {
        var table = [Entry?](repeating: nil, count: 256)
        for entry in entries {
            if let id = entry.id(direction) { table[Int(id)] = entry }
        }
        return table
    }
}
