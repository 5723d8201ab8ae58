#if os(Linux)
extension LinkMachineTable {
    /// Every state with its inputs, and their effects.
    static let rows = (beginning + link + end).split(separator: "\n").map(String.init)

    private static let beginning = """
        waiting + begin -> adapter: start step 120000 ms, requestAdapter
        waiting + cancel -> ended: failed cancelled, ended
        waiting + lost -> ended: failed bluetoothOff, ended
        adapter + adapter -> listening
        adapter + no adapter -> ended: failed unsupported, ended
        adapter + step -> ended: failed notFound, ended
        adapter + cancel -> ended: failed cancelled, ended
        adapter + lost -> ended: failed bluetoothOff, ended
        listening + look -> listening, held: hold searching
        listening + disconnecting -> listening, held: hold searching
        listening + inUse -> ended: stop step, failed alreadyConnected, ended
        listening + there -> asked: stop step, hold keeping, Connect 60 s
        listening + connected, there -> open: stop step, opened
        listening + connected, known, there -> open: stop step, opened
        listening + step -> ended: failed notFound, ended
        listening + cancel -> ended: failed cancelled, ended
        listening + lost -> ended: failed bluetoothOff, ended
        listening, held + inUse -> ended: stop step, failed alreadyConnected, release searching, \
        ended
        listening, held + there -> asked: stop step, Connect 60 s
        listening, held + connected, there -> open: stop step, release searching, opened
        listening, held + discovery -> ended: failed backend, release searching, ended
        listening, held + step -> ended: failed notFound, release searching, ended
        listening, held + cancel -> ended: failed cancelled, release searching, ended
        listening, held + lost -> ended: failed bluetoothOff, release searching, ended
        listening, refusing + look -> listening, held: hold searching
        listening, refusing + disconnecting -> listening, held: hold searching
        listening, refusing + inUse -> ended: stop step, failed alreadyConnected, ended
        listening, refusing + there -> asked: stop step, hold keeping, Connect 60 s
        listening, refusing + connected, there -> ended: stop step, failed alreadyConnected, ended
        listening, refusing + step -> ended: failed notFound, ended
        listening, refusing + cancel -> ended: failed cancelled, ended
        listening, refusing + lost -> ended: failed bluetoothOff, ended
        listening, pairing + look -> listening, held: hold searching
        listening, pairing + disconnecting -> listening, held: hold searching
        listening, pairing + inUse -> ended: stop step, failed alreadyConnected, ended
        listening, pairing + there -> asked: want agent 101, stop step, hold keeping, Connect 60 s
        listening, pairing + connected, there -> open: want agent 101, stop step, opened
        listening, pairing + step -> ended: failed notFound, ended
        listening, pairing + cancel -> ended: failed cancelled, ended
        listening, pairing + lost -> ended: failed bluetoothOff, ended
        pausing + step -> adapter: start step 120000 ms, requestAdapter
        pausing + cancel -> ended: failed cancelled, ended
        pausing + lost -> ended: failed bluetoothOff, ended
        asked + connected! -> asked, connected: start step 5000 ms
        asked + connect -> answered: ask whether connected, start step 2000 ms
        asked + connected, connect -> open: stop step, release keeping, opened
        asked + cancel -> disconnecting: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        asked + deviceRemoved -> pausing: release keeping, start step 250 ms
        asked + lost -> ended: failed bluetoothOff, release keeping, ended
        asked + resolved -> asked
        asked + services, resolved -> asked
        asked + unresolved -> asked
        asked + step -> open: stop step, release keeping, opened
        asked + fail inProgress -> othersConnecting: start step 500 ms
        asked + fail cancelled -> backingOff: start step 250 ms
        asked + fail aborted -> backingOff: start step 250 ms
        asked + fail alreadyConnected -> backingOff: start step 250 ms
        asked + fail unknownObject -> pausing: release keeping, start step 250 ms
        asked + fail notReady -> ended: failed bluetoothOff, release keeping, ended
        asked + fail inputOutput -> ended: failed backend, release keeping, ended
        asked + fail bondLost -> ended: failed bondLost, release keeping, ended
        asked + fail denied -> ended: failed unauthorized, release keeping, ended
        asked + fail other -> ended: failed backend, release keeping, ended
        asked + fail timedOut -> disconnecting: failed timedOut, release keeping, start step 4000 \
        ms, disconnect
        asked + fail unlikely -> ended: failed backend, release keeping, ended
        asked + fail notConnected -> ended: failed backend, release keeping, ended
        asked + fail notPaired -> ended: failed backend, release keeping, ended
        asked + fail notSupported -> ended: failed backend, release keeping, ended
        asked + fail refused -> ended: failed backend, release keeping, ended
        asked + 20000ms, fail aborted -> ended: failed timedOut, release keeping, ended
        asked + connected, fail alreadyConnected -> open: stop step, release keeping, opened
        asked + off, fail inputOutput -> ended: failed bluetoothOff, release keeping, ended
        asked, held + connect -> answered: ask whether connected, start step 2000 ms
        asked, held + cancel -> disconnecting: failed cancelled, release searching, start step \
        4000 ms, disconnect
        asked, held + fail other -> ended: failed backend, release searching, ended
        asked, held + deviceRemoved -> pausing: release searching, start step 250 ms
        asked, held + lost -> ended: failed bluetoothOff, release searching, ended
        asked, connected + connected! -> asked, connected: start step 5000 ms
        asked, connected + disconnected -> asked: stop step
        asked, connected + step -> open: stop step, release keeping, opened
        asked, connected + connect -> open: stop step, release keeping, opened
        asked, connected + cancel -> disconnecting: failed cancelled, release keeping, start step \
        4000 ms, disconnect
        asked, connected + fail other -> disconnecting: failed backend, release keeping, start \
        step 4000 ms, disconnect
        asked, connected + connected, fail bondLost -> disconnecting: failed bondLost, release \
        keeping, start step 4000 ms, disconnect
        asked, connected + fail alreadyConnected -> open: stop step, release keeping, opened
        asked, 4th + fail 4th -> ended: failed backend, release keeping, ended
        asked, 4th + fail cancelled -> ended: failed backend, release keeping, ended
        asked, 4th + connected, fail cancelled -> disconnecting: failed backend, release keeping, \
        start step 4000 ms, disconnect
        asked, 4th + fail aborted -> ended: failed backend, release keeping, ended
        asked, 4th + fail unknownObject -> ended: release keeping, failed notFound, ended
        asked, 4th + deviceRemoved -> ended: release keeping, failed notFound, ended
        asked, 4th + cancel -> disconnecting: failed cancelled, release keeping, start step 4000 \
        ms, disconnect
        asked, 4th + lost -> ended: failed bluetoothOff, release keeping, ended
        answered + connected! -> open: stop step, release keeping, opened
        answered + step -> backingOff: start step 250 ms
        answered + cancel -> disconnecting: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        answered + deviceRemoved -> pausing: release keeping, start step 250 ms
        answered + lost -> ended: failed bluetoothOff, release keeping, ended
        answered + resolved -> answered
        backingOff + connected! -> open: stop step, release keeping, opened
        backingOff + step -> asked: Connect 60 s
        backingOff + connected, step -> backingOff: start step 500 ms
        backingOff + cancel -> disconnecting: failed cancelled, release keeping, start step 4000 \
        ms, disconnect
        backingOff + deviceRemoved -> pausing: release keeping, start step 250 ms
        backingOff + lost -> ended: failed bluetoothOff, release keeping, ended
        backingOff + resolved -> backingOff
        othersConnecting + connected! -> open: stop step, release keeping, opened
        othersConnecting + step -> asked: Connect 60 s
        othersConnecting + cancel -> ended: failed cancelled, release keeping, ended
        othersConnecting + deviceRemoved -> pausing: release keeping, start step 250 ms
        othersConnecting + lost -> ended: failed bluetoothOff, release keeping, ended
        othersConnecting + resolved -> othersConnecting
        othersConnecting, refusing + connected! -> ended: failed alreadyConnected, release \
        keeping, ended
        othersConnecting, refusing + step -> asked: Connect 60 s
        othersConnecting, refusing + cancel -> ended: failed cancelled, release keeping, ended
        othersConnecting, refusing + lost -> ended: failed bluetoothOff, release keeping, ended
        othersConnecting, refusing + deviceRemoved -> pausing: release keeping, start step 250 ms
        othersConnecting, refusing + resolved -> othersConnecting

        """

