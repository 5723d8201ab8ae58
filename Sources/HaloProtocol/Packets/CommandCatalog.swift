/// Every command of the UART channel, once: the only list of opcodes.
public enum CommandCatalog {
    /// What the catalogue knows of one opcode.
    public struct Entry: Sendable {
        /// The first byte of its frames.
        public let opcode: UInt8
        /// The name of the type, as programs write it.
        public let name: FieldName
        /// What it is, in words.
        public let title: FieldName
        /// How well its layout is known.
        public let evidence: Evidence
        /// What is sent to a ring, if anything is.
        public let request: FrameForm?
        /// A frame that the ring sends, if it sends any.
        public let reply: FrameForm?

        private init<Subject: Command>(
            _ type: Subject.Type, request: FrameForm?, reply: FrameForm?
        ) {
            opcode = Subject.opcode
            name = Subject.name
            title = Subject.title
            evidence = Subject.evidence
            self.request = request
            self.reply = reply
        }

        init<Subject: RequestCommand & SingleReplyCommand>(_ type: Subject.Type) {
            self.init(
                type, request: FrameForm(Subject.Request.self),
                reply: FrameForm(Subject.Reply.self))
        }

        init<Subject: RequestCommand & ManyFrameCommand>(_ type: Subject.Type) {
            self.init(
                type, request: FrameForm(Subject.Request.self),
                reply: FrameForm(Subject.Part.self))
        }

        init<Subject: SingleReplyCommand>(pushed type: Subject.Type) {
            self.init(type, request: nil, reply: FrameForm(Subject.Reply.self))
        }

        /// The packet of this command that travels one way.
        public func form(_ direction: Direction) -> FrameForm? {
            direction == .toDevice ? request : reply
        }
    }

    /// All entries, in the order of their opcodes.
    public static let entries: [Entry] = [
        Entry(Battery.self),
        Entry(DailyTotals.self),
        Entry(HeartRateLog.self),
        Entry(StressLog.self),
        Entry(HeartRateVariabilityLog.self),
        Entry(ActivityLog.self),
        Entry(OldSleep.self),
        Entry(DataAvailability.self),
        Entry(TodayTotals.self),
        Entry(RealtimeMeasurement.self),
        Entry(StopMeasurement.self),
        Entry(pushed: RingNotification.self),
        Entry(WorkoutControl.self),
        Entry(pushed: WorkoutProgress.self),
        Entry(HourlySeries.self),
        Entry(RawSensors.self),
    ]

    /// The entry of an opcode.
    public static func entry(opcode: UInt8) -> Entry? {
        entries.first { $0.opcode == opcode }
    }
}
