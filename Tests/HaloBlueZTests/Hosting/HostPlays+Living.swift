#if os(Linux)
/// Recorded, and read: a line that is not indented happens, what comes of it is below.
extension HostPlayTests {
    static let living: [(String, String)] = [
        (
            "is asked",
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
            device 1 came connected
                device: connected
              (here, ready, 1 registered, perhaps dev_1)
            asks 1 ReadValue 1 mtu 100
                device: maximumLength(97)
                device: read 1 from 0, 1
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            value 0506 1
                answer 1 0506
              (here, ready, 1 registered, dev_1)
            value 07 1
            asks 1 ReadValue 1 offset 5 mtu 100
                device: read 1 from 5, 2
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            value long 2
                answer 2 512 bytes
              (here, ready, 1 registered, dev_1)
            asks 1 ReadValue 4
                device: read 4 from 0, 3
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            refuses 0d 3
                refuse 3 InvalidValueLength: ATT error 0x0D (the length is impossible)
              (here, ready, 1 registered, dev_1)
            asks 1 ReadValue 2
                refuse 4 NotPermitted: ATT error 0x02 (it cannot be read)
            asks 1 ReadValue 3
                refuse 5 NotPermitted: ATT error 0x02 (it cannot be read)
            asks 1 WriteValue 2
                device: write 2 0102, 4
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            done 4
                answer 6
              (here, ready, 1 registered, dev_1)
            asks 1 WriteValue 2 command
                answer 7
                device: write 2 0102, -
            asks 1 WriteValue 2 announced
                answer 8
            asks 1 WriteValue 2 offset 1
                refuse 9 InvalidOffset: ATT error 0x07 (the value is shorter)
            asks 1 WriteValue 1
                refuse 10 NotPermitted: ATT error 0x03 (it cannot be written)
            asks 1 WriteValue 4
                refuse 11 NotPermitted: ATT error 0x03 (it cannot be written)
            asks 1 Confirm 3
                answer 12
                device: confirmed 3
            asks 1 Nothing 3
                refuse 13 NotSupported: ATT error 0x06 (the request is not known)
            asks 1 ReadValue 9
                refuse 14 Unlikely: ATT error 0x01 (there is no such attribute)
            asks 1 ReadValue 1 stranger
                refuse 15 AccessDenied: Only org.bluez may ask
            asks 1 ReadValue 1
                device: read 1 from 0, 5
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            pass 4499
            pass 1
                refuse 16 Unlikely: ATT error 0x0E (something went wrong in the device)
              (here, ready, 1 registered, dev_1)
            value 01 5
            """
        ),
        (
            "is listened to",
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
            notifies 01
            asks ? StartNotify 3
                answer 1
                device: connected
                device: subscribed 3
              (here, ready, 1 registered, somebody)
            asks ? StartNotify 3
                answer 2
            notifies long
                tell 512 bytes of edition1/service000/characteristic002
            device 1 came connected
            asks 1 ReadValue 1 mtu 23
                device: maximumLength(20)
                device: read 1 from 0, 1
              (here, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            notifies long
                tell 20 bytes of edition1/service000/characteristic002
            asks ? StopNotify 3
                answer 4
                device: unsubscribed 3
            asks ? StopNotify 3
                answer 5
            notifies 02
            disconnects
                ask Disconnect the device for 10.0 seconds
            device 1 left
                refuse 3 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
              (here, ready, 1 registered)
            """
        ),
        (
            "has another central",
            """
            plain
            adapters on device
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
            device 9 left
            device 9 connected
                device: connected
              (here, ready, 1 registered, perhaps dev_9)
            asks ? StartNotify 3
                answer 1
                device: subscribed 3
              (here, ready, 1 registered, dev_9)
            device 1 came
            device 1 connected
            asks 1 ReadValue 1
                refuse 2 NotAuthorized: ATT error 0x08 (it is not allowed)
                ask Disconnect the device for 10.0 seconds
            asks 9 ReadValue 1
                device: read 1 from 0, 1
              (here, ready, 1 registered, dev_9, 1 to be answered, by 4.5 seconds)
            device 9 left
                refuse 3 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
              (here, ready, 1 registered)
            device 1 left
            device 2 came connected ours
            asks 2 ReadValue 1
                device: connected
                device: read 1 from 0, 2
              (here, ready, 1 registered, dev_2, 1 to be answered, by 4.5 seconds)
            disconnects
                ask Disconnect the device for 10.0 seconds
            device 2 removed
                refuse 4 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
              (here, ready, 1 registered)
            """
        ),
        (
            "is back",
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
            device 1 came connected
                device: connected
              (here, ready, 1 registered, advertises, perhaps dev_1)
            asks 1 ReadValue 1
                device: read 1 from 0, 1
              (here, ready, 1 registered, advertises, dev_1, 1 to be answered, by 4.5 seconds)
            owner nobody
                refuse 1 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
                unexport advertisement
                unexport edition1/service000
                unexport edition1/service000/characteristic000
                unexport edition1/service000/characteristic000/descriptor000
                unexport edition1/service000/characteristic001
                unexport edition1/service000/characteristic002
                unexport edition1
              (away)
            owner :1.8
            loaded on
                export edition2/service000
                export edition2/service000/characteristic000
                export edition2/service000/characteristic000/descriptor000
                export edition2/service000/characteristic001
                export edition2/service000/characteristic002
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 2
              (here, returned(5))
            no services Failed x
                unexport edition2/service000
                unexport edition2/service000/characteristic000
                unexport edition2/service000/characteristic000/descriptor000
                unexport edition2/service000/characteristic001
                unexport edition2/service000/characteristic002
                unexport edition2
              (here, returned(4), again at 1.0 seconds)
            pass 999
            pass 1
                export edition3/service000
                export edition3/service000/characteristic000
                export edition3/service000/characteristic000/descriptor000
                export edition3/service000/characteristic001
                export edition3/service000/characteristic002
                export edition3
                ask RegisterApplication hci7 /halo/test/edition3 {} for 10.0 seconds, 2
              (here, returned(4))
            no services Failed x
                unexport edition3/service000
                unexport edition3/service000/characteristic000
                unexport edition3/service000/characteristic000/descriptor000
                unexport edition3/service000/characteristic001
                unexport edition3/service000/characteristic002
                unexport edition3
              (here, returned(3), again at 2.0 seconds)
            pass 1000
                export edition4/service000
                export edition4/service000/characteristic000
                export edition4/service000/characteristic000/descriptor000
                export edition4/service000/characteristic001
                export edition4/service000/characteristic002
                export edition4
                ask RegisterApplication hci7 /halo/test/edition4 {} for 10.0 seconds, 2
              (here, returned(3))
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 2
              (here, returned(3), 1 registered)
            ok advertising
              (here, returned(5), 1 registered, advertises)
            adapter removed
                unexport advertisement
                unexport edition4/service000
                unexport edition4/service000/characteristic000
                unexport edition4/service000/characteristic000/descriptor000
                unexport edition4/service000/characteristic001
                unexport edition4/service000/characteristic002
                unexport edition4
              (away)
            adapter added
                export edition5/service000
                export edition5/service000/characteristic000
                export edition5/service000/characteristic000/descriptor000
                export edition5/service000/characteristic001
                export edition5/service000/characteristic002
                export edition5
                ask RegisterApplication hci7 /halo/test/edition5 {} for 10.0 seconds, 3
              (here, returned(5))
            """
        ),
        (
            "gives up",
            """
            plain
            adapters on
                start
              (here, starting)
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                ready
              (here, ready, 1 registered)
            owner nobody
                unexport edition1/service000
                unexport edition1
              (away)
            owner :1.8
            loaded on
                export edition2/service000
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 2
              (here, returned(5))
            no services Failed x
                unexport edition2/service000
                unexport edition2
              (here, returned(4), again at 1.0 seconds)
            pass 1000
                export edition3/service000
                export edition3
                ask RegisterApplication hci7 /halo/test/edition3 {} for 10.0 seconds, 2
              (here, returned(4))
            no services Failed x
                unexport edition3/service000
                unexport edition3
              (here, returned(3), again at 2.0 seconds)
            pass 1000
                export edition4/service000
                export edition4
                ask RegisterApplication hci7 /halo/test/edition4 {} for 10.0 seconds, 2
              (here, returned(3))
            no services Failed x
                unexport edition4/service000
                unexport edition4
              (here, returned(2), again at 3.0 seconds)
            pass 1000
                export edition5/service000
                export edition5
                ask RegisterApplication hci7 /halo/test/edition5 {} for 10.0 seconds, 2
              (here, returned(2))
            no services Failed x
                unexport edition5/service000
                unexport edition5
              (here, returned(1), again at 4.0 seconds)
            pass 1000
                export edition6/service000
                export edition6
                ask RegisterApplication hci7 /halo/test/edition6 {} for 10.0 seconds, 2
              (here, returned(1))
            no services Failed x
                unexport edition6/service000
                unexport edition6
              (here, returned(0), again at 5.0 seconds)
            pass 1000
                export edition7/service000
                export edition7
                ask RegisterApplication hci7 /halo/test/edition7 {} for 10.0 seconds, 2
              (here, returned(0))
            no services Failed x
                unexport edition7/service000
                unexport edition7
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: x
              (over)
            """
        ),
        (
            "waits for power",
            """
            plain
            adapters on
                start
              (here, starting)
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                ready
              (here, ready, 1 registered)
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (here, ready, 1 registered, advertises)
            power off
            asks 1 Release 0
                answer 1
                unexport advertisement
              (here, ready, again at 1.0 seconds, 1 registered)
            pass 1000
              (here, ready, 1 registered)
            power on
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (here, ready, 1 registered, advertises)
            owner nobody
                unexport advertisement
                unexport edition1/service000
                unexport edition1
              (away)
            owner :1.8
            loaded off
              (here, returned(5))
            power on
                export edition2/service000
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 2
            """
        ),
        (
            "goes before it is there",
            """
            plain
            adapters on
                start
              (here, starting)
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            owner nobody
                unexport edition1/service000
                unexport edition1
                ended: the Bluetooth service reported an error
                the daemon or the adapter has gone
              (over)
            """
        ),
        (
            "is released",
            """
            plain
            adapters on
                start
              (here, starting)
            started b
                export edition1/service000
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
            asks 1 Release 0
                answer 1
                unexport advertisement
              (here, ready, again at 1.0 seconds, 1 registered)
            pass 999
            pass 1
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (here, ready, 1 registered)
            remove
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
                ask UnregisterApplication hci7 /halo/test/edition1 for 2.0 seconds, 2
              (removing, ready, 1 registered)
            owner nobody
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
            "is switched on when it is back",
            """
            powersOn
            adapters on
                start
              (here, starting)
            started b
                export edition1/service000
                export edition1
                ask RegisterApplication hci7 /halo/test/edition1 {} for 10.0 seconds, 1
              (here, registering)
            ok services
                ready
              (here, ready, 1 registered)
            owner nobody
                unexport edition1/service000
                unexport edition1
              (away)
            owner :1.8
            loaded off
                ask Set hci7 Adapter1 Powered true for 10.0 seconds
              (here, returned(5))
            power on
                export edition2/service000
                export edition2
                ask RegisterApplication hci7 /halo/test/edition2 {} for 10.0 seconds, 2
            """
        ),
    ]
}
#endif
