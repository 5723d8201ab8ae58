public import HaloProtocol
public import HaloTransport

/// The device of the transport contract.
///
/// It carries out its ``instructions`` on ``/HaloTransport/PeripheralEvent/changed``.
public struct ContractPeripheral: GATTPeripheral, Hashable, Codable {
    /// An instruction to the device.
    public enum Instruction: Hashable, Sendable, Codable {
        /// Sends a notification or an indication.
        case send(ContractAttribute, [UInt8])
        case disconnect
        /// Adds a service, and indicates the change.
        case addService
        case advertise(Bool)
    }

    /// The instructions to carry out at the next change.
    public var instructions: [Instruction] = []
    /// The values written to ``ContractAttribute/record``, in order.
    public private(set) var written: [[UInt8]] = []
    /// The changes of subscriptions, in order.
    public private(set) var subscriptions: [Subscription] = []
    /// The number of connections.
    public private(set) var connections = 0
    /// `true` while a central is connected.
    public private(set) var isConnected = false

    private var hasExtraService = false

    /// A change of a subscription.
    public struct Subscription: Hashable, Sendable, Codable {
        /// The characteristic.
        public let attribute: ContractAttribute
        /// `true` if the subscription was switched on.
        public let isOn: Bool
    }

    /// Creates a device without instructions.
    public init() {}

    /// The name that the device advertises.
    public static let name = "Halo contract"
    /// The company identifier of the advertised manufacturer data: the one for tests.
    public static let company: UInt16 = 0xFFFF
    /// The bytes of the advertised manufacturer data.
    package static let companyData: [UInt8] = [1, 2, 3]
    /// The value of ``ContractAttribute/text``.
    public static let text = Array("in order".utf8)
    /// The value of ``ContractAttribute/longText``, longer than a packet.
    package static let longText = (0..<509).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    /// The value of the descriptor of ``ContractAttribute/text``.
    public static let description = Array("what it says".utf8)
    /// The value that ``ContractAttribute/first`` notifies at each subscription.
    package static let greeting: [UInt8] = [0]
    /// The error of ``ContractAttribute/refusing``.
    public static let refusal = ATTError(code: 0x81)

    private static let descriptorID = AttributeID(100)

    /// The services of the device.
    public var services: [GATTService] {
        var services = [
            GATTService(
                ContractAttribute.service,
                characteristics: ContractAttribute.allCases.map { attribute in
                    GATTCharacteristic(
                        attribute.id, attribute.uuid, attribute.properties,
                        descriptors: attribute == .text
                            ? [
                                GATTDescriptor(
                                    Self.descriptorID, ContractAttribute.descriptorUUID)
                            ] : [])
                })
        ]
        if hasExtraService {
            services.append(GATTService(ContractAttribute.extraService, characteristics: []))
        }
        return services
    }

    /// Adds instructions, and returns the device: for ``TransportHarness/order(_:)``.
    public mutating func order(_ instructions: [Instruction]) -> ContractPeripheral {
        self.instructions += instructions
        return self
    }

    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            effects.append(.advertise(Self.advertisement))
        case .changed:
            let all = instructions
            instructions = []
            for instruction in all { follow(instruction, into: &effects) }
        case .connected:
            isConnected = true
            connections += 1
        case .disconnected:
            isConnected = false
        case .read(let id, let offset, let token):
            read(id, from: offset, token, into: &effects)
        case .write(let id, let value, let token):
            write(value, to: id, token, into: &effects)
        case .subscription(let id, let isOn):
            guard let attribute = ContractAttribute(rawValue: id.rawValue) else { return }
            subscriptions.append(Subscription(attribute: attribute, isOn: isOn))
            if isOn, attribute == .first { effects.notify(id, Self.greeting) }
        case .woken, .maximumLength, .confirmed:
            break
        }
    }

    private mutating func follow(
        _ instruction: Instruction, into effects: inout PeripheralEffects
    ) {
        switch instruction {
        case .send(let attribute, let value):
            effects.append(
                attribute == .confirmed
                    ? .indicate(attribute.id, value) : .notify(attribute.id, value))
        case .disconnect:
            effects.append(.disconnect)
        case .addService:
            hasExtraService = true
            effects.append(.servicesChanged)
        case .advertise(let isOn):
            effects.append(.advertise(isOn ? Self.advertisement : nil))
        }
    }

    private func read(
        _ id: AttributeID, from offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        guard id != Self.descriptorID else {
            effects.respond(Self.description, from: offset, to: token)
            return
        }
        switch ContractAttribute(rawValue: id.rawValue) {
        case .text: effects.respond(Self.text, from: offset, to: token)
        case .longText: effects.respond(Self.longText, from: offset, to: token)
        case .refusing: effects.refuse(Self.refusal, token)
        case .silent: break
        case .record, .first, .second, .confirmed, .echo:
            effects.refuse(.readNotPermitted, token)
        case nil: effects.refuse(.invalidHandle, token)
        }
    }

    private mutating func write(
        _ value: [UInt8], to id: AttributeID, _ token: ResponseToken?,
        into effects: inout PeripheralEffects
    ) {
        switch ContractAttribute(rawValue: id.rawValue) {
        case .record:
            written.append(value)
            effects.accept(token)
        case .echo:
            for (index, byte) in value.enumerated() {
                let attribute: ContractAttribute = index % 2 == 0 ? .first : .second
                effects.notify(attribute.id, [byte])
            }
            effects.accept(token)
        case .refusing: effects.refuse(Self.refusal, token)
        case .silent: break
        case .text, .longText, .first, .second, .confirmed:
            effects.refuse(.writeNotPermitted, token)
        case nil: effects.refuse(.invalidHandle, token)
        }
    }

    private static var advertisement: PeripheralAdvertisement {
        PeripheralAdvertisement(
            data([
                .flags([.generalDiscoverable, .classicNotSupported]),
                .services(.long([ContractAttribute.service]), isComplete: true),
            ]),
            scanResponse: data([
                .name(AdvertisedName(name), isComplete: true),
                .manufacturerData(company: company, companyData),
            ]), interval: .milliseconds(100))
    }

    private static func data(_ contents: [AdvertisingStructure.Content]) -> AdvertisingData {
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        return (try? AdvertisingData(structures: structures)) ?? AdvertisingData(lenient: [])
    }
}
