#if os(Linux)
/// Recorded, and read: a line that is not indented happens, what comes of it is below.
extension HostPlayTests {
    static let beginning: [(String, String)] = [
        (
            "is registered",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            advertises Ring
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
              (here, 1 registered)
            ok advertising
                ready
              (here, ready, 1 registered, advertises)
            begin
            """
        ),
        (
            "renames the adapter",
            """
            plain renames
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            advertises Ring
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            ok services
                ask Set hci7 Adapter1 Alias Ring for 2.0 seconds, 0
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
              (here, 1 registered)
            ok alias
            ok advertising
                ready
              (here, ready, 1 registered, advertises)
            advertises Band
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 0
              (here, ready, 1 registered)
            ok no-advertising
                unexport advertisement
                ask Set hci7 Adapter1 Alias Band for 2.0 seconds, 0
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
            ok advertising
              (here, ready, 1 registered, advertises)
            remove
                ask Set hci7 Adapter1 Alias computer for 2.0 seconds, 1
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 1
                ask UnregisterApplication hci7 /halo/test/edition1 for 2.0 seconds, 1
              (here, ready, removing, 1 registered, advertises)
            ok no-services
            ok no-advertising
                unexport advertisement
                unexport edition1/service000
                unexport edition1
                ended
              (here, ready, over)
            """
        ),
        (
            "changes",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            ok services
                ready
              (here, ready, 1 registered)
            consists a b
                export edition2/service000
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 0
            ok services
              (here, ready, 2 registered)
            consists b
                ask UnregisterApplication hci7 /halo/test/edition1 for 10.0 seconds, 0
              (here, ready, 1 registered)
            ok no-services
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
            ok advertising
              (here, ready, 1 registered, advertises)
            silent
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 0
              (here, ready, 1 registered)
            ok no-advertising
                unexport advertisement
            consists a
                ask UnregisterApplication hci7 /halo/test/edition2 for 10.0 seconds, 0
              (here, ready)
            ok no-services
                unexport edition2/service000
                unexport edition2
                export edition3/service000
                export edition3/service000/characteristic000
                export edition3/service000/characteristic000/descriptor000
                export edition3/service000/characteristic001
                export edition3/service000/characteristic002
                export edition3
                ask RegisterApplication hci7 /halo/test/edition3 {} for 10.0 seconds, 0
            ok services
              (here, ready, 1 registered)
            lost
                unexport edition3/service000
                unexport edition3/service000/characteristic000
                unexport edition3/service000/characteristic000/descriptor000
                unexport edition3/service000/characteristic001
                unexport edition3/service000/characteristic002
                unexport edition3
                ended: the Bluetooth service reported an error
                the connection has ended
              (here, ready, over)
            """
        ),
        (
            "is a beacon",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            started
                ready
              (here, ready)
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
            ok advertising
              (here, ready, advertises)
            remove
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 1
              (here, ready, removing, advertises)
            no no-advertising Failed x
                unexport advertisement
                ended
              (here, ready, over)
            """
        ),
        (
            "has no adapter",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look
                ended: this computer has no Bluetooth
                bluetoothd has no Bluetooth adapter
                'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why
              (away, over)
            """
        ),
        (
            "has not the adapter that is named",
            """
            plain named
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                ended: this computer has no Bluetooth
                there is no Bluetooth adapter called hci8
                there is hci7 (00:AA:01:01:00:01)
              (away, over)
            """
        ),
        (
            "is on the one that is named",
            """
            plain named
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on other
                start
              (here)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci8 /halo/test/edition1 {} for 10.0 seconds, 0
            """
        ),
        (
            "is on the one that is used",
            """
            plain second
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on other
                start
              (here)
            """
        ),
        (
            "is on one that can",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look no-gatt other
                start
              (here)
            """
        ),
        (
            "cannot be hosted",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look no-gatt
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.GattManager1
              (away, over)
            """
        ),
        (
            "cannot be advertised",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look no-advertising
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.LEAdvertisingManager1
              (away, over)
            """
        ),
        (
            "is on an adapter that is off",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look off
                ended: Bluetooth is switched off
                /org/bluez/hci7 is off
              (here, over)
            """
        ),
        (
            "switches it on",
            """
            powersOn
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look off
                ask Set hci7 Adapter1 Powered true for 10.0 seconds, 0
              (here)
            ok power
                start
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            """
        ),
        (
            "cannot switch it on",
            """
            powersOn
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look off
                ask Set hci7 Adapter1 Powered true for 10.0 seconds, 0
              (here)
            no power Failed Failed
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: Failed
              (here, over)
            """
        ),
        (
            "has no daemon",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            no look bus.ServiceUnknown no
                ended: the Bluetooth service reported an error
                bluetoothd is not running: org.freedesktop.DBus.Error.ServiceUnknown: no
                'sudo systemctl enable --now bluetooth' starts it
              (away, over)
            """
        ),
        (
            "is refused",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            no services NotPermitted full
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
                ended: too much is waiting already
                org.bluez.Error.NotPermitted: full
              (here, over)
            ok no-services
            """
        ),
        (
            "does not fit",
            """
            plain
            begin
                ask GetManagedObjects / for 10.0 seconds, 0
              (looking)
            look on
                start
              (here)
            advertises Name-of-thirty-and-one-letters!
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 0
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 0
              (here, 1 registered)
            no advertising Failed Failed
                unexport advertisement
                ask UnregisterApplication hci7 /halo/test/edition1 for 2.0 seconds, 0
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: Failed
              (here, over)
            """
        ),
    ]
}
#endif
