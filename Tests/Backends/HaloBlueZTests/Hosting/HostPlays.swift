#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension HostPlayTests {
    static let beginning: [(String, String)] = [
        (
            "is registered",
            """
            plain
            adapters on
                start
              (active, starting)
            started a
                export application1/service000
                export application1/service000/characteristic000
                export application1/service000/characteristic000/descriptor000
                export application1/service000/characteristic001
                export application1/service000/characteristic002
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            advertises Ring
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (active, registering, 1 registered)
            ok advertising
                ready
              (active, ready, 1 registered, advertises)
            """
        ),
        (
            "renames the adapter",
            """
            plain renames
            adapters on
                start
              (active, starting)
            advertises Ring
            started b
                export application1/service000
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                ask Set hci7 Adapter1 Alias Ring for 2.0 seconds
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (active, registering, 1 registered)
            ok alias
            ok advertising
                ready
              (active, ready, 1 registered, advertises)
            advertises Band
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 1
              (active, ready, 1 registered)
            ok no-advertising
                unexport advertisement
                ask Set hci7 Adapter1 Alias Band for 2.0 seconds
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (active, ready, 1 registered, advertises)
            remove
                ask Set hci7 Adapter1 Alias computer for 2.0 seconds
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
                ask UnregisterApplication hci7 /halo/test/application1 for 2.0 seconds, 2
              (removing, ready, 1 registered, advertises)
            ok no-services
            ok no-advertising
                unexport advertisement
                unexport application1/service000
                unexport application1
                ended
              (ended)
            """
        ),
        (
            "changes",
            """
            plain
            adapters on
                start
              (active, starting)
            started a
                export application1/service000
                export application1/service000/characteristic000
                export application1/service000/characteristic000/descriptor000
                export application1/service000/characteristic001
                export application1/service000/characteristic002
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                ready
              (active, ready, 1 registered)
            consists a b
                export application2/service000
                export application2
                ask RegisterApplication hci7 /halo/test/application2 {} for 10.0 seconds, 1
            ok services
              (active, ready, 2 registered)
            consists b
                ask UnregisterApplication hci7 /halo/test/application1 for 10.0 seconds, 1
              (active, ready, 1 registered)
            ok no-services
                unexport application1/service000
                unexport application1/service000/characteristic000
                unexport application1/service000/characteristic000/descriptor000
                unexport application1/service000/characteristic001
                unexport application1/service000/characteristic002
                unexport application1
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (active, ready, 1 registered, advertises)
            silent
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 10.0 seconds, 1
              (active, ready, 1 registered)
            ok no-advertising
                unexport advertisement
            consists a
                ask UnregisterApplication hci7 /halo/test/application2 for 10.0 seconds, 1
              (active, ready)
            ok no-services
                unexport application2/service000
                unexport application2
                export application3/service000
                export application3/service000/characteristic000
                export application3/service000/characteristic000/descriptor000
                export application3/service000/characteristic001
                export application3/service000/characteristic002
                export application3
                ask RegisterApplication hci7 /halo/test/application3 {} for 10.0 seconds, 1
            ok services
              (active, ready, 1 registered)
            lost
                unexport application3/service000
                unexport application3/service000/characteristic000
                unexport application3/service000/characteristic000/descriptor000
                unexport application3/service000/characteristic001
                unexport application3/service000/characteristic002
                unexport application3
                ended: the Bluetooth service reported an error
                the connection has ended
              (ended)
            """
        ),
        (
            "is a beacon",
            """
            plain
            adapters on
                start
              (active, starting)
            started
                ready
              (active, ready)
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (active, ready, advertises)
            remove
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
              (removing, ready, advertises)
            no no-advertising Failed x
                unexport advertisement
                ended
              (ended)
            """
        ),
        (
            "has no adapter",
            """
            plain
            adapters
                ended: this computer has no Bluetooth
                no
              (ended)
            """
        ),
        (
            "cannot be hosted",
            """
            plain
            adapters no-gatt
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.GattManager1
              (ended)
            """
        ),
        (
            "cannot be advertised",
            """
            plain
            adapters no-advertising
                ended: this backend cannot do it
                /org/bluez/hci7, whose roles are central, has no org.bluez.LEAdvertisingManager1
              (ended)
            """
        ),
        (
            "is refused",
            """
            plain
            adapters on
                start
              (active, starting)
            started a
                export application1/service000
                export application1/service000/characteristic000
                export application1/service000/characteristic000/descriptor000
                export application1/service000/characteristic001
                export application1/service000/characteristic002
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            no services NotPermitted full
                unexport application1/service000
                unexport application1/service000/characteristic000
                unexport application1/service000/characteristic000/descriptor000
                unexport application1/service000/characteristic001
                unexport application1/service000/characteristic002
                unexport application1
                ended: too much is waiting already
                org.bluez.Error.NotPermitted: full
              (ended)
            ok no-services
            """
        ),
        (
            "does not fit",
            """
            plain
            adapters on
                start
              (active, starting)
            advertises Name-of-thirty-and-one-letters!
            started a
                export application1/service000
                export application1/service000/characteristic000
                export application1/service000/characteristic000/descriptor000
                export application1/service000/characteristic001
                export application1/service000/characteristic002
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (active, registering, 1 registered)
            no advertising Failed Failed
                unexport advertisement
                ask UnregisterApplication hci7 /halo/test/application1 for 2.0 seconds, 1
                unexport application1/service000
                unexport application1/service000/characteristic000
                unexport application1/service000/characteristic000/descriptor000
                unexport application1/service000/characteristic001
                unexport application1/service000/characteristic002
                unexport application1
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: Failed
              (ended)
            """
        ),
    ]
}
#endif
