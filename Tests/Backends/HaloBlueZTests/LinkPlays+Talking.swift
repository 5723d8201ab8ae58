#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension LinkPlayTests {
    static let talking: [(String, String)] = [
        (
            "has no services",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            discover
              (open, 30.0 seconds, looking 0/0, 1 want services)
            pass 29999
              (open, 0.001 seconds, looking 0/0, 1 want services)
            pass 1
                services: failed, it took longer than allowed
                services resolved: no, link: up
              (open, never, looking 0/0)
            resolved yes
            discover
              (open, 0.15 seconds, looking 0/0, 1 want services)
            pass 150
              (open, 29.85 seconds, looking 0/0, 1 want services)
            pass 29850
                services: failed, it took longer than allowed
                services resolved: yes, but there are none, link: up
              (open, never, looking 0/0)
            """
        ),
        (
            "ends what was switched on",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            services
            resolved yes
            discover
                services: 1
            on beat
                ask StartNotify char0017 for 33.0 seconds
              (open, never, looking 0/0, 1 told)
            refuse StartNotify InProgress In Progress
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted)
            on beat
                on: yes
            gone text
                ask StopNotify char0017 for 33.0 seconds
                told servicesChanged
              (open, 0.15 seconds, looking 0/0)
            answer StopNotify
            pass 150
              (open, never, looking 0/0)
            discover
                services: 1
            on beat
                ask StartNotify char0017 for 33.0 seconds
              (open, never, looking 0/0, 1 told)
            answer StartNotify
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted)
            off beat
                ask StopNotify char0017 for 33.0 seconds
            refuse StopNotify Failed No notify session started
                off: yes
              (open, never, looking 0/0)
            off beat
                off: yes
            on beat
                ask StartNotify char0017 for 33.0 seconds
              (open, never, looking 0/0, 1 told)
            answer StartNotify
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted)
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0, 1 told, 1 wanted)
            """
        ),
        (
            "pairs",
            """
            plain pairs
            open
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer RegisterAgent
            answer Connect
                link: there
              (open, never, looking 0/0)
            services
            resolved yes
            discover
                services: 1
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            answer Pair
                ask ReadValue char0011 {} for 33.0 seconds
            answer ReadValue 01
                read: 01
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue Failed Operation failed with ATT error: 0x05
                ask Pair the device for 60.0 seconds
            refuse Pair InProgress In Progress
              (open, 1.0 seconds, looking 0/0)
            pass 999
              (open, 0.001 seconds, looking 0/0)
            pass 1
                ask ReadValue char0011 {} for 33.0 seconds
              (open, never, looking 0/0)
            refuse ReadValue NotPermitted Not paired
                read: failed, the device said no 05
                org.bluez.Error.NotPermitted: Not paired
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            refuse Pair AuthenticationFailed Authentication Failed
                read: failed, the device said no 05
                org.bluez.Error.NotPermitted: Not paired
                pairing: org.bluez.Error.AuthenticationFailed: Authentication Failed
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            refuse Pair AlreadyExists Already Exists
                ask ReadValue char0011 {} for 33.0 seconds
            answer ReadValue 02
                read: 02
            """
        ),
        (
            "ends with the adapter",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            services
            resolved yes
            discover
                services: 1
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            adapter off
                told disconnected: Bluetooth was switched off
                the adapter is switched off
                read: failed, the link has ended, Bluetooth was switched off
                the adapter is switched off
              (no link, never, looking 0/0)
            pass 100
            adapter on
            open
                link: there
              (open, never, looking 0/0)
            adapter removed
                told disconnected: Bluetooth was switched off
                the adapter was removed
              (no link, never, looking 0/0)
            adapter added
            daemon gone
            daemon came
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects objects
            bus ended
                close the bus
            """
        ),
        (
            "knows a battery",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            services
            resolved yes
            battery 77
            discover
                services: 2
            pass 500
            battery 78
            lost
              (ending, 0.1 seconds, looking 0/0)
            reason Suspend
                told disconnected: Bluetooth was switched off
                org.bluez.Reason.Suspend
              (no link, never, looking 0/0)
            pass 100
            """
        ),
        (
            "is switched on",
            """
            powersOn unknown
            adapter off
              (no link, never, looking 0/0)
            open
                ask Set hci0 Adapter1 Powered true for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            answer Set
              (searching, 3.0 seconds, looking 0/0)
            pass 2999
              (searching, 0.001 seconds, looking 0/0)
            pass 1
                link: failed, Bluetooth is switched off
                the adapter was switched on, but is not on
              (no link, never, looking 0/0)
            pass 120000
            """
        ),
    ]
}
#endif
