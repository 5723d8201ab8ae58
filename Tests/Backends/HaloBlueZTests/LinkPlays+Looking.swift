#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension LinkPlayTests {
    static let looking: [(String, String)] = [
        (
            "scans",
            """
            plain
            scan
                scan 1: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            rssi -60
                scan 1: R02_TEST -60
            named Ring
                scan 1: Ring -60
            scan 180d
                scan 2: Ring -60
            scan again
                scan 3: Ring -60
                ask SetDiscoveryFilter hci0 {DuplicateData:true Pattern:- Transport:le}
                for 10.0 seconds
            answer SetDiscoveryFilter
            rssi -60
                scan 1: Ring -60
                scan 2: Ring -60
                scan 3: Ring -60
            stop
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
            answer SetDiscoveryFilter
            stop
            stop
              (no link, 1.0 seconds, looking 0/0)
            pass 999
              (no link, 0.001 seconds, looking 0/0)
            pass 1
                ask StopDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            answer StopDiscovery
            pass 10000
            """
        ),
        (
            "scans for services",
            """
            unknown
            scan 180d
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            heard
                scan 1: R02_TEST -50
            scan fff0
                scan 2: R02_TEST -50
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            heard
                scan 1: R02_TEST -50
                scan 2: R02_TEST -50
            answer Connect
                ask Get the device Device1 Connected for 10.0 seconds
              (connecting, 2.0 seconds, looking 1/0)
            cancel
                link: failed, it was cancelled
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            """
        ),
        (
            "scans again within a second",
            """
            plain
            scan
                scan 1: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            stop
              (no link, 1.0 seconds, looking 0/0)
            pass 999
              (no link, 0.001 seconds, looking 0/0)
            scan
                scan 1: R02_TEST -50
              (no link, never, looking 0/0)
            pass 5000
            adapter off
                ask StopDiscovery hci0 for 10.0 seconds
                scan 1: failed, Bluetooth is switched off
                the adapter was switched off
            scan
                scan 2: failed, Bluetooth is switched off
                the adapter 00:AA:01:00:00:00 is switched off
            adapter on
            scan
                scan 3: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            adapter removed
                ask StopDiscovery hci0 for 10.0 seconds
                scan 3: failed, this computer has no Bluetooth
                the adapter was removed
            """
        ),
        (
            "is in progress",
            """
            plain
            scan
                scan 1: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 0.107 seconds, looking 0/0)
            pass 200
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 0.25 seconds, looking 0/0)
            pass 400
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 0.592 seconds, looking 0/0)
            pass 800
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 0.752 seconds, looking 0/0)
            pass 1600
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 1.504 seconds, looking 0/0)
            pass 3200
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 4.064 seconds, looking 0/0)
            pass 6400
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 8.832 seconds, looking 0/0)
            pass 12800
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
              (no link, 13.056 seconds, looking 0/0)
            pass 25600
                ask StopDiscovery hci0 for 10.0 seconds
                ask StartDiscovery hci0 for 10.0 seconds
              (no link, never, looking 0/0)
            refuse StartDiscovery InProgress Operation already in progress
                scan 1: failed, the Bluetooth service reported an error
                org.bluez.Error.InProgress: Operation already in progress
            pass 60000
            """
        ),
        (
            "cannot be discovered",
            """
            plain
            scan
                scan 1: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            refuse SetDiscoveryFilter InvalidArguments x
                ask StartDiscovery hci0 for 10.0 seconds
            refuse StartDiscovery NotReady Resource Not Ready
                scan 1: failed, Bluetooth is switched off
                the adapter is switched off: Resource Not Ready
            scan
                scan 2: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
            refuse SetDiscoveryFilter bus.UnknownObject x
                scan 2: failed, this computer has no Bluetooth
                the adapter is gone: x
            scan
                scan 3: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            refuse StartDiscovery bus.UnknownObject x
                scan 3: failed, this computer has no Bluetooth
                the adapter is gone: x
            """
        ),
        (
            "outlives the bus",
            """
            plain
            watch
              (no link, never, looking 0/0)
            scan
                scan 1: R02_TEST -50
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            bus
                close the bus
                state: unknown
                scan 1: failed, the Bluetooth service reported an error
                the connection to D-Bus has ended: x
            scan
                open the bus
              (no link, 30.0 seconds, looking 0/0)
            in
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects objects
                state: poweredOn
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (no link, never, looking 0/0)
            answer SetDiscoveryFilter
                ask StartDiscovery hci0 for 10.0 seconds
            answer StartDiscovery
            daemon gone
                state: unknown
                scan 2: failed, the Bluetooth service reported an error
                bluetoothd has left the bus
            daemon came
                ask GetManagedObjects / for 10.0 seconds
            refuse GetManagedObjects bus.NoReply x
            open
                ask GetManagedObjects / for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            in
                forget GetManagedObjects
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects
                link: failed, the Bluetooth service reported an error
                bluetoothd answered with no list of its objects
              (no link, never, looking 0/0)
            open
                ask GetManagedObjects / for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            """
        ),
        (
            "settles",
            """
            unknown
            watch
              (no link, never, looking 0/0)
            daemon came
                state: unknown
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects nothing
                state: unsupported
            open
              (searching, 2.0 seconds, looking 0/0)
            pass 1999
              (searching, 0.001 seconds, looking 0/0)
            pass 1
                link: failed, this computer has no Bluetooth
                bluetoothd has no Bluetooth adapter
                'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why
              (no link, never, looking 0/0)
            daemon came
                state: unknown
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects nothing
                state: unsupported
            open
              (searching, 2.0 seconds, looking 0/0)
            pass 1000
              (searching, 1.0 seconds, looking 0/0)
            adapter added
                state: poweredOn
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (searching, 119.0 seconds, looking 1/1)
            adapter off
                state: poweredOff
                link: failed, Bluetooth is switched off
                the adapter is switched off
                forget SetDiscoveryFilter
              (no link, never, looking 0/0)
            adapter on
                state: poweredOn
            heard
            """
        ),
        (
            "waits for the adapter",
            """
            unknown
            bus
                close the bus
              (no link, never, looking 0/0)
            open
                open the bus
              (searching, 30.0 seconds, looking 0/0)
            pass 29999
              (searching, 0.001 seconds, looking 0/0)
            pass 1
                link: failed, it took longer than allowed
                no adapter was ready in time
              (no link, never, looking 0/0)
            in
                ask GetManagedObjects / for 10.0 seconds
            answer GetManagedObjects nothing
            open
                link: failed, this computer has no Bluetooth
                bluetoothd has no Bluetooth adapter
                'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why
            adapter added
            adapter off
            """
        ),
        (
            "has an adapter that is switched on",
            """
            powersOn unknown
            watch
              (no link, never, looking 0/0)
            adapter off
                state: poweredOff
            open
                ask Set hci0 Adapter1 Powered true for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            scan
            answer Set
              (searching, 3.0 seconds, looking 0/0)
            adapter on
                state: poweredOn
                ask SetDiscoveryFilter hci0 {DuplicateData:false Pattern:- Transport:le}
                for 10.0 seconds
              (searching, 120.0 seconds, looking 1/1)
            adapter off
                state: poweredOff
                link: failed, Bluetooth is switched off
                the adapter is switched off
                forget SetDiscoveryFilter
                scan 1: failed, Bluetooth is switched off
                the adapter was switched off
              (no link, never, looking 0/0)
            open
                ask Set hci0 Adapter1 Powered true for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            refuse Set Blocked x
                link: failed, Bluetooth is switched off
                the adapter is blocked by a switch (rfkill): org.bluez.Error.Blocked: x
              (no link, never, looking 0/0)
            open
                ask Set hci0 Adapter1 Powered true for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            refuse Set Failed Failed
                link: failed, Bluetooth is switched off
                the adapter cannot be switched on
                a switch may block it (rfkill): org.bluez.Error.Failed: Failed
              (no link, never, looking 0/0)
            open
                ask Set hci0 Adapter1 Powered true for 10.0 seconds
              (searching, 30.0 seconds, looking 0/0)
            silenceThreshold Set
                link: failed, it took longer than allowed
                bluetoothd did not answer in time
              (no link, never, looking 0/0)
            """
        ),
        (
            "is removed by the daemon",
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
            forgotten
                told disconnected: closed by the device
                the daemon removed the device
                ask StopNotify char0017 for 10.0 seconds
              (no link, never, looking 0/0)
            heard
            open
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            forgotten
                told disconnected: closed by the app
              (no link, never, looking 0/0)
            """
        ),
    ]
}
#endif
