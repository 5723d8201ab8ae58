public import HaloProtocol

/// A fault that happened.
public struct FaultRecord: Hashable, Sendable {
    /// Its number, by which a plan can leave it out.
    public let index: Int
    /// When it happened.
    public let moment: Moment
    /// With which device.
    public let device: DeviceNumber
    /// What it happened to; nothing if it happened at a moment of its own.
    public let subject: FaultSubject?
    /// The how manieth of the device's subjects it was, counted from 1.
    public let number: Int
    /// The characteristic that it was about.
    public let characteristic: BluetoothUUID?
    /// What went wrong.
    public let fault: Fault
    /// The value before it went wrong.
    public let bytes: [UInt8]

    /// The rule that makes it happen again.
    var rule: FaultRule {
        let trigger = subject.map { FaultTrigger.nth(number, $0) } ?? .at(moment)
        return FaultRule(fault, trigger, device: device, index: index)
    }
}

extension FaultRecord: CustomStringConvertible {
    /// `#3 12.500000 s device 0: notification 12 of 6E400003-… lost: 15 01 …`.
    public var description: String {
        var words = "#\(index) \(moment) \(device):"
        if let subject { words += " \(subject) \(number)" }
        if let characteristic { words += " of \(characteristic)" }
        words += " \(fault)"
        if !bytes.isEmpty { words += ": \(HexText.bytes(bytes, separator: " "))" }
        return words
    }
}
