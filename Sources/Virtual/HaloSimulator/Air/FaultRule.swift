/// A scripted fault, which happens once.
public struct FaultRule: Hashable, Sendable {
    /// The fault.
    package var fault: LinkFault
    /// The condition that triggers the fault.
    package var trigger: FaultTrigger
    /// The affected device, or `nil` for the first device that fulfils the trigger.
    package var device: DeviceNumber?
    /// The index in the log of the run from which the rule was made.
    var index: Int?

    /// Creates a rule for a fault and its trigger.
    public init(_ fault: LinkFault, _ trigger: FaultTrigger, device: DeviceNumber? = nil) {
        self.fault = fault
        self.trigger = trigger
        self.device = device
    }
}