    private static let link = """
        open + discover -> open: start resolution 30000 ms
        open + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open + disconnected -> ending: stop all waits, start step 100 ms
        open + apart, disconnected -> ending: stop all waits, start step 100 ms
        open + resolved -> open
        open + services, resolved -> open
        open + unresolved -> open
        open + attributes -> open
        open + reason -> open
        open + deviceRemoved -> ended: end remote, ended
        open + lost -> ended: end adapterGone, ended
        open + value -> open: tell 1
        open + read stale -> open: 63 noSuchAttribute
        open + pair -> open, wants the agent: want agent 101
        open, wanted + resolved -> open: start quiet 150 ms
        open, wanted + services, resolved -> open: stop resolution, services 1
        open, wanted + services, battery, resolved -> open: stop resolution, services 2
        open, wanted + resolution -> open: services timedOut
        open, wanted + known, resolution -> open: services timedOut
        open, wanted + known, services, resolution -> open: stop resolution, services 1
        open, wanted + apart, disconnected -> ending: stop all waits, start step 100 ms
        open, wanted + lost -> ended: end adapterGone, services disconnected adapterGone, ended
        open, wanted + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, wanted + attributes -> open
        open, settling + quiet -> open
        open, settling + services, quiet -> open: stop resolution, services 1
        open, settling + attributes -> open: start quiet 150 ms
        open, settling + services, attributes -> open: start quiet 150 ms
        open, settling + unresolved -> open: stop quiet
        open, settling + resolved -> open: stop quiet, start quiet 150 ms
        open, settling + apart, disconnected -> ending: stop all waits, start step 100 ms
        open, settling + resolution -> open: services timedOut
        open, explained + reason -> open
        open, explained + disconnected -> ended: stop all waits, end outOfReach, ended
        open, explained + lost -> ended: end outOfReach, ended
        open, explained + resolved -> open
        open, known + discover -> open: services 1
        open, known + longer, mtu -> open: tell maximumLengthChanged
        open, known + fewer, attributes -> open: start quiet 150 ms, tell servicesChanged
        open, known + resolved -> open
        open, known + unresolved -> open
        open, known + level -> open
        open, known + value -> open: tell 1
        open, known + read beat -> open, reading: hold values, ReadValue 33 s
        open, known + read stale -> open: 63 noSuchAttribute
        open, known + write -> open, writing: WriteValue 33 s
        open, known + on beat -> open, subscribing: listen, StartNotify 33 s
        open, known + off beat -> open: done 61 -
        open, known + pair -> open, wants the agent: want agent 101
        open, known + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, known + disconnected -> ending: stop all waits, start step 100 ms
        open, known + deviceRemoved -> ended: end remote, ended
        open, known + lost -> ended: end adapterGone, ended
        open, after a retry + discover -> open: start resolution 30000 ms
        open, subscribing, off + yes -> open: unlisten, done 61 -
        open, subscribing, off + no refused -> open: unlisten, 61 refused
        open, subscribed + off beat -> open, subscribing: StopNotify 33 s
        open, subscribed + on beat -> open: done 62 -
        open, subscribed + fewer, attributes -> open, releasing: start quiet 150 ms, unlisten, \
        StopNotify 33 s, tell servicesChanged
        open, subscribed + deviceRemoved -> ended: end remote, unlisten, StopNotify 10 s, ended
        open, subscribed + lost -> ended: end adapterGone, unlisten, StopNotify 10 s, ended
        open, subscribed + disconnected -> ending: stop all waits, start step 100 ms
        open, subscribed + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, reading + value -> open, reading
        open, reading + bytes -> open: let values go, done 60 07
        open, reading + nothing -> open: let values go, 60 backend
        open, reading + no read -> open: let values go, 60 backend
        open, reading + late read -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, reading + write -> open, reading
        open, reading + disconnected -> ending: stop all waits, start step 100 ms
        open, reading + 29000ms, disconnected -> ended: stop all waits, let values go, end \
        noResponse, 60 disconnected noResponse, ended
        open, reading + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, reading + lost -> ended: let values go, end adapterGone, 60 disconnected \
        adapterGone, ended
        open, reading + no inProgress -> open, pausing: start retry 10 ms
        open, reading + 10000ms, no inProgress -> open: let values go, 60 backend
        open, reading + no unlikely -> open, explaining: start operation 250 ms
        open, reading + 29000ms, no unlikely -> disconnecting: stop all waits, start step 4000 ms, \
        disconnect
        open, reading + no notConnected -> open, explaining: start operation 250 ms
        open, reading + no notPaired -> open: let values go, 60 refused
        open, reading + no refused -> open: let values go, 60 refused
        open, reading + no timedOut -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, reading + paired -> open, reading
        open, reading, one waits + bytes -> open, writing: let values go, done 60 07, WriteValue \
        33 s
        open, reading, one waits + close -> disconnecting: stop all waits, start step 4000 ms, \
        disconnect
        open, reading, one waits + lost -> ended: let values go, end adapterGone, 60 disconnected \
        adapterGone, 61 disconnected adapterGone, ended
        open, writing + yes -> open: done 61 -
        open, writing + no refused -> open: 61 refused
        open, pausing + retry -> open, writing: WriteValue 33 s
        open, pausing + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, pausing + disconnected -> ending: stop all waits, start step 100 ms
        open, explaining + operation -> open: 61 refused
        open, explaining + disconnected -> ending: stop all waits, start step 100 ms
        open, explaining the end + operation -> disconnecting: stop all waits, start step 4000 ms, \
        disconnect
        open, explaining the end + disconnected -> ending: stop all waits, start step 100 ms
        open, wants the agent + agent 102 -> open, pairing: Pair 60 s
        open, wants the agent + close -> disconnecting: stop all waits, start step 4000 ms, \
        disconnect
        open, wants the agent + lost -> ended: end adapterGone, 61 disconnected adapterGone, \
        release agent 101, ended
        open, pairing + pairYes -> open, writing: WriteValue 33 s
        open, pairing + pairNo -> open: 61 refused
        open, pairing + pairBusy -> open, pausing: start retry 1000 ms
        open, pairing + paired -> open, writing: release agent 102, WriteValue 33 s
        open, pairing + close -> disconnecting: stop all waits, start step 4000 ms, disconnect
        open, pairing + lost -> ended: end adapterGone, 61 disconnected adapterGone, release agent \
        101, ended
        open, pairing for the app + pairYes 101 -> open: done 64 -
        open, pairing for the app + paired -> open: release agent 101, done 64 -

        """

