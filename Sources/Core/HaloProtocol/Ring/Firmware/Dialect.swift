/// The differences between the firmware of rings, each with its evidence.
///
/// Only this type depends on the name of a board. A fact without a value is unknown; a program then
/// tries the request, and handles a refusal.
public struct Dialect: Hashable, Sendable {
    private let board: BoardCode?
    private let capabilities: Capabilities

    public init(firmware: FirmwareVersion?, capabilities: Capabilities = Capabilities()) {
        self.init(board: firmware?.board, capabilities: capabilities)
    }

    public init(board: BoardCode?, capabilities: Capabilities = Capabilities()) {
        self.board = board
        self.capabilities = capabilities
    }

    private var chip: ChipFamily? { board?.chip.value }

    /// The forms of a sleep request that may work, the likeliest first.
    public var sleepRequests: RingFact<[SleepRequestForm]> {
        if capabilities.newSleepProtocol == false {
            return RingFact([.oldCommand], "the ring said so; several sources, not captured")
        }
        let bigData: [SleepRequestForm] = [.twoBytes, .oneByte, .empty]
        switch chip {
        case .realtek:
            return RingFact(
                bigData, "two bytes captured on R10 and R12; shorter ones may get no answer")
        case .blueX:
            return RingFact(
                bigData, "one byte and none work on R02 and RY02, say several sources")
        case nil:
            let said = capabilities.newSleepProtocol == true
            return said
                ? RingFact(bigData, "the ring said so; which form it takes is not known")
                : RingFact(bigData + [.oldCommand], "a guess: newer forms before older ones")
        }
    }

    /// The form of a sleep request that the ring understands: "no data" in reply to it means that
    /// no night is stored. Rings reply "no data" to unknown forms, too.
    package var understoodSleepRequest: RingFact<SleepRequestForm> {
        switch chip {
        case .realtek: RingFact(.twoBytes, "captured on R10 and R12")
        case .blueX: RingFact(.oneByte, "several sources, R02 and RY02; not captured")
        case nil: .unknown("depends on the chip, which is not known")
        }
    }

    /// The number of hours that the start of a workout is behind the ring's clock.
    package var workoutHoursBehind: RingFact<Int> {
        board?.hasPrefix("RT03CR") == true
            ? RingFact(8, "captured on R10: the firmware takes its clock for UTC+8")
            : .unknown("captured on the board RT03CR alone")
    }

    /// `true` if the ring streams raw sensor values.
    public var rawSensors: RingFact<Bool> {
        switch chip {
        case .blueX: RingFact(true, "captured on R02, one source on R06")
        case .realtek:
            board?.hasPrefix("RT08") == true || board?.hasPrefix("RT02") == true
                ? RingFact(true, "one source each: an R08, an RT02R and an RT02CR sent them")
                : .unknown("no capture of a Realtek ring has raw values")
        case nil: .unknown("captured on BlueX chips alone")
        }
    }

    /// `true` if the ring reports each touch while ``TouchGesture/App/report`` is set.
    public var touches: RingFact<Bool> {
        if board?.hasPrefix("RT08") == true {
            return RingFact(true, "one source: an R08 reported them")
        }
        if capabilities.touch == false { return RingFact(false, "the ring reported it") }
        return .unknown("one source saw an R08 report touches, and no other ring")
    }

    /// `true` if the ring measures the heart-rate variability on demand.
    public var heartRateVariability: RingFact<Bool> {
        ability(
            capabilities.heartRateVariability,
            [
                ("RT03CR", RingFact(true, "an R10 and an R12 of these boards reported it")),
                ("RT11CR", RingFact(true, "an R10 and an R12 of these boards reported it")),
                ("H59", RingFact(true, "one source: an H59 reported it")),
                ("R02", RingFact(false, "an R02 said that it does not")),
            ])
    }

    /// `true` if the ring measures the temperature of the skin on demand.
    public var temperature: RingFact<Bool> {
        ability(
            capabilities.temperature,
            [
                ("RT03CR", RingFact(true, "an R10 reported it")),
                ("RT11CR", RingFact(false, "an R12 reported that it does not")),
                ("H59", RingFact(false, "one source: an H59 reported that it does not")),
                ("R02", RingFact(false, "an R02 said that it does not")),
            ])
    }

    /// `true` if a bond is useful; no ring needs one for its own services.
    public var bondIsUseful: RingFact<Bool> {
        if capabilities.pairing == true {
            return RingFact(true, "the ring said so, and the vendor's app bonds then")
        }
        if board?.hasPrefix("RT09") == true {
            return RingFact(true, "one source: R09 and R11 lose unbonded phones in the background")
        }
        if capabilities.pairing == false { return RingFact(false, "the ring reported it") }
        return .unknown("the ring was not asked")
    }

    /// Returns what a ring has said of an ability, or else what rings with its board have said.
    private func ability(
        _ said: Bool?, _ seen: [(prefix: StaticString, fact: RingFact<Bool>)]
    ) -> RingFact<Bool> {
        if let said { return RingFact(said, "the ring reported it") }
        return seen.first { board?.hasPrefix($0.prefix) == true }?.fact
            ?? .unknown("no ring of this board was seen to report it")
    }
}
