/// How a step of a firmware update went. Vendor notes only.
public enum FirmwareUpdateStatus: UInt8, FieldCode {
    /// It went well.
    case success = 0
    /// The size is wrong.
    case size = 1
    /// The content is wrong.
    case content = 2
    /// The device is not in the right state.
    case state = 3
    /// The format is wrong.
    case format = 4
    /// Something went wrong inside of the device.
    case inner = 5
    /// The battery is too low.
    case lowBattery = 6

    public var label: FieldName {
        switch self {
        case .success: "success"
        case .size: "wrong size"
        case .content: "wrong content"
        case .state: "wrong state"
        case .format: "wrong format"
        case .inner: "inner error"
        case .lowBattery: "low battery"
        }
    }
}
