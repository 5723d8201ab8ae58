public import HaloProtocol

/// A fault that happened.
public struct FaultRecord: Hashable, Sendable, CustomStringConvertible {
    /// The index by which ``FaultPlan/disabling(_:)`` leaves it out.
    public let index: Int
    /// The moment in the air's time.
    public let moment: Moment
    /// The affected device.
    public let device: DeviceNumber
    /// The affected subject, or `nil` for a fault of a ``FaultTrigger/Occasion/moment(_:)``.
    package let subject: FaultSubject?
    /// The 1-based index among the device's packets of this subject.
    public let number: Int
    /// The affected characteristic.
    public let characteristic: BluetoothUUID?
    /// The fault.
    public let fault: LinkFault
    /// The value before the fault.
    public let bytes: [UInt8]

    var rule: FaultRule {
        let trigger = subject.map { FaultTrigger.nth(number, $0) } ?? .at(moment)
        var rule = FaultRule(fault, trigger, device: device)
        rule.index = index
        return rule
    }

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
