#if canImport(CoreBluetooth) && !os(tvOS) && !os(watchOS) && !os(visionOS)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// The requests of a central that a hosted device has not responded to.
///
/// The system hands over writes in lists: the pieces of one long value, or several values without a
/// response. Each list is responded to once, when the device has responded to all of its values.
struct HostRequests {
    /// A list of writes, with the values that are not responded to.
    final class Writes {
        let first: CBATTRequest
        var open: Int
        var error: ATTError?

        init(_ first: CBATTRequest, open: Int) {
            self.first = first
            self.open = open
        }
    }

    enum Request {
        case read(CBATTRequest)
        case write(Writes)
        case descriptor(AttributeID)
    }

    static let maximum = 64

    private var requests: [ResponseToken: (request: Request, since: ContinuousClock.Instant)] = [:]
    private var last: UInt32 = 0

    var isFull: Bool { requests.count >= Self.maximum }
    var isEmpty: Bool { requests.isEmpty }

    mutating func add(_ request: Request) -> ResponseToken {
        last &+= 1
        let token = ResponseToken(last)
        requests[token] = (request, .now)
        return token
    }

    mutating func remove(_ token: ResponseToken) -> Request? {
        requests.removeValue(forKey: token)?.request
    }

    @discardableResult mutating func removeAll(olderThan age: Duration) -> [Request] {
        let now = ContinuousClock.now
        let overdue = requests.filter { $0.value.since.duration(to: now) >= age }
            .sorted { $0.key.rawValue < $1.key.rawValue }
        for token in overdue.map(\.key) { requests[token] = nil }
        return overdue.map(\.value.request)
    }

    /// Joins the pieces of long values. Returns the values in order; `nil` if a piece does not
    /// begin where the one before it ends.
    static func values(of requests: [CBATTRequest]) -> [(CBCharacteristic, [UInt8])]? {
        var values: [(CBCharacteristic, [UInt8])] = []
        for request in requests {
            let bytes = request.value.map { Array($0) } ?? []
            if request.offset == 0 {
                values.append((request.characteristic, bytes))
            } else if let last = values.last, last.0 === request.characteristic,
                last.1.count == request.offset
            {
                values[values.count - 1].1 += bytes
            } else {
                return nil
            }
        }
        return values
    }
}
#endif
