/// The limits of an air's queues: beyond them packets are dropped and counted, or refused.
package enum AirLimits {
    /// The maximum number of packets of a device that wait for a link; more are dropped.
    package static let packetsToCentral = 1_024
    /// The maximum number of writes without response in the controller's buffer; further ones wait
    /// in the link's queue.
    package static let commandsInController = 8
    /// The maximum number of waiting operations of a link; more are refused as overloaded.
    package static let operations = 256
    /// The maximum length of an attribute's value in bytes; a device's longer value is truncated.
    package static let valueLength = 512
    /// The maximum number of queued outputs; further values and discoveries are dropped.
    package static let outputs = 65_536
    package static let answerMicroseconds: Int64 = 30_000_000
    /// The MTU of a link before an exchange.
    package static let defaultMTU = 23
    /// The maximum MTU that this air's centrals agree to.
    package static let centralMTU = 247
}
