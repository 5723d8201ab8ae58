/// A record of which only the name is known: its bytes are passed through.
///
///     → id bytes…      not described: kept as they are
///     ← id bytes…      not described: kept as they are
///
/// Names come from notes on the vendor's app, unless a record says otherwise. The direction of a
/// record is not known either. The table at the end of this file lists the records.
public protocol RawRecord: BigDataRequestCommand, BigDataReplyCommand {
    /// The bytes that are sent.
    associatedtype Request = RawRecordRequest<Self>
    /// The bytes that a ring sends.
    associatedtype Reply = RawRecordReply<Self>
}

/// The bytes that an app sends under the id of a record whose layout is not known.
public struct RawRecordRequest<Owner: BigDataCommand>: BigDataRequest {
    /// The whole payload, at most 65,535 bytes.
    public let payload: [UInt8]

    /// Creates a request with an unchanged payload.
    public init(payload: [UInt8] = []) throws(ValueError) {
        self.payload = try RecordLength.checked(payload, "payload")
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        payload = try io.unclaimed(packet?.payload, "payload", Owner.secrecyOfBytes)
    }
}

/// The bytes that a ring sends under the id of a record whose layout is not known.
public struct RawRecordReply<Owner: BigDataCommand>: BigDataReply {
    /// The whole payload, at most 65,535 bytes.
    public let payload: [UInt8]

    /// Creates a reply with an unchanged payload.
    public init(payload: [UInt8] = []) throws(ValueError) {
        self.payload = try RecordLength.checked(payload, "payload")
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        payload = try io.unclaimed(packet?.payload, "payload", Owner.secrecyOfBytes)
    }
}

/// The location of the phone or the ring.
public enum Location: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x20, "Location", "location") }
}

/// Temperatures that were measured one at a time. The request is said to contain a day.
public enum SingleTemperatures: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x26, "SingleTemperatures", "single temperatures")
    }
}

/// Contacts of the phone, under the first of two ids. The difference to 2D is not known.
public enum Contacts29: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x29, "Contacts29", "contacts (29)") }
}

/// Alarms. One capture, of an H59 band, has 01 00 from the device; the layout of an alarm is not
/// known.
public enum StoredAlarms: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2C, "StoredAlarms", "stored alarms", .oneSource)
    }
}

/// Contacts of the phone, under the second of two ids. The difference to 29 is not known.
public enum Contacts2D: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x2D, "Contacts2D", "contacts (2D)") }
}

/// The device's Bluetooth address.
public enum BluetoothAddress: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2E, "BluetoothAddress", "Bluetooth address")
    }
    public static var secrecyOfBytes: FieldSecrecy { .address }
}

/// A card that the device shows.
public enum ElectronicCard: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2F, "ElectronicCard", "electronic card")
    }
}

/// The face of a watch, under the first of two ids. The difference to 3F is not known.
public enum WatchFace3A: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x3A, "WatchFace3A", "watch face (3A)") }
}

/// The face of a watch, under the second of two ids. The difference to 3A is not known.
public enum WatchFace3F: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x3F, "WatchFace3F", "watch face (3F)") }
}

/// Satellite navigation.
public enum Navigation: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x48, "Navigation", "satellite navigation")
    }
}

/// A record without a known name. One source has 01 01 06 from an H59 band.
public enum Undescribed5A: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x5A, "Undescribed5A", "undescribed (5A)", .oneSource)
    }
}

/// Blood oxygen at intervals.
public enum BloodOxygenIntervals: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x5F, "BloodOxygenIntervals", "blood oxygen at intervals")
    }
}

/// Heart rates at intervals.
public enum HeartRateIntervals: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x75, "HeartRateIntervals", "heart rate at intervals")
    }
}
