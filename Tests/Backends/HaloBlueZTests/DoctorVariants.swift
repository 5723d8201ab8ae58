#if os(Linux)
@testable import HaloBlueZ

extension DoctorFault {
    /// Computers that differ from the usual one without a fault.
    static let variants: [DoctorFault] = [
        variant("one advertisement") { facts in
            BlueZFacts.change(&facts) { $0.freeAdvertisements = 1 }
        },
        variant("no word of advertisements") { facts in
            BlueZFacts.change(&facts) {
                $0.freeAdvertisements = nil
                $0.advertisementCount = nil
            }
        },
        variant("no word of roles") { facts in BlueZFacts.change(&facts) { $0.roles = nil } },
        variant("both roles") { facts in
            BlueZFacts.change(&facts) { $0.roles = ["central-peripheral"] }
        },
        variant("the older Bluetooth by setting") { facts in
            BlueZFacts.change(&facts) { $0.roles = [] }
            facts.computer.settings = DaemonSettings(
                "[General]\nControllerMode = bredr\nDeviceID=false")
        },
        variant("neither manager") { facts in
            BlueZFacts.change(&facts) {
                $0.hasGattManager = false
                $0.hasAdvertisingManager = false
            }
        },
        variant("5.61") { facts in
            BlueZFacts.change(&facts) { $0.modalias = "usb:v1D6Bp0246d053D" }
        },
        variant("5.62") { facts in
            BlueZFacts.change(&facts) { $0.modalias = "usb:v1D6Bp0246d053E" }
        },
        variant("5.67") { facts in
            BlueZFacts.change(&facts) { $0.modalias = "usb:v1D6Bp0246d0543" }
        },
        variant("one experiment of the kernel") { facts in
            BlueZFacts.change(&facts) { $0.experiments = ["one"] }
        },
        variant("experiments by setting") { facts in
            BlueZFacts.change(&facts) { $0.experiments = ["one", "two"] }
            facts.computer.settings = DaemonSettings(
                "[General]\nExperimental = true\nDeviceID=false")
        },
        variant("experiments by a long word") { facts in
            facts.daemon.arguments = ["bluetoothd", "--experimental"]
        },
        variant("no cache") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[GATT]\nCache = no")
        },
        variant("a cache of bonds") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[GATT]\nCache = yes")
        },
        variant("one channel") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[GATT]\nChannels = 1")
        },
        variant("two channels") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[GATT]\nChannels = 2")
        },
        variant("no number of channels") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[GATT]\nChannels = x")
        },
        variant("root") { facts in facts.computer.isRoot = true },
        variant("a device of its own name") { facts in
            facts.computer.settings = DaemonSettings("[General]\nDeviceID = usb:1234:5678:abcd")
        },
        variant("on by itself") { facts in
            facts.computer.settings = DaemonSettings(
                "[General]\nDeviceID=false\n[Policy]\nAutoEnable=true")
        },
        variant("two adapters, the second is named") { facts in
            facts.daemon.objects?.adapters = [
                BlueZFacts.adapter("hci0"), BlueZFacts.adapter("hci1"),
            ]
            facts.wantedAdapter = "hci1"
        },
        variant("two adapters, another is named") { facts in
            facts.daemon.objects?.adapters = [
                BlueZFacts.adapter("hci0"), BlueZFacts.adapter("hci1"),
            ]
            facts.wantedAdapter = "hci2"
        },
        variant("an adapter without an address") { facts in
            BlueZFacts.change(&facts) { $0.address = nil }
        },
    ]

    private static func variant(
        _ name: String, _ change: @escaping @Sendable (inout BlueZFacts) -> Void
    ) -> DoctorFault { DoctorFault(name, .bus, .good, "", nil, change) }
}

/// Recorded and reviewed, in the format of the faults.
extension DoctorWordsTests {
    static let variants = #"""

        # one advertisement
        good (peripheral): hci0 can be a device, with room for 1 advertisement.
          as is seen: 0 taken
        not: [6]
        # no word of advertisements
        good (peripheral): hci0 can be a device.
        not: [6]
        # no word of roles

        # both roles

        # the older Bluetooth by setting
        problem (central): hci0 cannot connect to devices of Bluetooth Low Energy: it
            knows only the older Bluetooth, or is set so.
          as is seen: "ControllerMode = bredr"
        hint (peripheral): hci0 cannot be a device itself; to connect to others does not
            need that.
          as is seen: it has not the role
        not: [5, 6]
        # neither manager
        hint (peripheral): hci0 cannot be a device itself; to connect to others does not
            need that.
          as is seen: it has not org.bluez.GattManager1, org.bluez.LEAdvertisingManager1
        not: [6]
        # 5.61
        hint (daemon): The daemon is BlueZ 5.61; before 5.62 the MTU is unknown, and
            values of 20 bytes are the longest in one packet.
          $ sudo apt install bluez
        hint (eatt): From a device that has EATT, notifications come over up to 3
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 8]
        # 5.62
        good (daemon): The daemon is BlueZ 5.62.
        hint (eatt): From a device that has EATT, notifications come over up to 3
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 8]
        # 5.67
        good (daemon): The daemon is BlueZ 5.67.
        not: [1]
        # one experiment of the kernel
        hint (experimental): Experimental features are on; none is needed here, and they
            may change.
          as is seen: 1 of the kernel
        not: [9]
        # experiments by setting
        hint (experimental): Experimental features are on; none is needed here, and they
            may change.
          as is seen: [General] Experimental = true, 2 of the kernel
        not: [9]
        # experiments by a long word
        hint (experimental): Experimental features are on; none is needed here, and they
            may change.
          as is seen: --experimental
        not: [9]
        # no cache
        good (gatt-cache): The daemon asks devices for their services each time: slower
            to connect, never stale.
          as is seen: [GATT] Cache = no
        not: [7]
        # a cache of bonds
        good (gatt-cache): The daemon remembers the services of paired devices; forget
            one whose firmware was changed.
          as is seen: [GATT] Cache = yes
          $ bluetoothctl remove ADDRESS
        not: [7]
        # one channel
        good (eatt): Notifications come over one channel, and in their order.
          as is seen: "[GATT] Channels = 1"
        not: [8]
        # two channels
        hint (eatt): From a device that has EATT, notifications come over up to 2
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: "[GATT] Channels = 2"
          $ sudo sed -i 's/^ *Channels *=.*/Channels = 1/' /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [8]
        # no number of channels
        good (eatt): Notifications come over one channel, and in their order.
          as is seen: "[GATT] Channels = x"
        not: [8]
        # root

        # a device of its own name
        hint (settings): A device that is hosted here shows two Device Information
            services, its own and the daemon's; some apps look at the wrong one.
          as is seen: "[General] DeviceID = usb:1234:5678:abcd"
          $ sudo sed -i 's/^ *DeviceID *=.*/DeviceID = false/' /etc/bluetooth/main.conf
            && sudo systemctl restart bluetooth
        # on by itself

        # two adapters, the second is named
        good (adapter): The adapter is hci1, "00:AA:01:00:00:00".
          as is seen: there are hci0, hci1
        good (rfkill): hci1 is on.
        good (central): hci1 can connect to devices of Bluetooth Low Energy.
        good (peripheral): hci1 can be a device, with room for 5 advertisements.
          as is seen: 0 taken
        not: [3, 4, 5, 6]
        # two adapters, another is named
        problem (adapter): There is no adapter "hci2", only hci0, hci1.
          $ halo doctor --adapter hci0
        not: [3, 4, 5, 6]
        # an adapter without an address
        good (adapter): The adapter is hci0.
        not: [3]
        """#
}
#endif
