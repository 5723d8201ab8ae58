#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension LinkPlayTests {
    static let opening: [(String, String)] = [
        (
            "connects",
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
            services 517
            resolved yes
                told maximumLengthChanged
                services: 1
              (open, never, looking 0/0, up to 510)
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            answer ReadValue 6869
                read: 6869
            write sink 0102
                ask WriteValue char0014 0102 {type:request} for 33.0 seconds
            answer WriteValue
                written: yes
            write sink 03 command
                ask WriteValue char0014 03 {type:command} for 33.0 seconds
            answer WriteValue
                written: yes
            on beat
                ask StartNotify char0017 for 33.0 seconds
              (open, never, looking 0/0, 1 told, up to 510)
            value beat 01
                told value 01
            answer StartNotify
                on: yes
              (open, never, looking 0/0, 1 told, 1 wanted, up to 510)
            values beat 02 03
                told value 02
                told value 03
            off beat
                ask StopNotify char0017 for 33.0 seconds
            answer StopNotify
                off: yes
              (open, never, looking 0/0, up to 510)
            value beat 04
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0, up to 510)
            resolved no
            connected no
                told disconnected: closed by the app
              (no link, never, looking 0/0)
            answer Disconnect
            """
        ),
        (
            "waits for a device that is not known",
            """
            unknown
            open
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (searching, 120.0 seconds, looking 1/1)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            pass 60000
              (searching, 60.0 seconds, looking 1/1)
            heard
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/1)
            answer Connect
                ask Get the device Device1 Connected for 10.0 seconds
              (connecting, 2.0 seconds, looking 1/1)
            connected yes
                link: there
              (open, 1.0 seconds, looking 0/0)
            pass 1000
                ask StopDiscovery hci0 for 10.0 seconds
              (open, never, looking 0/0)
            answer StopDiscovery
            lost
              (ending, 0.1 seconds, looking 0/0)
            pass 100
                told disconnected: closed by the device
                services resolved: no, link: down
              (no link, never, looking 0/0)
            """
        ),
        (
            "is not found",
            """
            unknown
            open
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (searching, 120.0 seconds, looking 1/1)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            pass 119999
              (searching, 0.001 seconds, looking 1/1)
            pass 1
                link: failed, no such device was heard of
              (no link, 1.0 seconds, looking 0/0)
            pass 10000
                ask StopDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            answer StopDiscovery
            """
        ),
        (
            "is tried again",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            pass 19999
            refuse Connect Failed le-connection-abort-by-local
              (connecting, 0.25 seconds, looking 1/0)
            pass 249
              (connecting, 0.001 seconds, looking 1/0)
            pass 1
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            refuse Connect Failed le-connection-abort-by-local
              (connecting, 0.5 seconds, looking 1/0)
            pass 500
              (connecting, 1.0 seconds, looking 1/0)
            connected no
            pass 1000
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            refuse Connect Failed br-connection-canceled
                link: failed, the Bluetooth service reported an error
                org.bluez.Error.Failed: br-connection-canceled
              (no link, never, looking 0/0)
            pass 2000
            """
        ),
        (
            "is not there",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            pass 20000
            refuse Connect Failed le-connection-abort-by-local
                link: failed, it took longer than allowed
                org.bluez.Error.Failed: le-connection-abort-by-local
              (no link, never, looking 0/0)
            """
        ),
        (
            "waits for others",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            refuse Connect InProgress In Progress
              (connecting, 0.5 seconds, looking 1/0)
            pass 499
              (connecting, 0.001 seconds, looking 1/0)
            pass 1
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            refuse Connect Failed Operation already in progress
              (connecting, 0.5 seconds, looking 1/0)
            pass 500
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            pass 58500
            refuse Connect InProgress In Progress
              (connecting, 0.5 seconds, looking 1/0)
            pass 500
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            pass 499
            refuse Connect InProgress In Progress
                link: failed, the Bluetooth service reported an error
                org.bluez.Error.InProgress: In Progress
              (no link, never, looking 0/0)
            """
        ),
        (
            "is others'",
            """
            refuses
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            refuse Connect InProgress In Progress
              (connecting, 0.5 seconds, looking 1/0)
            connected yes
                link: failed, the device is connected already
              (no link, never, looking 0/0)
            """
        ),
        (
            "is there already",
            """
            plain
            services 23
              (no link, never, looking 0/0)
            connected yes
            resolved yes
            open
                link: there
              (open, never, looking 0/0)
            discover
                services: 1
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            lost
                told disconnected: closed by the app
              (no link, never, looking 0/0)
            answer Disconnect
            """
        ),
        (
            "is refused where it is there already",
            """
            refuses
            connected yes
              (no link, never, looking 0/0)
            open
                link: failed, the device is connected already
            """
        ),
        (
            "answers late",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            pass 4999
              (connecting, 0.001 seconds, looking 1/0)
            pass 1
                link: there
              (open, never, looking 0/0)
            answer Connect
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            pass 3999
              (disconnecting, 0.001 seconds, looking 0/0)
            pass 1
                told disconnected: closed by the app
              (no link, never, looking 0/0)
            """
        ),
        (
            "comes late",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            answer Connect
                ask Get the device Device1 Connected for 10.0 seconds
              (connecting, 2.0 seconds, looking 1/0)
            answer Get no
            pass 1999
              (connecting, 0.001 seconds, looking 1/0)
            pass 1
              (connecting, 0.25 seconds, looking 1/0)
            pass 250
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            answer Connect
                ask Get the device Device1 Connected for 10.0 seconds
              (connecting, 2.0 seconds, looking 1/0)
            answer Get yes
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
            """
        ),
        (
            "is forgotten",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            forgotten
              (searching, 0.25 seconds, looking 0/0)
            refuse Connect bus.UnknownObject
            pass 250
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (searching, 120.0 seconds, looking 1/1)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            heard
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/1)
            refuse Connect DoesNotExist
              (searching, 0.25 seconds, looking 0/0)
            pass 250
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            heard
            refuse Connect bus.UnknownObject
              (searching, 0.25 seconds, looking 0/0)
            pass 250
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            refuse Connect bus.UnknownObject
                link: failed, no such device was heard of
                the daemon forgets the device as often as it hears of it
              (no link, 1.0 seconds, looking 0/0)
            pass 250
              (no link, 0.75 seconds, looking 0/0)
            """
        ),
        (
            "is asked for much",
            """
            plain
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            open
                link: failed, the device is connected already
              (no link, never, looking 1/0)
            connected yes
              (no link, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (no link, never, looking 0/0)
            read text
                read: failed, the link has ended, closed by the app
            close
            open
                link: failed, the device is connected already
            open
                link: failed, the device is connected already
            lost
              (no link, 0.1 seconds, looking 0/0)
            cancel
            pass 5000
                told disconnected: closed by the device
                services resolved: no, link: down
              (no link, never, looking 0/0)
            pass 5000
            """
        ),
    ]
}
#endif
