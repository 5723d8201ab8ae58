/// Re-encodes the commands to a controller from the output of `btmon`: those that set the adapter's
/// own address. Other commands are skipped.
enum BtmonCommand {
    /// The command of an opcode; `nil` if it is skipped or was not printed completely.
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

    /// The advertising parameters: intervals, type, addresses, channels, filter.
    private static func advertising(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        ContiguousArray.concatenated([
            fields.code("Min advertising interval:", count: 2),
            fields.code("Max advertising interval:", count: 2), fields.code("Type:", count: 1),
            fields.code("Own address type:", count: 1),
            fields.code("Direct address type:", count: 1), fields.address("Direct address:"),
            fields.code("Channel map:", count: 1), fields.code("Filter policy:", count: 1),
        ])
    }
}
