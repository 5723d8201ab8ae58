/// Makes commands to a controller again of how `btmon` prints them: those from which it follows
/// which address the adapter itself goes by; the others are passed over.
enum BtmonCommand {
    /// The command of that opcode, if it is one of them and was printed in whole.
    static func command(_ opcode: UInt16, _ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        let parameters: ContiguousArray<UInt8>?
        switch opcode {
        case 0x0C03:
            parameters = []
        case 0x2005:
            parameters = fields.address("Address:")
        case 0x2006:
            parameters = advertising(fields)
        default:
            parameters = nil
        }
        guard let parameters, let count = UInt8(exactly: parameters.count) else { return nil }
        var command = ContiguousArray.littleEndian(UInt64(opcode), count: 2)
        command.append(count)
        command.append(contentsOf: parameters)
        return command
    }

    /// How to advertise: two intervals, the kind, whose address, to whom, where, who is heard.
    private static func advertising(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        let parts = [
            fields.code("Min advertising interval:", count: 2),
            fields.code("Max advertising interval:", count: 2), fields.code("Type:", count: 1),
            fields.code("Own address type:", count: 1),
            fields.code("Direct address type:", count: 1), fields.address("Direct address:"),
            fields.code("Channel map:", count: 1), fields.code("Filter policy:", count: 1),
        ]
        var parameters = ContiguousArray<UInt8>()
        for part in parts {
            guard let part else { return nil }
            parameters.append(contentsOf: part)
        }
        return parameters
    }
}
