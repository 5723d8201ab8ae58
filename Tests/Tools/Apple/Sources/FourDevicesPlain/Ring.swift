/// A COLMI ring, which prints its battery level.
final class Ring: Device {
    init() {
        super.init(
            services: ["6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E"],
            requests: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E",
            values: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    }

    override func ready() {
        send([0x03] + [UInt8](repeating: 0, count: 14) + [0x03])
    }

    override func receive(_ value: [UInt8]) {
        let sum = value.dropLast().reduce(0, &+)
        guard value.count == 16, value[15] == sum, value[0] == 0x03 else { return }
        print("ring: \(value[1]) %")
        disconnect()
    }
}
