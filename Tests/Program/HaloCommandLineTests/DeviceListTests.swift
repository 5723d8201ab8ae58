import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The devices that a scan shows.
@Suite(.computes) struct DeviceListTests {
    private static let size = TerminalSize(columns: 100, rows: 24)

    private static func ring(_ number: Int, name: String? = "R02_2FCA", rssi: Int = -60)
        -> Discovery
    {
        Discovery(PeripheralIdentity("ring-\(number)"), name: name, rssi: rssi)
    }

    private static func shown(_ list: DeviceList, after seconds: Int) -> [String] {
        let now = Moment.origin + .seconds(seconds)
        return list.lines(at: now, size, .braille).dropFirst().map(\.text)
            .prefix { !$0.isEmpty }.map { $0 }
    }

    /// Only the name tells that it is a ring.
    @Test(arguments: [false, true]) func keepsTheNameOfADevice(showsAll: Bool) throws {
        var list = DeviceList(showsAll: showsAll) { $0.name == "R02_2FCA" }
        let first = list.receive(Self.ring(1), at: .origin)
        #expect(first?.isNew == true)
        let before = Self.shown(list, after: 0)
        let later = Moment.origin + .seconds(12)
        let received = list.receive(Self.ring(1, name: nil, rssi: -70), at: later)
        let (device, isNew) = try #require(received)
        #expect(device.name == "R02_2FCA" && device.rssi == -70 && !isNew)
        #expect(before.count == 1)
        #expect(
            Self.shown(list, after: 13)
                == before.map { $0.replacing("-60 dBm", with: "-70 dBm") })
        let other = list.receive(Self.ring(1, name: "x"), at: later)
        #expect(other == nil)
        #expect(list.table(100) == Self.shown(list, after: 13).map { $0 })
    }

    @Test func aNewNameReplacesTheOldOne() {
        var list = DeviceList(showsAll: true) { _ in true }
        for name in [nil, "R02_2FCA", "R02_0001", nil] {
            _ = list.receive(Self.ring(1, name: name), at: .origin)
        }
        #expect(Self.shown(list, after: 0).map { $0.prefix(9) } == ["R02_0001 "])
    }

    /// A terminal of 80 columns shows all of a device, also of one that is not of the family.
    @Test(arguments: [
        ("COLMI R12_2FCA", "ring        COLMI R12, possible"),
        ("R10M FCF4", "not COLMI   R10M, possible"),
        ("R100_FCF4", "not COLMI   R100, possible"),
    ])
    func fitsTheColumns(name: String, ending: String) throws {
        var list = DeviceList(showsAll: false) { _ in true }
        let address = PeripheralIdentity("30:34:35:36:2F:CA")
        _ = list.receive(Discovery(address, name: name, rssi: -100), at: .origin)
        let line = try #require(list.table(80).first)
        #expect(line.hasSuffix("30:34:35:36:2F:CA  -100 dBm  \(ending)"), "\(line)")
        #expect(line.count <= 80)
    }

    /// A device that has gone stays in the list, with the time of its last advertisement.
    @Test(arguments: [(0, nil), (10, nil), (11, "  11 s ago"), (300, "  5 min ago")])
    func showsWhenADeviceWasHeard(seconds: Int, words: String?) {
        var list = DeviceList(showsAll: false) { _ in true }
        _ = list.receive(Self.ring(1), at: .origin)
        let line = Self.shown(list, after: seconds).first ?? ""
        #expect(words.map { line.hasSuffix($0) } ?? !line.hasSuffix("ago"), "\(line)")
    }

    /// Made-up addresses are endless: those beyond the limit are reported, and not kept.
    @Test func keepsAThousandDevices() {
        var list = DeviceList(showsAll: false) { _ in true }
        var news = 0
        for number in 0..<1010 where list.receive(Self.ring(number), at: .origin)?.isNew == true {
            news += 1
        }
        #expect(news == 1000 && list.table(100).count == 1000)
        let unknown = list.receive(Self.ring(1005), at: .origin)
        #expect(unknown?.isNew == false)
        #expect(list.countInWords == "1000 devices")
        _ = list.receive(Self.ring(999, name: "R02_LAST"), at: .origin)
        #expect(list.table(100).last?.hasPrefix("R02_LAST ") == true)
    }

    /// The heading, an empty line and the count have rows of their own.
    @Test(arguments: [(1, 1), (4, 1), (5, 2), (24, 21), (100, 30)])
    func fitsTheRows(rows: Int, devices: Int) {
        var list = DeviceList(showsAll: false) { _ in true }
        for number in 0..<30 { _ = list.receive(Self.ring(number), at: .origin) }
        let size = TerminalSize(columns: 100, rows: rows)
        let lines = list.lines(at: .origin, size, .braille).map(\.text)
        #expect(lines.count == devices + 3)
        #expect(lines.last == "30 devices; Ctrl-C to quit")
    }
}
