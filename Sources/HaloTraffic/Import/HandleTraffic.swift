import HaloProtocol

/// What went over one attribute of a connection.
struct HandleTraffic: Sendable {
    var handle: UInt16
    var written = ValueCount()
    var notified = ValueCount()
    var read = ValueCount()
    var refusalCount = 0
    /// How many of the values written could switch notifications.
    var configurationCount = 0
    var toDevice = TrafficRecogniser()
    var fromDevice = TrafficRecogniser()
    /// Which of the survey's reassemblers joins what is notified.
    var reassembler: Int?

    init(handle: UInt16) {
        self.handle = handle
    }

    /// Whether nothing but switches of notifications went over it.
    var isConfiguration: Bool {
        configurationCount > 0 && configurationCount == written.count && notified.count == 0
    }

    /// Two bytes, a number of 0 to 3: neither notifications nor indications, or which.
    static func isConfiguration(_ value: Span<UInt8>) -> Bool {
        value.count == 2 && value[0] <= 3 && value[1] == 0
    }
}
