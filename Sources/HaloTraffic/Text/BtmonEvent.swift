import HaloProtocol

/// Makes events of a controller again of how `btmon` prints them: those from which it follows
/// which devices there are and who is connected; the others are passed over.
///
/// Events are as the Bluetooth Core Specification has them in volume 4, part E, section 7.7.
enum BtmonEvent {
    /// What became of an event.
    enum Outcome {
        /// It is of no interest.
        case none
        /// Not all of it was printed.
        case incomplete
        /// This is the event: code, length, parameters.
        case event(ContiguousArray<UInt8>)
    }

    /// The event of that code, of the lines beneath its header; whether they are all.
    static func event(
        _ code: UInt8, _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        let fields = BtmonFields(lines: lines)
        switch code {
        case 0x03:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle, fields.address("Address:"),
                fields.code("Link type:", count: 1), fields.code("Encryption:", count: 1))
        case 0x05:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle, fields.code("Reason:", count: 1))
        case 0x08:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle,
                fields.code("Encryption:", count: 1))
        case 0x30:
            return whole(code, fields.code("Status:", count: 1), fields.handle)
        case 0x3E:
            return lowEnergy(code, lines, areAll: areAll)
        case 0x59:
            return dumped(code, fields.dump, count: 5)
        default:
            return .none
        }
    }

    private static func lowEnergy(
        _ code: UInt8, _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        guard let first = lines.first, let subcode = TextCursor(first.text).code else {
            return .none
        }
        let beneath = BtmonFields(lines: lines.dropFirst())
        let kind = ContiguousArray([UInt8(truncatingIfNeeded: subcode)])
        switch subcode {
        case 0x01:
            return whole(code, kind, connection(beneath), timing(beneath))
        case 0x02:
            return BtmonAdvertising.event(beneath, areAll: areAll)
        case 0x0A:
            return whole(
                code, kind, connection(beneath),
                beneath.address("Local resolvable private address:"),
                beneath.address("Peer resolvable private address:"), timing(beneath))
        case 0x0D:
            return BtmonAdvertising.extendedEvent(beneath, areAll: areAll)
        case 0x29:
            return dumped(code, kind + beneath.dump, count: 34)
        default:
            return .none
        }
    }

    /// Status, handle, role and the other side's address: what reports of a new link begin with.
    private static func connection(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        guard let status = fields.code("Status:", count: 1), let handle = fields.handle,
            let role = fields.code("Role:", count: 1),
            let type = fields.code("Peer address type:", count: 1),
            let address = fields.address("Peer address:")
        else { return nil }
        return status + handle + role + type + address
    }

    /// What they end with.
    private static func timing(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        guard let interval = fields.code("Connection interval:", count: 2),
            let latency = fields.code("Connection latency:", count: 2),
            let timeout = fields.code("Supervision timeout:", count: 2),
            let accuracy = fields.value("Central clock accuracy:", "Master clock accuracy:")?
                .plainCode
        else { return nil }
        return interval + latency + timeout + .littleEndian(accuracy, count: 1)
    }

    /// An event of its parameters, if they are all there.
    static func whole(_ code: UInt8, _ parts: ContiguousArray<UInt8>?...) -> Outcome {
        var parameters = ContiguousArray<UInt8>()
        for part in parts {
            guard let part else { return .incomplete }
            parameters += part
        }
        guard let count = UInt8(exactly: parameters.count) else { return .incomplete }
        return .event([code, count] + parameters)
    }

    /// An event that is printed as a dump, for `btmon` does not know it.
    private static func dumped(
        _ code: UInt8, _ parameters: ContiguousArray<UInt8>, count: Int
    ) -> Outcome {
        parameters.count == count ? whole(code, parameters) : .incomplete
    }
}
