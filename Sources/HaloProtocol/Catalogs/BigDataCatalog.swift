/// Every record of the big-data channel, once: the only list of record ids.
public enum BigDataCatalog {
    /// What the catalogue knows of one command.
    public struct Entry: Sendable {
        /// The name of the type, as programs write it.
        public let name: FieldName
        /// What it is, in words.
        public let title: FieldName
        /// How well its layout is known.
        public let evidence: Evidence
        /// The record id of a request, if one can be sent.
        public let requestID: UInt8?
        /// The record id of what the ring sends, if it sends anything.
        public let replyID: UInt8?
        /// What is sent to a ring, if anything is.
        public let request: ByteForm?
        /// What the ring sends, if it sends anything.
        public let reply: ByteForm?
        #if !hasFeature(Embedded)
        /// What a session waits for after a request, if there are requests.
        private(set) var session: SessionForm?
        #endif

        init<Subject: BigDataRequestCommand & BigDataReplyCommand>(_ type: Subject.Type) {
            name = Subject.name
            title = Subject.title
            evidence = Subject.evidence
            requestID = Subject.requestID
            replyID = Subject.replyID
            request = ByteForm(Subject.Request.self)
            reply = ByteForm(Subject.Reply.self)
            #if !hasFeature(Embedded)
            session = SessionForm(recordsFor: Subject.Request.self)
            #endif
        }

        init<Subject: BigDataReplyCommand>(pushed type: Subject.Type) {
            name = Subject.name
            title = Subject.title
            evidence = Subject.evidence
            requestID = nil
            replyID = Subject.replyID
            request = nil
            reply = ByteForm(Subject.Reply.self)
        }

        /// The record of this command that travels one way.
        public func form(_ direction: Direction) -> ByteForm? {
            direction == .toDevice ? request : reply
        }

        /// The id under which this command travels one way.
        public func id(_ direction: Direction) -> UInt8? {
            direction == .toDevice ? requestID : replyID
        }
    }

    /// All entries, in the order of their ids.
    public static let entries: [Entry] = [
        Entry(DangerousFirmwareUpdateStart.self),
        Entry(DangerousFirmwareUpdateInitialise.self),
        Entry(DangerousFirmwareUpdateChunk.self),
        Entry(DangerousFirmwareUpdateCheck.self),
        Entry(DangerousFirmwareUpdateEnd.self),
        Entry(Location.self),
        Entry(TemperatureSeries.self),
        Entry(SingleTemperatures.self),
        Entry(Sleep.self),
        Entry(ManualHeartRate.self),
        Entry(Contacts29.self),
        Entry(BloodOxygen.self),
        Entry(StoredAlarms.self),
        Entry(Contacts2D.self),
        Entry(BluetoothAddress.self),
        Entry(ElectronicCard.self),
        Entry(FileList.self),
        Entry(WatchFace3A.self),
        Entry(pushed: Nap.self),
        Entry(WatchFace3F.self),
        Entry(WorkoutList.self),
        Entry(WorkoutDetail.self),
        Entry(pushed: WorkoutSamples.self),
        Entry(BloodSugar.self),
        Entry(Navigation.self),
        Entry(Nickname.self),
        Entry(Undescribed5A.self),
        Entry(BloodOxygenIntervals.self),
        Entry(IntervalTemperature74.self),
        Entry(HeartRateIntervals.self),
        Entry(IntervalTemperature77.self),
    ]

    /// The entry whose record travels one way under an id.
    public static func entry(id: UInt8, _ direction: Direction) -> Entry? {
        (direction == .toDevice ? byRequestID : byReplyID)[Int(id)]
    }

    /// What a frame is that travels one way; nothing if nobody has described its record.
    ///
    /// A single zero from a device is ``BigDataNothing``, unless its record says otherwise.
    public static func form(of frame: BigDataFrame, _ direction: Direction) -> ByteForm? {
        let form = entry(id: frame.id, direction)?.form(direction)
        guard direction == .fromDevice, frame.isNothing else { return form }
        if let form, (try? form.reencode(frame.payload)) != nil { return form }
        return nothing
    }

    private static let nothing = ByteForm(BigDataNothing.Payload.self)
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
