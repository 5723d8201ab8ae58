import HaloCapture
import HaloProtocol

@testable import HaloTraffic

/// The rules for the events of a connection: no response, acknowledgement or confirmation without
/// its request, and no event before its time.
struct AttributeRules: ConversationSink, Sendable {
    /// The violations of the rules.
    private(set) var violations: [String] = []
    /// The number of pairs of each kind.
    private(set) var answerCount = 0
    private(set) var acknowledgementCount = 0
    private(set) var confirmationCount = 0

    private let connection: Int
    private var reads: [UInt16: Int] = [:]
    private var writes: [UInt16: Int] = [:]
    private var indicated: UInt16?
    /// The number of the current record.
    var number = 0

    init(of connection: Int = 0) { self.connection = connection }

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        expect(connection == self.connection, "connection \(connection)")
        expect(value.count <= CapturePacket.maximumLength, "\(value.count) bytes")
        expect(position.number <= number, "\(event) of a record to come")
        switch event {
        case .readBegun(let handle):
            reads[handle, default: 0] += 1
        case .transferred(let handle, .read):
            answerCount += 1
            reads[handle, default: 0] -= 1
            expect(reads[handle, default: 0] >= 0, "an answer from \(handle) without a read")
        case .transferred(let handle, .write):
            writes[handle, default: 0] += 1
        case .acknowledged(let handle):
            acknowledgementCount += 1
            writes[handle, default: 0] -= 1
            expect(writes[handle, default: 0] >= 0, "\(handle) has acknowledged nothing")
        case .transferred(let handle, .indicated):
            indicated = handle
        case .confirmed(let handle):
            confirmationCount += 1
            expect(indicated == handle, "\(handle) was confirmed and not indicated")
            indicated = nil
        case .mtu(let mtu):
            expect(mtu >= ATTDecoder.leastMTU, "a transfer unit of \(mtu)")
        case .connected, .role, .disconnected, .encrypted, .advertised, .value:
            expect(false, "\(event) is not of attributes")
        case .service, .characteristic, .descriptor, .transferred, .refused, .odd:
            break
        }
    }

    private mutating func expect(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append("\(number): \(violation())") }
    }
}
