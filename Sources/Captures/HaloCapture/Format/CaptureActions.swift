internal import HaloProtocol

/// Determines the action of each value of a capture, line by line.
///
/// A line without an action is a command if it is to the device. Otherwise it is the answer to the
/// first unanswered read of its channel, or else a notification. A descriptor has neither commands
/// nor notifications: its values are writes and answers.
package struct CaptureActions: Sendable {
    private struct Source: Hashable {
        let link: CaptureName?
        let channel: CaptureChannel
    }

    /// The number of unanswered reads of each channel.
    private var reads: [Source: Int] = [:]

    package init() {}

    package mutating func note(_ event: CaptureEvent, link: CaptureName?) {
        switch event {
        case .read(let channel): reads[Source(link: link, channel: channel), default: 0] += 1
        case .refused(let channel, _): _ = endRead(Source(link: link, channel: channel))
        case .connected, .disconnected: reads = reads.filter { $0.key.link != link }
        default: break
        }
    }

    package mutating func action(of packet: CapturePacket) -> CaptureAction {
        if packet.direction == .toDevice {
            return packet.action ?? (packet.channel.isDescriptor ? .write : .command)
        }
        if let action = packet.action, action != .read { return action }
        let wasAsked = endRead(Source(link: packet.link, channel: packet.channel))
        return packet.action ?? (wasAsked || packet.channel.isDescriptor ? .read : .notified)
    }

    private mutating func endRead(_ source: Source) -> Bool {
        guard let count = reads[source] else { return false }
        reads[source] = count > 1 ? count - 1 : nil
        return true
    }
}
