#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension LinkPlayTests {
    static let ending: [(String, String)] = [
        (
            "is called off",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            cancel
                link: failed, it was cancelled
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            answer Disconnect
            refuse Connect Failed br-connection-canceled
              (disconnecting, 0.05 seconds, looking 0/0)
            pass 49
              (disconnecting, 0.001 seconds, looking 0/0)
            pass 1
                ask Get the device Device1 Connected for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            answer Get no
              (no link, never, looking 0/0)
            pass 10000
            """
        ),
        (
            "is called off and comes",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            cancel
                link: failed, it was cancelled
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            refuse Connect Failed br-connection-canceled
              (disconnecting, 0.05 seconds, looking 0/0)
            answer Disconnect
            connected yes
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            answer Disconnect
              (disconnecting, 2.0 seconds, looking 0/0)
            pass 2000
            connected no
              (no link, never, looking 0/0)
            """
        ),
        (
            "is never answered",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            silenceThreshold Connect
                link: failed, it took longer than allowed
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            answer Disconnect
              (disconnecting, 0.05 seconds, looking 0/0)
            pass 50
                ask Get the device Device1 Connected for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            pass 3999
              (disconnecting, 0.001 seconds, looking 0/0)
            pass 1
              (no link, never, looking 0/0)
            """
        ),
        (
            "breaks with a reason",
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
            answer StartNotify
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted)
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            lost
              (ending, 0.1 seconds, looking 0/0, 1 told, 1 wanted)
            reason Timeout Connection timeout
                told disconnected: the device is out of reach
                Connection timeout
                read: failed, the link has ended, the device is out of reach
                Connection timeout
                ask StopNotify char0017 for 10.0 seconds
              (no link, never, looking 0/0)
            """
        ),
        (
            "breaks without one",
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
            read text
                read: failed, the device has no such service or characteristic
            lost
              (ending, 0.1 seconds, looking 0/0, 1 want services)
            pass 99
              (ending, 0.001 seconds, looking 0/0, 1 want services)
            pass 1
                told disconnected: closed by the device
                services resolved: no, link: down
                services: failed, the link has ended, closed by the device
                services resolved: no, link: down
              (no link, never, looking 0/0)
            """
        ),
        (
            "breaks when it is silent",
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
            pass 29000
            lost
                told disconnected: the device did not answer
                read: failed, the link has ended, the device did not answer
              (no link, never, looking 0/0)
            """
        ),
        (
            "says what the daemon says",
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
            refuse ReadValue NotPermitted Read not permitted
                read: failed, the device said no 02
                org.bluez.Error.NotPermitted: Read not permitted
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue Failed Operation failed with ATT error: 0x80
                read: failed, the device said no 80
                org.bluez.Error.Failed: Operation failed with ATT error: 0x80
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue Failed Operation failed with ATT error: 0x01
                read: failed, the device said no 01
                org.bluez.Error.Failed: Operation failed with ATT error: 0x01
                the daemon may remember services that the device no longer has: bluetoothctl remove
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotAuthorized Operation Not Authorized
                read: failed, the device said no 08
                org.bluez.Error.NotAuthorized: Operation Not Authorized
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                read: failed, the device said no 05
                org.bluez.Error.NotPermitted: Not paired
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue InvalidArguments Invalid offset
                read: failed, the device said no 07
                org.bluez.Error.InvalidArguments: Invalid offset
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue bus.UnknownObject no
                read: failed, the device has no such service or characteristic
                org.freedesktop.DBus.Error.UnknownObject: no
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue bus.AccessDenied no
                read: failed, the program may not use Bluetooth
                org.freedesktop.DBus.Error.AccessDenied: no
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotReady Resource Not Ready
                read: failed, Bluetooth is switched off
                org.bluez.Error.NotReady: Resource Not Ready
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotSupported Operation is not supported
                read: failed, the characteristic cannot be used so
                org.bluez.Error.NotSupported: Operation is not supported
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            answer ReadValue
                read: failed, the Bluetooth service reported an error
                an answer without a value
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue Failed what nobody knows
                read: failed, the Bluetooth service reported an error
                org.bluez.Error.Failed: what nobody knows
            """
        ),
        (
            "may be lost when it is unlikely",
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
            refuse ReadValue Failed Operation failed with ATT error: 0x0e
              (open, 0.25 seconds, looking 0/0)
            pass 249
              (open, 0.001 seconds, looking 0/0)
            pass 1
                read: failed, the device said no 0e
                org.bluez.Error.Failed: Operation failed with ATT error: 0x0e
              (open, never, looking 0/0)
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            pass 28999
            refuse ReadValue Failed Operation failed with ATT error: 0x0e
              (open, 0.25 seconds, looking 0/0)
            pass 250
                read: failed, the device said no 0e
                org.bluez.Error.Failed: Operation failed with ATT error: 0x0e
              (open, never, looking 0/0)
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            pass 29000
            refuse ReadValue Failed Operation failed with ATT error: 0x0e
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            """
        ),
        (
            "is lost when it is not connected",
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
            refuse ReadValue Failed Not connected
              (open, 0.25 seconds, looking 0/0)
            pass 250
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            answer Disconnect
              (disconnecting, 2.0 seconds, looking 0/0)
            pass 2000
            pass 2000
                told disconnected: closed by the device
                org.bluez.Error.Failed: Not connected
                read: failed, the link has ended, closed by the device
                org.bluez.Error.Failed: Not connected
              (no link, never, looking 0/0)
            """
        ),
        (
            "is asked again when the daemon is busy",
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
            write sink 01
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
            refuse WriteValue InProgress In Progress
              (open, 0.01 seconds, looking 0/0)
            pass 10
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.02 seconds, looking 0/0)
            pass 20
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.04 seconds, looking 0/0)
            pass 40
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.08 seconds, looking 0/0)
            pass 80
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.16 seconds, looking 0/0)
            pass 160
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.32 seconds, looking 0/0)
            pass 320
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.64 seconds, looking 0/0)
            pass 640
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
              (open, 0.64 seconds, looking 0/0)
            pass 640
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            pass 8089
            refuse WriteValue InProgress In Progress
              (open, 0.64 seconds, looking 0/0)
            pass 640
                ask WriteValue char0014 01 {type:request} for 33.0 seconds
              (open, never, looking 0/0)
            refuse WriteValue InProgress In Progress
                written: failed, the Bluetooth service reported an error
                org.bluez.Error.InProgress: In Progress
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            silenceThreshold ReadValue
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            """
        ),
        (
            "keeps values while it is read",
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
            answer StartNotify
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted)
            read beat
                ask ReadValue char0017 {} for 33.0 seconds
            values beat 01 02 01
            answer ReadValue 01
                told value 01
                told value 02
                read: 01
            read beat
                ask ReadValue char0017 {} for 33.0 seconds
            values beat 03 04
            refuse ReadValue NotPermitted Read not permitted
                told value 03
                told value 04
                read: failed, the device said no 02
                org.bluez.Error.NotPermitted: Read not permitted
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            value beat 05
                told value 05
            answer ReadValue 05
                read: 05
            """
        ),
        (
            "has its services late",
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
            discover
              (open, 30.0 seconds, looking 0/0, 2 want services)
            resolved yes
              (open, 0.15 seconds, looking 0/0, 2 want services)
            pass 100
              (open, 0.05 seconds, looking 0/0, 2 want services)
            services 23
              (open, 0.15 seconds, looking 0/0, 2 want services)
            pass 149
              (open, 0.001 seconds, looking 0/0, 2 want services)
            pass 1
                services: 1
                services: 1
              (open, never, looking 0/0)
            mtu sink 247
            gone text
                told servicesChanged
              (open, 0.15 seconds, looking 0/0)
            discover
              (open, 0.15 seconds, looking 0/0, 1 want services)
            pass 150
                services: 1
              (open, never, looking 0/0)
            read beat
                ask ReadValue char0017 {} for 33.0 seconds
            on text
              (open, never, looking 0/0, 1 waiting)
            """
        ),
    ]
}
#endif
