public import HaloProtocol
public import HaloTransport

extension VirtualHeartRateSensor {
    /// Takes in one event, and puts down what the strap does about it.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started(let clock):
            wall = SensorClock(time: clock.local, moment: now)
            effects.append(.advertise(advertisement))
        case .woken:
            measureWhatIsDue(at: now, into: &effects)
        case .changed:
            break
        case .connected:
            link = HeartRateSensorLink()
        case .disconnected:
            link = HeartRateSensorLink()
            rawValues = []
        case .maximumLength(let length):
            link.maximumLength = length
        case .read(let attribute, let offset, let token):
            read(attribute, offset, token, into: &effects)
        case .write(let attribute, let value, let token):
            write(value, to: attribute, token, into: &effects)
        case .subscription(let attribute, let isOn):
            subscribe(attribute, isOn, at: now)
        case .confirmed:
            break
        }
        sendNews(into: &effects)
        effects.wake(at: link.nextMeasurement)
    }

    /// What it advertises: its name and the Heart Rate service.
    var advertisement: PeripheralAdvertisement {
        PeripheralAdvertisement(
            .connectable(name: options.name, services: [StandardServices.heartRate]))
    }

    private func read(
        _ attribute: AttributeID, _ offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        if let refusal = attributes.database.refusalToRead(attribute) {
            effects.refuse(refusal, token)
        } else if attribute == attributes.battery {
            effects.respond(batteryLevel, from: offset, to: token)
        } else {
            let value = attributes.database.value(of: attribute) ?? []
            effects.respond(value, from: offset, to: token)
        }
    }

    private mutating func write(
        _ value: [UInt8], to attribute: AttributeID, _ token: ResponseToken?,
        into effects: inout PeripheralEffects
    ) {
        let mode: WriteMode = token == nil ? .withoutResponse : .withResponse
        if let refusal = attributes.database.refusalToWrite(attribute, mode) {
            return effects.refuse(refusal, token)
        }
        switch try? HeartRateControlPoint(decoding: value).order {
        case .resetEnergy:
            energyJoules = 0
            effects.accept(token)
        case nil:
            effects.refuse(.controlPointNotSupported, token)
        }
    }

    private mutating func subscribe(_ attribute: AttributeID, _ isOn: Bool, at now: Moment) {
        if attribute == attributes.battery { link.wantsBattery = isOn }
        guard attribute == attributes.measurement, isOn != isMeasuring else { return }
        link.nextMeasurement = isOn ? now + interval : nil
        source.lose()
    }

    /// Sends what was put in from outside, and the battery's level if it is another one.
    private mutating func sendNews(into effects: inout PeripheralEffects) {
        if isMeasuring {
            for value in rawValues { effects.notify(attributes.measurement, value) }
        }
        rawValues = []
        if isBatteryNews, link.wantsBattery, let battery = attributes.battery {
            effects.notify(battery, batteryLevel)
        }
        isBatteryNews = false
    }

    private var batteryLevel: [UInt8] {
        (try? BatteryLevel(percent: batteryPercent))?.bytes ?? []
    }

    /// How long it is from one measurement to the next: a hundredth of a second to a day.
    var interval: Duration { min(max(options.interval, .milliseconds(10)), .seconds(86_400)) }
}
