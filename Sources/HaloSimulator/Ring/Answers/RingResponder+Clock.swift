internal import HaloProtocol

extension RingResponder {
    /// The clock, and who is at the other end.
    static let clock = [
        RingResponder(SetTime.self) { ring, request, now in
            ring.settings.language = request.language
            ring.setClock(to: request.time, at: now)
            let size = PacketSizePush.Reply(byteCount: ring.profile.notificationLength)
            return .frames([size.frame, ring.profile.capabilities.frame])
        },
        RingResponder(PhoneName.self) { ring, request, _ in
            ring.settings.phoneName = request.printableName
            return .reply(PhoneName.Reply())
        },
    ]

    /// What the ring is, and what can be done with it as a thing.
    static let identity = [
        RingResponder(Battery.self) { ring, _, now in
            ring.age(at: now)
            let level = ring.batteryLevel
            return .reply(Battery.Reply(percent: level.percent, charging: level.charging))
        },
        RingResponder(DeviceFunctions.self) { ring, _, _ in .reply(ring.profile.functions) },
        RingResponder(BlinkLight.self) { ring, _, now in
            ring.light(for: .seconds(2), at: now)
            return .reply(BlinkLight.Reply())
        },
        RingResponder(FindDevice.self) { ring, _, now in
            ring.light(for: .seconds(10), at: now)
            return .reply(FindDevice.Reply())
        },
        RingResponder(DangerousPowerOff.self) { ring, request, now in
            ring.powerOff(restarting: request.action == .reboot, at: now)
            return .silence
        },
        RingResponder(DangerousFactoryReset.self) { ring, request, now in
            if request.isConfirmed { ring.reset(at: now) }
            return .silence
        },
    ]
}
