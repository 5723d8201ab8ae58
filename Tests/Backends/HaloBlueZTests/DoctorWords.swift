#if os(Linux)
/// Recorded and reviewed. A fault's name follows `#`. Below it are its findings, and the numbers of
/// the usual findings that are missing.
extension DoctorWordsTests {
    static let healthy = #"""
        good (bus): The bus answers at "/run/dbus/system_bus_socket".
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
        good (daemon): The daemon is BlueZ 5.71.
        good (permission): This program may ask the daemon.
        good (adapter): The adapter is hci0, "00:AA:01:00:00:00".
        good (rfkill): hci0 is on.
        good (central): hci0 can connect to devices of Bluetooth Low Energy.
        good (peripheral): hci0 can be a device, with room for 5 advertisements.
          as is seen: 0 taken
        good (gatt-cache): The daemon remembers every device's services; forget a device
            whose firmware was changed.
          as is seen: [GATT] Cache = always
          $ bluetoothctl remove ADDRESS
        good (eatt): Notifications come over one channel, and in their order.
          as is seen: [GATT] Channels is not set
        good (experimental): No experimental features are on, and none is needed.
        """#

    static let faults = #"""

        # no socket, systemd
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ sudo systemctl start dbus
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # no socket, root
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ sh -c 'mkdir -p /run/dbus && dbus-daemon --system --fork'
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # no socket in Docker
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ docker run -v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket
            --security-opt apparmor=unconfined IMAGE # outside
        hint (surroundings): This program runs in Docker, which needs the computer's bus
            to be shared; the daemon runs outside of it.
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a variable that leads nowhere
        problem (bus): There is no bus at "/run/dbus/system_bus_socket".
          as is seen: DBUS_SYSTEM_BUS_ADDRESS says so
          $ unset DBUS_SYSTEM_BUS_ADDRESS
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a variable that is no address
        problem (bus): DBUS_SYSTEM_BUS_ADDRESS is not a valid D-Bus address.
          as is seen: "no transport"
          $ unset DBUS_SYSTEM_BUS_ADDRESS
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # an address of another computer
        problem (bus): This program cannot use the address "tcp:host=example.org,port=1":
            it needs a bus with a socket on this computer.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS says so
          $ unset DBUS_SYSTEM_BUS_ADDRESS
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # one of two addresses
        problem (bus): No program listens at "unix:abstract=one;unix:path=/two": the bus
            has ended.
          as is seen: "refused"
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a socket of others
        problem (bus): The bus at "/run/dbus/system_bus_socket" may not be used by this
            user.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ ls -l /run/dbus/system_bus_socket
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a bus that has died
        problem (bus): No program listens at "/run/dbus/system_bus_socket": the bus has
            ended.
          as is seen: "Connection refused"
          $ sudo systemctl start dbus
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a bus that says nothing
        problem (bus): The socket at "/run/dbus/system_bus_socket" accepts connections,
            and does not answer as a bus.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ sudo systemctl start dbus
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # no bus at all
        problem (bus): The socket at "/run/dbus/system_bus_socket" is no bus, or the
            connection broke.
          as is seen: "that is no valid message"
          $ sudo systemctl start dbus
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # something that is not D-Bus
        problem (bus): The socket at "/run/dbus/system_bus_socket" is no bus, or the
            connection broke.
          as is seen: "the bus does not let us in"
          $ sudo systemctl start dbus
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # users of a namespace
        problem (bus): The bus at "/run/dbus/system_bus_socket" rejects this program's
            user, as happens in containers with a user namespace.
          as is seen: "the bus does not let this user in"
          $ podman run --userns=keep-id -v
            /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket IMAGE # outside
        hint (surroundings): This program runs in Podman, which needs the computer's bus
            to be shared; the daemon runs outside of it.
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # AppArmor at the door
        problem (bus): The bus at "/run/dbus/system_bus_socket" accepts this program, and
            denies its first call.
          as is seen: "An AppArmor policy prevents this sender"
          $ docker run -v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket
            --security-opt apparmor=unconfined IMAGE # outside
        hint (surroundings): This program runs in Docker, which needs the computer's bus
            to be shared; the daemon runs outside of it.
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # no module
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ sudo systemctl start dbus
        problem (kernel): The kernel has no Bluetooth, or its module is not loaded.
          as is seen: a socket of Bluetooth: address family not supported
          $ sudo modprobe bluetooth
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a container's kernel
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ docker run -v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket
            --security-opt apparmor=unconfined IMAGE # outside
        hint (surroundings): This program runs in Docker, which needs the computer's bus
            to be shared; the daemon runs outside of it.
        hint (kernel): No daemon could run in here: the kernel keeps Bluetooth out of
            containers that have a network of their own, or has none.
          as is seen: a socket of Bluetooth: address family not supported
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # Linux in Windows
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ sudo systemctl start dbus
        hint (surroundings): This is WSL, which has Bluetooth adapters only if Windows
            attaches them.
          $ usbipd list
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a Flatpak
        problem (bus): There is no bus at "/run/dbus/system_bus_socket", which is the
            usual place.
          as is seen: DBUS_SYSTEM_BUS_ADDRESS is not set
          $ flatpak override --user --system-talk-name=org.bluez APP # outside
        hint (surroundings): This program runs in a Flatpak, which needs permission to
            use the daemon.
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # not started
        problem (daemon): The daemon does not run.
          as is seen: "/usr/libexec/bluetooth/bluetoothd"
          $ sudo systemctl enable --now bluetooth
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # not started, OpenRC
        problem (daemon): The daemon does not run.
          as is seen: "/usr/libexec/bluetooth/bluetoothd"
          $ sudo rc-service bluetooth start
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # not started, by hand
        problem (daemon): The daemon does not run.
          as is seen: "/usr/libexec/bluetooth/bluetoothd"
          $ sudo /usr/libexec/bluetooth/bluetoothd &
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # not started without a radio
        problem (daemon): The daemon does not run, and systemd would not start it before
            there is an adapter.
          as is seen: /sys/class/bluetooth is missing
        hint (kernel): The kernel supports Bluetooth, and has found no adapter.
          $ sudo dmesg | grep -iE 'bluetooth|firmware'
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # not installed
        problem (daemon): The daemon is not installed.
          $ sudo apt install bluez
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # hidden
        problem (daemon): The daemon is not visible on this bus: it does not run outside
            of the container, or is hidden from it.
          $ systemctl status bluetooth # outside
        hint (surroundings): This program runs in Docker, which needs the computer's bus
            to be shared; the daemon runs outside of it.
          $ docker run -v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket
            --security-opt apparmor=unconfined IMAGE # outside
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # another bus
        good (bus): The bus answers at "/run/dbus/system_bus_socket".
          as is seen: DBUS_SYSTEM_BUS_ADDRESS says so
        problem (daemon): There is no daemon on this bus, which is not the usual one.
          $ unset DBUS_SYSTEM_BUS_ADDRESS
        not: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        # hangs
        problem (daemon): The daemon is there, and does not answer.
          $ sudo systemctl restart bluetooth
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # somebody else
        problem (daemon): The owner of the name org.bluez does not answer as BlueZ does.
          $ sudo systemctl restart bluetooth
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # an empty daemon
        problem (daemon): The owner of the name org.bluez has none of BlueZ's objects.
          $ sudo systemctl restart bluetooth
        problem (adapter): The kernel has found an adapter, and the daemon does not know
            it.
          as is seen: "hci0"
          $ sudo systemctl restart bluetooth
        hint (eatt): Whether notifications can overtake each other depends on the
            daemon's version, which is unknown: up to 5.66 they can, from phones.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 3, 4, 5, 6, 8]
        # an old daemon
        hint (daemon): The daemon is BlueZ 5.50; before 5.62 the MTU is unknown, and
            values of 20 bytes are the longest in one packet.
          $ sudo apt install bluez
        hint (eatt): From a device that has EATT, notifications come over up to 3
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 8]
        # not in the group
        problem (permission): A policy of the bus does not let this program ask the
            daemon.
          as is seen: "Rejected send message, 2 matched rules"
          $ sudo usermod -aG bluetooth "$USER" # then log in again
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # root is in no group
        problem (permission): A policy of the bus does not let this program ask the
            daemon.
          as is seen: "Rejected send message, 2 matched rules"
          $ grep -rl org.bluez /etc/dbus-1/system.d /usr/share/dbus-1/system.d
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a policy
        problem (permission): A policy of the bus does not let this program ask the
            daemon.
          as is seen: "Rejected send message, 2 matched rules"
          $ grep -rl org.bluez /etc/dbus-1/system.d /usr/share/dbus-1/system.d
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # SELinux
        problem (permission): A policy of the bus does not let this program ask the
            daemon.
          as is seen: "An SELinux policy prevents this sender"
          $ sudo ausearch -m USER_AVC -ts recent
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # a snap
        problem (permission): A policy of the bus does not let this program ask the
            daemon.
          as is seen: "An AppArmor policy prevents this sender"
          $ sudo snap connect SNAP:bluez # outside
        not: [1, 2, 3, 4, 5, 6, 7, 8, 9]
        # no adapter
        good (daemon): The daemon runs; its version is unknown.
        problem (adapter): There is no adapter: none is plugged in, or its driver or
            firmware is missing.
          $ sudo dmesg | grep -iE 'bluetooth|firmware'
        hint (eatt): Whether notifications can overtake each other depends on the
            daemon's version, which is unknown: up to 5.66 they can, from phones.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 3, 4, 5, 6, 8]
        # an adapter that the daemon missed
        good (daemon): The daemon runs; its version is unknown.
        problem (adapter): The kernel has found an adapter, and the daemon does not know
            it.
          as is seen: "hci0"
          $ sudo systemctl restart bluetooth
        hint (eatt): Whether notifications can overtake each other depends on the
            daemon's version, which is unknown: up to 5.66 they can, from phones.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 3, 4, 5, 6, 8]
        # another one is wanted
        problem (adapter): There is no adapter "hci7", only hci0.
          $ halo doctor --adapter hci0
        not: [3, 4, 5, 6]
        # off
        problem (adapter): hci0 is off.
          $ bluetoothctl power on
        not: [4]
        # all off
        good (adapter): The adapter is hci1, "00:AA:01:00:00:00".
          as is seen: there are hci0, hci1
        problem (adapter): hci1 is off.
          $ busctl set-property org.bluez /org/bluez/hci1 org.bluez.Adapter1 Powered b
            true
        good (central): hci1 can connect to devices of Bluetooth Low Energy.
        good (peripheral): hci1 can be a device, with room for 5 advertisements.
          as is seen: 0 taken
        not: [3, 4, 5, 6]
        # soft blocked
        problem (rfkill): hci0 is off: rfkill blocks the radio.
          as is seen: rfkill: "hci0" is soft blocked
          $ sudo rfkill unblock bluetooth
        not: [4]
        # another one is soft blocked
        problem (adapter): hci0 is off.
          $ bluetoothctl power on
        not: [4]
        # blocked, as the daemon says
        problem (rfkill): hci0 is off: rfkill blocks the radio.
          $ sudo rfkill unblock bluetooth
        not: [4]
        # hard blocked
        problem (rfkill): hci0 is off: a hardware switch or key blocks the radio.
          as is seen: rfkill: "ideapad_bluetooth" is hard blocked
          $ rfkill list
        not: [4]
        # says nothing of power
        problem (adapter): The daemon does not say whether hci0 is on.
          $ sudo systemctl restart bluetooth
        not: [4]
        # only the older Bluetooth
        problem (central): hci0 cannot connect to devices of Bluetooth Low Energy: it
            knows only the older Bluetooth, or is set so.
        hint (peripheral): hci0 cannot be a device itself; to connect to others does not
            need that.
          as is seen: it has not the role
        not: [5, 6]
        # no device
        hint (peripheral): hci0 cannot be a device itself; to connect to others does not
            need that.
          as is seen: it has not the role
        not: [6]
        # no advertising
        hint (peripheral): hci0 cannot be a device itself; to connect to others does not
            need that.
          as is seen: it has not org.bluez.LEAdvertisingManager1
        not: [6]
        # all advertisements taken
        hint (peripheral): hci0 cannot be a device now: other programs have all its
            advertisements.
          as is seen: 5 taken
          $ sudo systemctl restart bluetooth
        not: [6]
        # others look
        hint (discovery): Another program scans at the moment; the daemon merges the
            filters of all programs.
        # a daemon elsewhere
        hint (settings): The daemon runs where this program cannot see it, and so its
            settings cannot be seen either.
        not: [7, 8, 9]
        # secret settings
        hint (settings): The daemon's settings may not be read.
          as is seen: "/etc/bluetooth/main.conf"
          $ sudo cat /etc/bluetooth/main.conf
        not: [7, 8, 9]
        # an unknown cache
        hint (gatt-cache): The daemon does not know this setting of its cache.
          as is seen: "[GATT] Cache = sometimes"
          $ sudo sed -i 's/^ *Cache *=.*/Cache = always/' /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        hint (settings): A device that is hosted here shows two Device Information
            services, its own and the daemon's; some apps look at the wrong one.
          as is seen: [General] DeviceID is not set
          $ printf '[General]\nDeviceID = false\n' | sudo tee -a /etc/bluetooth/main.conf
            && sudo systemctl restart bluetooth
        not: [7]
        # EATT by default
        good (daemon): The daemon is BlueZ 5.66.
        hint (eatt): From a device that has EATT, notifications come over up to 3
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 8]
        # EATT of who knows which version
        good (daemon): The daemon runs; its version is unknown.
        hint (eatt): Whether notifications can overtake each other depends on the
            daemon's version, which is unknown: up to 5.66 they can, from phones.
          as is seen: [GATT] Channels is not set
          $ printf '[GATT]\nChannels = 1\n' | sudo tee -a /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        not: [1, 8]
        # EATT on purpose
        hint (eatt): From a device that has EATT, notifications come over up to 5
            channels, and can overtake each other; rings and straps do not have it,
            phones do.
          as is seen: "[GATT] Channels = 5"
          $ sudo sed -i 's/^ *Channels *=.*/Channels = 1/' /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        hint (settings): A device that is hosted here shows two Device Information
            services, its own and the daemon's; some apps look at the wrong one.
          as is seen: [General] DeviceID is not set
          $ printf '[General]\nDeviceID = false\n' | sudo tee -a /etc/bluetooth/main.conf
            && sudo systemctl restart bluetooth
        not: [8]
        # two services of information
        hint (settings): A device that is hosted here shows two Device Information
            services, its own and the daemon's; some apps look at the wrong one.
          as is seen: [General] DeviceID is not set
          $ sudo sed -i '/^\[General\]/a DeviceID = false' /etc/bluetooth/main.conf &&
            sudo systemctl restart bluetooth
        # off after the start
        hint (settings): A device that is hosted here shows two Device Information
            services, its own and the daemon's; some apps look at the wrong one.
          as is seen: [General] DeviceID is not set
          $ printf '[General]\nDeviceID = false\n' | sudo tee -a /etc/bluetooth/main.conf
            && sudo systemctl restart bluetooth
        hint (settings): Adapters stay off after the computer starts.
          as is seen: AutoEnable=false
          $ sudo sed -i 's/^ *AutoEnable *=.*/AutoEnable = true/'
            /etc/bluetooth/main.conf && sudo systemctl restart bluetooth
        # experiments
        hint (experimental): Experimental features are on; none is needed here, and they
            may change.
          as is seen: -E
        not: [9]
        """#
}
#endif
