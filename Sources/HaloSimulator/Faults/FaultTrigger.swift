public import HaloProtocol

/// When a scripted fault happens: at a moment, or when something has come by often enough.
public struct FaultTrigger: Hashable, Sendable {
    /// What is waited for.
    public enum Occasion: Hashable, Sendable {
        /// A moment of the air's time; only a stall or a disconnection can happen then.
        case moment(Moment)
        /// One of these.
        case subject(FaultSubject)
    }

    /// What is waited for.
    public var occasion: Occasion
    /// The how manieth it is, counted from 1, of those that fulfil all that is set here.
    public var number: Int
    /// The characteristic that it is about; nothing means any.
    public var characteristic: BluetoothUUID?
    /// What the value begins with.
    public var beginning: [UInt8]
    /// Counting starts after a write that begins so: with a frame's opcode, or a record's first
    /// two bytes. Nothing means that it starts at once.
    public var afterWriteOf: [UInt8]?

    private init(
        _ occasion: Occasion, number: Int, of characteristic: BluetoothUUID?, beginning: [UInt8],
        afterWriteOf: [UInt8]?
    ) {
        self.occasion = occasion
        self.number = number
        self.characteristic = characteristic
        self.beginning = beginning
        self.afterWriteOf = afterWriteOf
    }

    /// A moment of the air's time.
    public static func at(_ moment: Moment) -> FaultTrigger {
        FaultTrigger(
            .moment(moment), number: 1, of: nil, beginning: [], afterWriteOf: nil)
    }

    /// The how manieth value that the device sends unasked.
    public static func notification(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.notification), number: number, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// The how manieth value that a central writes.
    public static func write(
        _ number: Int = 1, to characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.write), number: number, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// The how manieth read.
    public static func read(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.read), number: number, of: characteristic, beginning: [], afterWriteOf: nil)
    }

    /// The how manieth switching of notifications.
    public static func subscription(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.subscription), number: number, of: characteristic, beginning: [],
            afterWriteOf: nil)
    }

    /// The how manieth link.
    public static func connection(_ number: Int = 1) -> FaultTrigger {
        FaultTrigger(
            .subject(.connection), number: number, of: nil, beginning: [], afterWriteOf: nil)
    }

    /// The how manieth of anything, as a log numbers them.
    static func nth(_ number: Int, _ subject: FaultSubject) -> FaultTrigger {
        FaultTrigger(
            .subject(subject), number: number, of: nil, beginning: [], afterWriteOf: nil)
    }
}
