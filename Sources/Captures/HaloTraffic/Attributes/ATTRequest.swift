import HaloProtocol

/// The pending request of one side; there is at most one at a time.
struct ATTRequest: Hashable, Sendable {
    let opcode: UInt8
    /// The handle, or the maximum transfer unit.
    var number: UInt16 = 0
    /// The type that is searched for, or the service.
    var type: BluetoothUUID?
    var piece = Piece.first
    /// `true` if a response is certain to be due; `false` if the opcode is unknown, or the packet
    /// too short.
    var isDue = true

    enum Piece: Hashable, Sendable {
        case first
        case next
        /// A piece after a value that seemed to be whole.
        case afterEnd
        /// A piece whose predecessor was not read.
        case stray
    }

    /// `true` if a response of this opcode answers the request: its opcode follows that of the
    /// request. Error responses are not included.
    func isAnswered(by response: UInt8) -> Bool { isDue && response == opcode &+ 1 }
}
