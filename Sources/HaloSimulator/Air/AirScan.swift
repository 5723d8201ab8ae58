/// A central that listens.
struct AirScan {
    let central: CentralNumber
    let tag: UInt64
    let reportsDuplicates: Bool
    /// Which edition of each device's advertisement was reported.
    var reported: [DeviceNumber: Int] = [:]
}
