/// One fault that happens once, when its trigger says so.
public struct FaultRule: Hashable, Sendable {
    /// What goes wrong.
    public var fault: Fault
    /// When.
    public var trigger: FaultTrigger
    /// With which device; nothing means with whichever fulfils the trigger first.
    public var device: DeviceNumber?
    /// Its number in the log of the run that it was taken from.
    let index: Int?

    /// A fault and when it happens.
    public init(_ fault: Fault, _ trigger: FaultTrigger, device: DeviceNumber? = nil) {
        self.init(fault, trigger, device: device, index: nil)
    }

    init(_ fault: Fault, _ trigger: FaultTrigger, device: DeviceNumber?, index: Int?) {
        self.fault = fault
        self.trigger = trigger
        self.device = device
        self.index = index
    }
}
