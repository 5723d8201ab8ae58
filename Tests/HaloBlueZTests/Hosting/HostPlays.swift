#if os(Linux)
/// Recorded, and read: a line that is not indented happens, what comes of it is below.
extension HostPlayTests {
    static let beginning: [(String, String)] = [
        (
            "is registered",
            """
            plain
            adapters on
                start
              (here, starting)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            advertises Ring
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (here, registering, 1 registered)
            ok advertising
                ready
              (here, ready, 1 registered, advertises)
            """
        ),
        (
            "renames the adapter",
            """
            plain renames
            adapters on
                start
              (here, starting)
            advertises Ring
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                ask Set hci7 Adapter1 Alias Ring for 2.0 seconds
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (here, registering, 1 registered)
            ok alias
            ok advertising
                ready
              (here, ready, 1 registered, advertises)
            advertises Band
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 1
              (here, ready, 1 registered)
            ok no-advertising
                unexport advertisement
                ask Set hci7 Adapter1 Alias Band for 2.0 seconds
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (here, ready, 1 registered, advertises)
            remove
                ask Set hci7 Adapter1 Alias computer for 2.0 seconds
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
                ask UnregisterApplication hci7 /halo/test/edition1 for 2.0 seconds, 2
              (removing, ready, 1 registered, advertises)
            ok no-services
            ok no-advertising
                unexport advertisement
                unexport edition1/service000
                unexport edition1
                ended
              (over)
            """
        ),
        (
            "changes",
            """
            plain
            adapters on
                start
              (here, starting)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                ready
              (here, ready, 1 registered)
            consists a b
                export edition2/service000
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 1
            ok services
              (here, ready, 2 registered)
            consists b
                ask UnregisterApplication hci7 /halo/test/edition1 for 10.0 seconds, 1
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
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (here, ready, 1 registered, advertises)
            silent
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 1
              (here, ready, 1 registered)
            ok no-advertising
                unexport advertisement
            consists a
                ask UnregisterApplication hci7 /halo/test/edition2 for 10.0 seconds, 1
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
                ask RegisterApplication hci7 /halo/test/edition3 {} for 10.0 seconds, 1
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
              (over)
            """
        ),
        (
            "is a beacon",
            """
            plain
            adapters on
                start
              (here, starting)
            started
                ready
              (here, ready)
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (here, ready, advertises)
            remove
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
              (removing, ready, advertises)
            no no-advertising Failed x
                unexport advertisement
                ended
              (over)
            """
        ),
        (
            "has no adapter",
            """
            plain
            adapters
                ended: this computer has no Bluetooth
                no
              (over)
            """
        ),
        (
            "cannot be hosted",
            """
            plain
            adapters no-gatt
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.GattManager1
              (over)
            """
        ),
        (
            "cannot be advertised",
            """
            plain
            adapters no-advertising
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.LEAdvertisingManager1
              (over)
            """
        ),
        (
            "is refused",
            """
            plain
            adapters on
                start
              (here, starting)
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            no services NotPermitted full
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
                ended: too much is waiting already
                org.bluez.Error.NotPermitted: full
              (over)
            ok no-services
            """
        ),
        (
            "does not fit",
            """
            plain
            adapters on
                start
              (here, starting)
            advertises Name-of-thirty-and-one-letters!
            started a
                export edition1/service000
                export edition1/service000/characteristic000
                export edition1/service000/characteristic000/descriptor000
                export edition1/service000/characteristic001
                export edition1/service000/characteristic002
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (here, registering, 1 registered)
            no advertising Failed Failed
                unexport advertisement
                ask UnregisterApplication hci7 /halo/test/edition1 for 2.0 seconds, 1
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: Failed
              (over)
            """
        ),
    ]
}
#endif
