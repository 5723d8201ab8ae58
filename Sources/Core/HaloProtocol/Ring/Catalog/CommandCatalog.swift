/// The commands of the UART channel: the only list of opcodes.
public enum CommandCatalog {
    /// A command of the catalogue.
    public struct Entry: Sendable {
        public let facts: CommandFacts
        /// The packet that is sent to a ring; `nil` for a packet that a ring only pushes.
        public let request: FrameForm?
        /// A frame that a ring sends; `nil` for a command without a reply.
        public let reply: FrameForm?
        /// `true` if the reply has many frames.
        public private(set) var hasManyFrames = false
        #if !hasFeature(Embedded)
        /// The type that joins the frames of a reply of many frames.
        package private(set) var assembly: (any ReplyAssembly.Type)?
        /// Returns the request of a recorded frame, whose value is the frames of the reply; `nil`
        /// if the frame is no request of the command.
        private(set) var session: (@Sendable (Frame) -> RingRequest<ReceivedAnswer>?)?
        #endif

        /// The first byte of the command's frames.
        public var opcode: UInt8 { facts.code }
        /// The name of the command's type, as programs write it.
        public var name: FieldName { facts.name }

        private init(_ facts: CommandFacts, request: FrameForm?, reply: FrameForm?) {
            self.facts = facts
            self.request = request
            self.reply = reply
        }

        private mutating func setSession<Subject: RequestCommand, Value>(
            _ type: Subject.Type,
            _ typed: @escaping @Sendable (Subject.Request) -> RingRequest<Value>
        ) {
            #if !hasFeature(Embedded)
            session = { (try? Subject.Request(decoding: $0)).map { typed($0).untyped } }
            #endif
        }

        init<Subject: RequestCommand & SingleReplyCommand>(_ type: Subject.Type)
        where
            Subject.Request: RequestPacket, Subject.Request.Owner == Subject,
            Subject.Reply: ReplyPacket
        {
            self.init(
                Subject.facts, request: FrameForm(Subject.Request.self),
                reply: FrameForm(Subject.Reply.self))
            setSession(type) { RingRequest($0) }
        }

        init<Subject: RequestCommand & ManyFrameCommand>(_ type: Subject.Type)
        where Subject.Request: RequestPacket, Subject.Request.Owner == Subject {
            self.init(
                Subject.facts, request: FrameForm(Subject.Request.self),
                reply: FrameForm(Subject.Part.self))
            hasManyFrames = true
            setSession(type) { RingRequest($0) }
            #if !hasFeature(Embedded)
            assembly = Subject.Assembly.self
            #endif
        }

        init<Subject: SingleReplyCommand>(pushed type: Subject.Type) {
            self.init(Subject.facts, request: nil, reply: FrameForm(Subject.Reply.self))
        }

        init<Subject: UnansweredCommand>(sent type: Subject.Type)
        where Subject.Request: RequestPacket, Subject.Request.Owner == Subject {
            self.init(Subject.facts, request: FrameForm(Subject.Request.self), reply: nil)
            setSession(type) { RingRequest($0) }
        }

        init(raw facts: CommandFacts) {
            self.init(
                facts, request: FrameForm(raw: facts, "Request"),
                reply: FrameForm(raw: facts, "Reply"))
            #if !hasFeature(Embedded)
            session = { RingRequest($0, facts).untyped }
            #endif
        }

        /// Returns the form of this command's packet in one direction.
        public func form(_ direction: Direction) -> FrameForm? {
            direction == .toDevice ? request : reply
        }
    }

    /// All entries, in the order of their opcodes.
    public static let entries: [Entry] =
        (described + (RawCommand.rows + DangerousRawCommand.rows).map { Entry(raw: $0) })
        .sorted { $0.opcode < $1.opcode }

    private static let described: [Entry] = [
        Entry(SetTime.self),
        Entry(Camera.self),
        Entry(Battery.self),
        Entry(PhoneName.self),
        Entry(Display.self),
        Entry(DoNotDisturb.self),
        Entry(DailyTotals.self),
        Entry(sent: DangerousPowerOff.self),
        Entry(UserPreferences.self),
        Entry(BloodPressureSetting.self),
        Entry(BloodPressureData.self),
        Entry(BloodPressureConfirm.self),
        Entry(BlinkLight.self),
        Entry(HeartRateLog.self),
        Entry(AutoHeartRate.self),
        Entry(TemperatureUnit.self),
        Entry(LegacyRealtimeHeartRate.self),
        Entry(WearCalibration.self),
        Entry(Goals.self),
        Entry(pushed: FindPhone.self),
        Entry(AutoBloodOxygen.self),
        Entry(pushed: PacketSizePush.self),
        Entry(AutoStress.self),
        Entry(StressLog.self),
        Entry(AutoHeartRateVariability.self),
        Entry(HeartRateVariabilityLog.self),
        Entry(TemperatureSetting.self),
        Entry(TouchGesture.self),
        Entry(DeviceFunctions.self),
        Entry(ActivityLog.self),
        Entry(OldSleep.self),
        Entry(DataAvailability.self),
        Entry(TodayTotals.self),
        Entry(FindDevice.self),
        Entry(SetNotificationSwitches.self),
        Entry(NotificationSwitches.self),
        Entry(RealtimeMeasurement.self),
        Entry(StopMeasurement.self),
        Entry(pushed: RingNotification.self),
        Entry(WorkoutControl.self),
        Entry(pushed: WorkoutProgress.self),
        Entry(HourlySeries.self),
        Entry(RawSensors.self),
        Entry(sent: DangerousFactoryReset.self),
    ]

    /// Returns the entry of an opcode.
    public static func entry(opcode: UInt8) -> Entry? {
        byOpcode[Int(opcode)]
    }

    private static let byOpcode: [Entry?] = {
        var table = [Entry?](repeating: nil, count: 256)
        for entry in entries { table[Int(entry.opcode)] = entry }
        return table
    }()
}
