#if os(Linux)
/// Recorded and reviewed: an unindented line is an input, the indented lines below it are its
/// effects.
extension LinkPlayTests {
    static let pairing: [(String, String)] = [
        (
            "is paired with on purpose",
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
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            refuse RegisterAgent Failed Failed
                withdraw the agent
                ask Pair the device for 60.0 seconds
            answer Pair
                paired: yes
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            silenceThreshold Pair
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
                paired: failed, it took longer than allowed
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            read text
              (open, never, looking 0/0, 1 waiting)
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            refuse Pair InProgress In Progress
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
              (open, 1.0 seconds, looking 0/0, 1 waiting)
            pass 999
              (open, 0.001 seconds, looking 0/0, 1 waiting)
            pass 1
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
              (open, never, looking 0/0, 1 waiting)
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            refuse Pair AlreadyExists Already Exists
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
                paired: yes
                ask ReadValue char0011 {} for 33.0 seconds
              (open, never, looking 0/0)
            answer ReadValue 01
                read: 01
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            lost
              (ending, 0.1 seconds, looking 0/0)
            pass 1000
                told disconnected: closed by the device
                paired: failed, the link has ended, closed by the device
              (no link, never, looking 0/0)
            answer Pair
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
            """
        ),
        (
            "is paired with by a daemon that does not answer",
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
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            paired no
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            paired no
            rssi -50
            paired yes
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
                paired: yes
            paired yes
            pair
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
            silenceThreshold Pair
            answer RegisterAgent
                ask Pair the device for 60.0 seconds
            refuse Pair AlreadyExists Already Exists
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
                paired: yes
            """
        ),
        (
            "is paired with by a person who takes long",
            """
            plain pairs
            open
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            answer RegisterAgent
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
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            pass 50000
            answer Pair
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue InProgress In Progress
              (open, 0.01 seconds, looking 0/0)
            pass 9999
                ask ReadValue char0011 {} for 33.0 seconds
              (open, never, looking 0/0)
            refuse ReadValue InProgress In Progress
              (open, 0.02 seconds, looking 0/0)
            pass 1
              (open, 0.019 seconds, looking 0/0)
            pass 700
                ask ReadValue char0011 {} for 33.0 seconds
              (open, never, looking 0/0)
            refuse ReadValue InProgress In Progress
                read: failed, the Bluetooth service reported an error
                org.bluez.Error.InProgress: In Progress
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            pass 40000
            answer Pair
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue Failed Operation failed with ATT error: 0x0e
              (open, 0.25 seconds, looking 0/0)
            pass 250
                read: failed, the device said no 0e
                org.bluez.Error.Failed: Operation failed with ATT error: 0x0e
              (open, never, looking 0/0)
            read text
                ask ReadValue char0011 {} for 33.0 seconds
            refuse ReadValue NotPermitted Not paired
                ask Pair the device for 60.0 seconds
            close
                ask Disconnect the device for 10.0 seconds
              (disconnecting, 4.0 seconds, looking 0/0)
            connected no
                told disconnected: closed by the app
                read: failed, the link has ended, closed by the app
              (no link, never, looking 0/0)
            answer Disconnect
            answer Pair
                ask UnregisterAgent bluez /org/haloprotocol/agent for 10.0 seconds
                withdraw the agent
            """
        ),
        (
            "is paired with while it is there",
            """
            plain pairs
            open
                export the agent
                ask RegisterAgent bluez /org/haloprotocol/agent NoInputNoOutput for 10.0 seconds
                ask Connect the device for 60.0 seconds
              (connecting, never, looking 1/0)
            connected yes
              (connecting, 5.0 seconds, looking 1/0)
            answer Connect
                link: there
              (open, never, looking 0/0)
            daemon gone
                told disconnected: the Bluetooth service is gone
                bluetoothd has left the bus
                services resolved: no, link: down
              (no link, never, looking 0/0)
            answer RegisterAgent
            pass 60000
            """
        ),
    ]
}
#endif
