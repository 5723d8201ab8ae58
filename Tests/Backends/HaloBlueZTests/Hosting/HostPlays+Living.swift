#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension HostPlayTests {
    static let living: [(String, String)] = [
        (
            "is asked",
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
            device 1 came connected
                device: connected
              (active, ready, 1 registered, perhaps dev_1)
            asks 1 ReadValue 1 mtu 100
                device: maximumLength(97)
                device: read 1 from 0, 1
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            value 0506 1
                answer 1 0506
              (active, ready, 1 registered, dev_1)
            value 07 1
            asks 1 ReadValue 1 offset 5 mtu 100
                device: read 1 from 5, 2
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            value long 2
                answer 2 512 bytes
              (active, ready, 1 registered, dev_1)
            asks 1 ReadValue 4
                device: read 4 from 0, 3
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            refuses 0d 3
                refuse 3 InvalidValueLength: ATT error 0x0D (the length is impossible)
              (active, ready, 1 registered, dev_1)
            asks 1 ReadValue 2
                refuse 4 NotPermitted: ATT error 0x02 (it cannot be read)
            asks 1 ReadValue 3
                refuse 5 NotPermitted: ATT error 0x02 (it cannot be read)
            asks 1 WriteValue 2
                device: write 2 0102, 4
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            done 4
                answer 6
              (active, ready, 1 registered, dev_1)
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
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            pass 4499
            pass 1
                refuse 16 Unlikely: ATT error 0x0E (something went wrong in the device)
              (active, ready, 1 registered, dev_1)
            value 01 5
            """
        ),
        (
            "is listened to",
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
            notifies 01
            asks ? StartNotify 3
                answer 1
                device: connected
                device: subscribed 3
              (active, ready, 1 registered, somebody)
            asks ? StartNotify 3
                answer 2
            notifies long
                tell 512 bytes of application1/service000/characteristic002
            device 1 came connected
            asks 1 ReadValue 1 mtu 23
                device: maximumLength(20)
                device: read 1 from 0, 1
              (active, ready, 1 registered, dev_1, 1 to be answered, by 4.5 seconds)
            notifies long
                tell 20 bytes of application1/service000/characteristic002
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
              (active, ready, 1 registered)
            """
        ),
        (
            "has another central",
            """
            plain
            adapters on device
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
            device 9 left
            device 9 connected
                device: connected
              (active, ready, 1 registered, perhaps dev_9)
            asks ? StartNotify 3
                answer 1
                device: subscribed 3
              (active, ready, 1 registered, dev_9)
            device 1 came
            device 1 connected
            asks 1 ReadValue 1
                refuse 2 NotAuthorized: ATT error 0x08 (it is not allowed)
                ask Disconnect the device for 10.0 seconds
            asks 9 ReadValue 1
                device: read 1 from 0, 1
              (active, ready, 1 registered, dev_9, 1 to be answered, by 4.5 seconds)
            device 9 left
                refuse 3 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
              (active, ready, 1 registered)
            device 1 left
            device 2 came connected ours
            asks 2 ReadValue 1
                device: connected
                device: read 1 from 0, 2
              (active, ready, 1 registered, dev_2, 1 to be answered, by 4.5 seconds)
            disconnects
                ask Disconnect the device for 10.0 seconds
            device 2 removed
                refuse 4 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
              (active, ready, 1 registered)
            """
        ),
        (
            "is back",
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
            device 1 came connected
                device: connected
              (active, ready, 1 registered, advertises, perhaps dev_1)
            asks 1 ReadValue 1
                device: read 1 from 0, 1
              (active, ready, 1 registered, advertises, dev_1, 1 to be answered, by 4.5 seconds)
            owner nobody
                refuse 1 Unlikely: ATT error 0x0E (something went wrong in the device)
                device: disconnected
                unexport advertisement
                unexport application1/service000
                unexport application1/service000/characteristic000
                unexport application1/service000/characteristic000/descriptor000
                unexport application1/service000/characteristic001
                unexport application1/service000/characteristic002
                unexport application1
              (suspended)
            owner :1.8
            loaded on
                export application2/service000
                export application2/service000/characteristic000
                export application2/service000/characteristic000/descriptor000
                export application2/service000/characteristic001
                export application2/service000/characteristic002
                export application2
                ask RegisterApplication hci7 /halo/test/application2 {} for 10.0 seconds, 2
              (active, returned(5))
            no services Failed x
                unexport application2/service000
                unexport application2/service000/characteristic000
                unexport application2/service000/characteristic000/descriptor000
                unexport application2/service000/characteristic001
                unexport application2/service000/characteristic002
                unexport application2
              (active, returned(4), again at 1.0 seconds)
            pass 999
            pass 1
                export application3/service000
                export application3/service000/characteristic000
                export application3/service000/characteristic000/descriptor000
                export application3/service000/characteristic001
                export application3/service000/characteristic002
                export application3
                ask RegisterApplication hci7 /halo/test/application3 {} for 10.0 seconds, 2
              (active, returned(4))
            no services Failed x
                unexport application3/service000
                unexport application3/service000/characteristic000
                unexport application3/service000/characteristic000/descriptor000
                unexport application3/service000/characteristic001
                unexport application3/service000/characteristic002
                unexport application3
              (active, returned(3), again at 2.0 seconds)
            pass 1000
                export application4/service000
                export application4/service000/characteristic000
                export application4/service000/characteristic000/descriptor000
                export application4/service000/characteristic001
                export application4/service000/characteristic002
                export application4
                ask RegisterApplication hci7 /halo/test/application4 {} for 10.0 seconds, 2
              (active, returned(3))
            ok services
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 2
              (active, returned(3), 1 registered)
            ok advertising
              (active, returned(5), 1 registered, advertises)
            adapter removed
                unexport advertisement
                unexport application4/service000
                unexport application4/service000/characteristic000
                unexport application4/service000/characteristic000/descriptor000
                unexport application4/service000/characteristic001
                unexport application4/service000/characteristic002
                unexport application4
              (suspended)
            adapter added
                export application5/service000
                export application5/service000/characteristic000
                export application5/service000/characteristic000/descriptor000
                export application5/service000/characteristic001
                export application5/service000/characteristic002
                export application5
                ask RegisterApplication hci7 /halo/test/application5 {} for 10.0 seconds, 3
              (active, returned(5))
            """
        ),
        (
            "gives up",
            """
            plain
            adapters on
                start
              (active, starting)
            started b
                export application1/service000
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                ready
              (active, ready, 1 registered)
            owner nobody
                unexport application1/service000
                unexport application1
              (suspended)
            owner :1.8
            loaded on
                export application2/service000
                export application2
                ask RegisterApplication hci7 /halo/test/application2 {} for 10.0 seconds, 2
              (active, returned(5))
            no services Failed x
                unexport application2/service000
                unexport application2
              (active, returned(4), again at 1.0 seconds)
            pass 1000
                export application3/service000
                export application3
                ask RegisterApplication hci7 /halo/test/application3 {} for 10.0 seconds, 2
              (active, returned(4))
            no services Failed x
                unexport application3/service000
                unexport application3
              (active, returned(3), again at 2.0 seconds)
            pass 1000
                export application4/service000
                export application4
                ask RegisterApplication hci7 /halo/test/application4 {} for 10.0 seconds, 2
              (active, returned(3))
            no services Failed x
                unexport application4/service000
                unexport application4
              (active, returned(2), again at 3.0 seconds)
            pass 1000
                export application5/service000
                export application5
                ask RegisterApplication hci7 /halo/test/application5 {} for 10.0 seconds, 2
              (active, returned(2))
            no services Failed x
                unexport application5/service000
                unexport application5
              (active, returned(1), again at 4.0 seconds)
            pass 1000
                export application6/service000
                export application6
                ask RegisterApplication hci7 /halo/test/application6 {} for 10.0 seconds, 2
              (active, returned(1))
            no services Failed x
                unexport application6/service000
                unexport application6
              (active, returned(0), again at 5.0 seconds)
            pass 1000
                export application7/service000
                export application7
                ask RegisterApplication hci7 /halo/test/application7 {} for 10.0 seconds, 2
              (active, returned(0))
            no services Failed x
                unexport application7/service000
                unexport application7
                ended: the Bluetooth service reported an error
                org.bluez.Error.Failed: x
              (ended)
            """
        ),
        (
            "waits for power",
            """
            plain
            adapters on
                start
              (active, starting)
            started b
                export application1/service000
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                ready
              (active, ready, 1 registered)
            advertises Ring
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (active, ready, 1 registered, advertises)
            power off
            asks 1 Release 0
                answer 1
                unexport advertisement
              (active, ready, again at 1.0 seconds, 1 registered)
            pass 1000
              (active, ready, 1 registered)
            power on
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
            ok advertising
              (active, ready, 1 registered, advertises)
            owner nobody
                unexport advertisement
                unexport application1/service000
                unexport application1
              (suspended)
            owner :1.8
            loaded off
              (active, returned(5))
            power on
                export application2/service000
                export application2
                ask RegisterApplication hci7 /halo/test/application2 {} for 10.0 seconds, 2
            """
        ),
        (
            "goes before it is there",
            """
            plain
            adapters on
                start
              (active, starting)
            started b
                export application1/service000
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            owner nobody
                unexport application1/service000
                unexport application1
                ended: the Bluetooth service reported an error
                the daemon or the adapter has gone
              (ended)
            """
        ),
        (
            "is released",
            """
            plain
            adapters on
                start
              (active, starting)
            started b
                export application1/service000
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
            asks 1 Release 0
                answer 1
                unexport advertisement
              (active, ready, again at 1.0 seconds, 1 registered)
            pass 999
            pass 1
                export advertisement
                ask RegisterAdvertisement hci7 /halo/test/advertisement {} for 10.0 seconds, 1
              (active, ready, 1 registered)
            remove
                ask UnregisterAdvertisement hci7 /halo/test/advertisement for 2.0 seconds, 2
                ask UnregisterApplication hci7 /halo/test/application1 for 2.0 seconds, 2
              (removing, ready, 1 registered)
            owner nobody
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
            "is switched on when it is back",
            """
            powersOn
            adapters on
                start
              (active, starting)
            started b
                export application1/service000
                export application1
                ask RegisterApplication hci7 /halo/test/application1 {} for 10.0 seconds, 1
              (active, registering)
            ok services
                ready
              (active, ready, 1 registered)
            owner nobody
                unexport application1/service000
                unexport application1
              (suspended)
            owner :1.8
            loaded off
                ask Set hci7 Adapter1 Powered true for 10.0 seconds
              (active, returned(5))
            power on
                export application2/service000
                export application2
                ask RegisterApplication hci7 /halo/test/application2 {} for 10.0 seconds, 2
            """
        ),
    ]
}
#endif
