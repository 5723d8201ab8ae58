import HaloCapture
import HaloProtocol

@testable import HaloTraffic

/// What holds for whatever is told of a connection: nothing is answered, acknowledged or confirmed
/// that was not begun, and nothing is told before its time.
struct AttributeRules: ConversationSink, Sendable {
    /// What broke them.
    private(set) var violations: [String] = []
    /// How much was told of each kind that is a pair.
    private(set) var answerCount = 0
    private(set) var acknowledgementCount = 0
    private(set) var confirmationCount = 0

    private let connection: Int
    private var reads: [UInt16: Int] = [:]
    private var writes: [UInt16: Int] = [:]
    private var indicated: UInt16?
    /// The record that is being read.
    var number = 0

    init(of connection: Int = 0) { self.connection = connection }

    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int, at place: RecordPlace
    ) {
        expect(connection == self.connection, "connection \(connection)")
        expect(value.count <= CapturePacket.maximumLength, "\(value.count) bytes")
        expect(place.number <= number, "\(event) of a record to come")
        switch event {
        case .readBegun(let handle):
            reads[handle, default: 0] += 1
        case .readAnswered(let handle):
            answerCount += 1
            reads[handle, default: 0] -= 1
            expect(reads[handle, default: 0] >= 0, "an answer from \(handle) without a read")
        case .written(let handle, .request), .written(let handle, .prepared):
            writes[handle, default: 0] += 1
        case .acknowledged(let handle):
            acknowledgementCount += 1
            writes[handle, default: 0] -= 1
            expect(writes[handle, default: 0] >= 0, "\(handle) has acknowledged nothing")
        case .indicated(let handle):
            indicated = handle
        case .confirmed(let handle):
            confirmationCount += 1
            expect(indicated == handle, "\(handle) was confirmed and not indicated")
            indicated = nil
        case .mtu(let mtu):
            expect(mtu >= ATTFollower.leastMTU, "a transfer unit of \(mtu)")
        case .connected, .disconnected, .encrypted, .advertised, .value:
            expect(false, "\(event) is not of attributes")
        case .service, .characteristic, .descriptor, .written, .refused, .notified, .odd:
            break
        }
    }

    private mutating func expect(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append("\(number): \(violation())") }
    }
}
