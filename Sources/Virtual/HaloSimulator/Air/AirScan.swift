/// A scan of a central.
struct AirScan {
    let central: CentralNumber
    let tag: UInt64
    let reportsDuplicates: Bool
    /// The reported generation of each device's advertisement.
    var reported: [DeviceNumber: Int] = [:]
}
