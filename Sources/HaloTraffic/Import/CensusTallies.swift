import HaloCapture
import HaloProtocol

/// Counts packets by their kind.
struct CensusTallies: Sendable {
    /// What makes a kind: where it goes, and the code that tells it from others there.
    struct Kind: Hashable, Sendable {
        var channel: CaptureChannel
        var direction: Direction
        var code: UInt8?
        /// Whether the bytes are no frame at all, or are one that refuses a command.
        var form = Form.packet

        enum Form: Hashable, Sendable {
            case packet, noFrame, refusal, nothing
        }
    }

    private var counted: [PacketCensus.Entry] = []
    private var indices: [Kind: Int] = [:]

    /// How many kinds are told apart; a device has fewer.
    private static let limit = 8192

    /// The place of a kind; its name is asked for when it is met first. There is none beyond the
    /// limit.
    mutating func index(_ kind: Kind, _ name: @autoclosure () -> PacketName?) -> Int {
        if let index = indices[kind] { return index }
        guard counted.count < Self.limit else { return counted.count }
        indices[kind] = counted.count
        counted.append(
            PacketCensus.Entry(
                channel: kind.channel, direction: kind.direction, packet: name(),
                code: kind.code))
        return counted.count - 1
    }

    @inline(__always)
    mutating func take(_ index: Int) {
        guard index < counted.count else { return }
        counted[index].count &+= 1
    }

    mutating func fail(
        _ index: Int, _ reason: @autoclosure () -> String, at place: RecordPlace
    ) {
        guard index < counted.count else { return }
        counted[index].faultCount += 1
        guard counted[index].firstFault == nil else { return }
        counted[index].firstFault = PacketCensus.Fault(
            record: place.number, offset: place.offset, reason: reason())
    }

    /// All kinds, the most frequent first.
    var entries: [PacketCensus.Entry] {
        counted.enumerated().sorted {
            ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }
        .map(\.element)
    }
}
