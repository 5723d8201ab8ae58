/// An LED strip with a Triones controller, which is turned on and orange.
final class Strip: Device {
    init() { super.init(services: ["FFD5", "FFD0"], requests: "FFD9", values: "FFD4") }

    override func ready() {
        send([0xCC, 0x23, 0x33])
        send([0x56, 0xFF, 0x80, 0x00, 0x00, 0xF0, 0xAA])
        send([0xEF, 0x01, 0x77])
    }

    override func receive(_ value: [UInt8]) {
        guard value.count == 12, value[0] == 0x66, value[11] == 0x99 else { return }
        print("strip: \(value[2] == 0x23 ? "on" : "off"), red \(value[6])")
        disconnect()
    }
}
