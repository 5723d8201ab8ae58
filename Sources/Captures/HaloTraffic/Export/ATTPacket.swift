import HaloProtocol
import HaloTransport

/// Makes packets of the attribute protocol. Layouts for sending are only here. Numbers are
/// little-endian; the layouts are those of the Core Specification, volume 3, part F.
enum ATTPacket {
    static let lastHandle: UInt16 = 0xFFFF
    /// The error that ends a discovery: there is no further attribute.
    static let attributeNotFound = ATTError.attributeNotFound.code
    static let leastMTU = Int(ATTDecoder.leastMTU)

    /// `01 | opcode of the request | handle | code`
    static func error(of request: ATTOpcode, _ handle: UInt16, code: UInt8) -> [UInt8] {
        [ATTOpcode.errorResponse.rawValue, request.rawValue] + .little(handle) + [code]
    }

    /// Most packets: `opcode | numbers of 16 bits | value`.
    ///
    ///     02, 03   MTU of the requesting side, MTU of the other side
    ///     0A       handle
    ///     0B, 0D   value, or a piece of it
    ///     0C       handle | offset
    ///     12, 52   handle | value, and the same for the notification 1B and the indication 1D
    ///     16, 17   handle | offset | piece
    ///     13, 19, 1E  the opcode only
    static func make(
        _ opcode: ATTOpcode, _ numbers: UInt16...,
        value: some Sequence<UInt8> = EmptyCollection<UInt8>()
    ) -> [UInt8] {
        var packet = [opcode.rawValue]
        for number in numbers { packet.putLittle(number) }
        packet.append(contentsOf: value)
        return packet
    }

    /// `04 | first handle | last handle`; `08` and `10` have a type as well
    static func search(
        _ opcode: ATTOpcode, _ handles: ClosedRange<UInt16>, type: BluetoothUUID? = nil,
        inFull: Bool = false
    ) -> [UInt8] {
        let uuid = type.map { inFull ? [UInt8].longUUID($0) : .uuid($0) } ?? []
        return make(opcode, handles.lowerBound, handles.upperBound, value: uuid)
    }

    /// The response to a search, with entries of one length: `opcode | format | entry | …`
    ///
    ///     05   01 for UUIDs of 16 bits, 02 for 128 | handle, UUID | …
    ///     09   length of an entry | handle, properties, handle of the value, UUID | …
    ///     11   length of an entry | first handle, last handle, UUID | …
    static func found(by search: ATTOpcode, _ entries: [[UInt8]]) -> [UInt8] {
        let length = entries.first?.count ?? 0
        let format = search == .findInformationRequest ? (length == 4 ? 1 : 2) : length
        return [search.rawValue + 1, UInt8(truncatingIfNeeded: format)] + entries.joined()
    }

    /// `18 | 01`: executes the prepared writes
    static let execute: [UInt8] = [ATTOpcode.executeWriteRequest.rawValue, 1]
}