    private static let end = """
        ending + step -> ended: end remote, ended
        ending + reason -> ended: end outOfReach, ended
        ending + connected! -> ended: end remote, ended
        ending + close -> ended: end remote, ended
        ending + deviceRemoved -> ended: end remote, ended
        ending + lost -> ended: end adapterGone, ended
        ending + discover -> ending
        ending + write -> ending
        ending + resolved -> ending
        ending, reading + bytes -> ending: let values go, done 60 07
        ending, reading + no refused -> ending: let values go, 60 refused
        ending, reading + late read -> ending
        ending, reading + 29000ms, no unlikely -> ending
        ending, reading + no unlikely -> ending
        ending, reading + value -> ending
        ending, reading + step -> ended: let values go, end remote, 60 disconnected remote, ended
        ending, reading + write -> ending
        disconnecting + disconnect -> disconnecting
        disconnecting + apart, disconnect -> ended: end local, ended
        disconnecting + disconnected -> ended: end local, ended
        disconnecting + connected! -> disconnecting: disconnect, start step 4000 ms
        disconnecting + step -> ended: end local, ended
        disconnecting + deviceRemoved -> ended: end local, ended
        disconnecting + lost -> ended: end local, ended
        disconnecting + discover -> disconnecting: services disconnected local
        disconnecting + write -> disconnecting: 61 disconnected local
        disconnecting + 8000ms, connected! -> ended: end local, ended
        disconnecting, reading + bytes -> disconnecting: let values go, done 60 07
        disconnecting, reading + no refused -> disconnecting: let values go, 60 refused
        disconnecting, reading + late read -> disconnecting
        disconnecting, reading + value -> disconnecting
        disconnecting, reading + disconnected -> ended: let values go, end local, 60 disconnected \
        local, ended
        disconnecting, reading + connected! -> disconnecting: disconnect, start step 4000 ms
        disconnecting, pending + disconnect -> disconnecting
        disconnecting, pending + connect -> stray: start step 50 ms
        disconnecting, pending + connected, connect -> disconnecting: disconnect, start step 4000 ms
        disconnecting, pending + connected! -> disconnecting: disconnect, start step 4000 ms
        disconnecting, pending + disconnected -> disconnecting
        disconnecting, pending + step -> ended: ended
        disconnecting, pending + deviceRemoved -> ended: ended
        disconnecting, pending + lost -> ended: ended
        disconnecting, pending + fail other -> disconnecting
        disconnecting, answered + disconnect -> stray: start step 50 ms
        disconnecting, answered + connected, disconnect -> disconnecting
        disconnecting, answered + connected! -> disconnecting: disconnect, start step 4000 ms
        disconnecting, answered + disconnected -> ended: ended
        disconnecting, answered + step -> ended: ended
        disconnecting, answered + lost -> ended: ended
        stray + step -> checking: start step 4000 ms, ask whether connected
        stray + connected! -> disconnecting: disconnect, start step 4000 ms
        stray + disconnected -> ended: ended
        stray + disconnect -> stray
        stray + deviceRemoved -> ended: ended
        stray + lost -> ended: ended
        checking + strayChecked -> ended: ended
        checking + connected, strayChecked -> checking
        checking + connected! -> disconnecting: disconnect, start step 4000 ms
        checking + disconnected -> ended: ended
        checking + step -> ended: ended
        checking + deviceRemoved -> ended: ended
        checking + lost -> ended: ended
        """
}
#endif
