#if os(Linux)
extension LinkMachineTable {
    /// Every state with what happens in it, and what comes of that.
    static let rows = (beginning + link + end).split(separator: "\n").map(String.init)

    private static let beginning = """
        waiting + begin -> adapter: start step 120000 ms, wantAdapter
        waiting + cancel -> over: failed cancelled, over
        waiting + lost -> over: failed poweredOff, over
        adapter + adapter -> listening
        adapter + no adapter -> over: failed unsupported, over
        adapter + step -> over: failed notFound, over
        adapter + cancel -> over: failed cancelled, over
        adapter + lost -> over: failed poweredOff, over
        listening + look -> listening, held: hold seeking
        listening + parting -> listening, held: hold seeking
        listening + taken -> over: stop step, failed alreadyConnected, over
        listening + there -> asked: stop step, hold keeping, Connect 60 s
        listening + connected, there -> open: stop step, opened
        listening + connected, known, there -> open: stop step, opened
        listening + step -> over: failed notFound, over
        listening + cancel -> over: failed cancelled, over
        listening + lost -> over: failed poweredOff, over
        listening, held + taken -> over: stop step, failed alreadyConnected, release seeking, over
        listening, held + there -> asked: stop step, Connect 60 s
        listening, held + connected, there -> open: stop step, release seeking, opened
        listening, held + discovery -> over: failed backend, release seeking, over
        listening, held + step -> over: failed notFound, release seeking, over
        listening, held + cancel -> over: failed cancelled, release seeking, over
        listening, held + lost -> over: failed poweredOff, release seeking, over
        listening, refusing + look -> listening, held: hold seeking
        listening, refusing + parting -> listening, held: hold seeking
        listening, refusing + taken -> over: stop step, failed alreadyConnected, over
        listening, refusing + there -> asked: stop step, hold keeping, Connect 60 s
        listening, refusing + connected, there -> over: stop step, failed alreadyConnected, over
        listening, refusing + step -> over: failed notFound, over
        listening, refusing + cancel -> over: failed cancelled, over
        listening, refusing + lost -> over: failed poweredOff, over
        listening, pairing + look -> listening, held: hold seeking
        listening, pairing + parting -> listening, held: hold seeking
        listening, pairing + taken -> over: stop step, failed alreadyConnected, over
        listening, pairing + there -> asked: want agent 101, stop step, hold keeping, Connect 60 s
        listening, pairing + connected, there -> open: want agent 101, stop step, opened
        listening, pairing + step -> over: failed notFound, over
        listening, pairing + cancel -> over: failed cancelled, over
        listening, pairing + lost -> over: failed poweredOff, over
        pausing + step -> adapter: start step 120000 ms, wantAdapter
        pausing + cancel -> over: failed cancelled, over
        pausing + lost -> over: failed poweredOff, over
        asked + connected! -> asked, connected: start step 5000 ms
        asked + connect -> answered: ask whether connected, start step 2000 ms
        asked + connected, connect -> open: stop step, release keeping, opened
        asked + cancel -> leaving: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        asked + deviceRemoved -> pausing: release keeping, start step 250 ms
        asked + lost -> over: failed poweredOff, release keeping, over
        asked + resolved -> asked
        asked + services, resolved -> asked
        asked + unresolved -> asked
        asked + step -> open: stop step, release keeping, opened
        asked + fail inProgress -> othersConnecting: start step 500 ms
        asked + fail cancelled -> backingOff: start step 250 ms
        asked + fail aborted -> backingOff: start step 250 ms
        asked + fail alreadyConnected -> backingOff: start step 250 ms
        asked + fail unknownObject -> pausing: release keeping, start step 250 ms
        asked + fail notReady -> over: failed poweredOff, release keeping, over
        asked + fail inputOutput -> over: failed backend, release keeping, over
        asked + fail bondLost -> over: failed bondLost, release keeping, over
        asked + fail denied -> over: failed unauthorized, release keeping, over
        asked + fail other -> over: failed backend, release keeping, over
        asked + fail timedOut -> leaving: failed timedOut, release keeping, start step 4000 ms, \
        disconnect
        asked + fail unlikely -> over: failed backend, release keeping, over
        asked + fail notConnected -> over: failed backend, release keeping, over
        asked + fail notPaired -> over: failed backend, release keeping, over
        asked + fail notSupported -> over: failed backend, release keeping, over
        asked + fail refused -> over: failed backend, release keeping, over
        asked + 20000ms, fail aborted -> over: failed timedOut, release keeping, over
        asked + connected, fail alreadyConnected -> open: stop step, release keeping, opened
        asked + off, fail inputOutput -> over: failed poweredOff, release keeping, over
        asked, held + connect -> answered: ask whether connected, start step 2000 ms
        asked, held + cancel -> leaving: failed cancelled, release seeking, start step 4000 ms, \
        disconnect
        asked, held + fail other -> over: failed backend, release seeking, over
        asked, held + deviceRemoved -> pausing: release seeking, start step 250 ms
        asked, held + lost -> over: failed poweredOff, release seeking, over
        asked, connected + connected! -> asked, connected: start step 5000 ms
        asked, connected + disconnected -> asked: stop step
        asked, connected + step -> open: stop step, release keeping, opened
        asked, connected + connect -> open: stop step, release keeping, opened
        asked, connected + cancel -> leaving: failed cancelled, release keeping, start step 4000 \
        ms, disconnect
        asked, connected + fail other -> leaving: failed backend, release keeping, start step \
        4000 ms, disconnect
        asked, connected + connected, fail bondLost -> leaving: failed bondLost, release keeping, \
        start step 4000 ms, disconnect
        asked, connected + fail alreadyConnected -> open: stop step, release keeping, opened
        asked, 4th + fail 4th -> over: failed backend, release keeping, over
        asked, 4th + fail cancelled -> over: failed backend, release keeping, over
        asked, 4th + connected, fail cancelled -> leaving: failed backend, release keeping, start \
        step 4000 ms, disconnect
        asked, 4th + fail aborted -> over: failed backend, release keeping, over
        asked, 4th + fail unknownObject -> over: release keeping, failed notFound, over
        asked, 4th + deviceRemoved -> over: release keeping, failed notFound, over
        asked, 4th + cancel -> leaving: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        asked, 4th + lost -> over: failed poweredOff, release keeping, over
        answered + connected! -> open: stop step, release keeping, opened
        answered + step -> backingOff: start step 250 ms
        answered + cancel -> leaving: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        answered + deviceRemoved -> pausing: release keeping, start step 250 ms
        answered + lost -> over: failed poweredOff, release keeping, over
        answered + resolved -> answered
        backingOff + connected! -> open: stop step, release keeping, opened
        backingOff + step -> asked: Connect 60 s
        backingOff + connected, step -> backingOff: start step 500 ms
        backingOff + cancel -> leaving: failed cancelled, release keeping, start step 4000 ms, \
        disconnect
        backingOff + deviceRemoved -> pausing: release keeping, start step 250 ms
        backingOff + lost -> over: failed poweredOff, release keeping, over
        backingOff + resolved -> backingOff
        othersConnecting + connected! -> open: stop step, release keeping, opened
        othersConnecting + step -> asked: Connect 60 s
        othersConnecting + cancel -> over: failed cancelled, release keeping, over
        othersConnecting + deviceRemoved -> pausing: release keeping, start step 250 ms
        othersConnecting + lost -> over: failed poweredOff, release keeping, over
        othersConnecting + resolved -> othersConnecting
        othersConnecting, refusing + connected! -> over: failed alreadyConnected, release \
        keeping, over
        othersConnecting, refusing + step -> asked: Connect 60 s
        othersConnecting, refusing + cancel -> over: failed cancelled, release keeping, over
        othersConnecting, refusing + lost -> over: failed poweredOff, release keeping, over
        othersConnecting, refusing + deviceRemoved -> pausing: release keeping, start step 250 ms
        othersConnecting, refusing + resolved -> othersConnecting

        """

    private static let link = """
        open + discover -> open: start resolution 30000 ms
        open + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open + disconnected -> ending: stop all waits, start step 100 ms
        open + apart, disconnected -> ending: stop all waits, start step 100 ms
        open + resolved -> open
        open + services, resolved -> open
        open + unresolved -> open
        open + attributes -> open
        open + reason -> open
        open + deviceRemoved -> over: end remote, over
        open + lost -> over: end adapterGone, over
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
        open, wanted + lost -> over: end adapterGone, services disconnected adapterGone, over
        open, wanted + close -> leaving: stop all waits, start step 4000 ms, disconnect
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
        open, explained + disconnected -> over: stop all waits, end outOfReach, over
        open, explained + lost -> over: end outOfReach, over
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
        open, known + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, known + disconnected -> ending: stop all waits, start step 100 ms
        open, known + deviceRemoved -> over: end remote, over
        open, known + lost -> over: end adapterGone, over
        open, subscribed + off beat -> open, subscribing: StopNotify 33 s
        open, subscribed + on beat -> open: done 62 -
        open, subscribed + fewer, attributes -> open, releasing: start quiet 150 ms, unlisten, \
        StopNotify 33 s, tell servicesChanged
        open, subscribed + deviceRemoved -> over: end remote, unlisten, StopNotify 10 s, over
        open, subscribed + lost -> over: end adapterGone, unlisten, StopNotify 10 s, over
        open, subscribed + disconnected -> ending: stop all waits, start step 100 ms
        open, subscribed + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, reading + value -> open, reading
        open, reading + bytes -> open: let values go, done 60 07
        open, reading + nothing -> open: let values go, 60 backend
        open, reading + no read -> open: let values go, 60 backend
        open, reading + late read -> leaving: stop all waits, start step 4000 ms, disconnect
        open, reading + write -> open, reading
        open, reading + disconnected -> ending: stop all waits, start step 100 ms
        open, reading + 29000ms, disconnected -> over: stop all waits, let values go, end \
        noResponse, 60 disconnected noResponse, over
        open, reading + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, reading + lost -> over: let values go, end adapterGone, 60 disconnected \
        adapterGone, over
        open, reading + no inProgress -> open, pausing: start retry 10 ms
        open, reading + 10000ms, no inProgress -> open: let values go, 60 backend
        open, reading + no unlikely -> open, explaining: start hold 250 ms
        open, reading + 29000ms, no unlikely -> leaving: stop all waits, start step 4000 ms, \
        disconnect
        open, reading + no notConnected -> open, explaining: start hold 250 ms
        open, reading + no notPaired -> open: let values go, 60 refused
        open, reading + no refused -> open: let values go, 60 refused
        open, reading + no timedOut -> leaving: stop all waits, start step 4000 ms, disconnect
        open, reading + paired -> open, reading
        open, reading, one waits + bytes -> open, writing: let values go, done 60 07, WriteValue \
        33 s
        open, reading, one waits + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, reading, one waits + lost -> over: let values go, end adapterGone, 60 disconnected \
        adapterGone, 61 disconnected adapterGone, over
        open, writing + yes -> open: done 61 -
        open, writing + no refused -> open: 61 refused
        open, pausing + retry -> open, writing: WriteValue 33 s
        open, pausing + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, pausing + disconnected -> ending: stop all waits, start step 100 ms
        open, explaining + hold -> open: 61 refused
        open, explaining + disconnected -> ending: stop all waits, start step 100 ms
        open, explaining the end + hold -> leaving: stop all waits, start step 4000 ms, disconnect
        open, explaining the end + disconnected -> ending: stop all waits, start step 100 ms
        open, wants the agent + agent 102 -> open, pairing: Pair 60 s
        open, wants the agent + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, wants the agent + lost -> over: end adapterGone, 61 disconnected adapterGone, \
        release agent 101, over
        open, pairing + pairYes -> open, writing: WriteValue 33 s
        open, pairing + pairNo -> open: 61 refused
        open, pairing + pairBusy -> open, pausing: start retry 1000 ms
        open, pairing + paired -> open, writing: release agent 102, WriteValue 33 s
        open, pairing + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, pairing + lost -> over: end adapterGone, 61 disconnected adapterGone, release agent \
        101, over
        open, pairing for the app + pairYes 101 -> open: done 64 -
        open, pairing for the app + paired -> open: release agent 101, done 64 -
        open, acquiring + socket 60 -> open, awaiting a socket: tell maximumLengthChanged, open \
        socket 101
        open, acquiring + yes -> open, writing: WriteValue 33 s
        open, acquiring + no other -> open, writing: WriteValue 33 s
        open, acquiring + no inProgress -> open, writing: WriteValue 33 s
        open, acquiring + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, acquiring values + socket 60 -> open: tell maximumLengthChanged, open socket 101, \
        done 62 -
        open, acquiring values + yes -> open, subscribing: listen, StartNotify 33 s
        open, acquiring values + no notSupported -> open, subscribing: listen, StartNotify 33 s
        open, acquiring values + no inProgress -> open, subscribing: listen, StartNotify 33 s
        open, acquiring values + no timedOut -> leaving: stop all waits, start step 4000 ms, \
        disconnect
        open, acquiring values + no refused -> open: 62 refused
        open, acquiring values + fewer, attributes -> open, acquiring: start quiet 150 ms, tell \
        servicesChanged
        open, socket + ended 101 -> open: start resubscribe 250 ms
        open, socket + off beat -> open: close socket 101, done 61 -
        open, socket + on beat -> open: done 62 -
        open, socket + command -> open, writing: WriteValue 33 s
        open, socket + made 101 -> open
        open, socket + fewer, attributes -> open: start quiet 150 ms, close socket 101, tell \
        servicesChanged
        open, socket + disconnected -> ending: stop all waits, start step 1000 ms
        open, socket + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, socket + lost -> over: end adapterGone, close socket 101, over
        open, awaiting a socket + made 101 -> open, sending: start hold 33000 ms, send 101
        open, awaiting a socket + ended 101 -> open, writing: stop hold, WriteValue 33 s
        open, awaiting a socket + close -> leaving: stop all waits, start step 4000 ms, disconnect
        open, sending + sent -> open: done 61 -
        open, sending + unsent -> open, writing: stop hold, WriteValue 33 s
        open, sending + ended 101 -> open, writing: stop hold, WriteValue 33 s
        open, sending + hold -> leaving: stop all waits, start step 4000 ms, disconnect
        open, sending + close -> leaving: stop all waits, start step 4000 ms, disconnect

        """

    private static let end = """
        ending + step -> over: end remote, over
        ending + reason -> over: end outOfReach, over
        ending + connected! -> over: end remote, over
        ending + close -> over: end remote, over
        ending + deviceRemoved -> over: end remote, over
        ending + lost -> over: end adapterGone, over
        ending + discover -> ending
        ending + write -> ending
        ending + resolved -> ending
        ending, reading + bytes -> ending: let values go, done 60 07
        ending, reading + no refused -> ending: let values go, 60 refused
        ending, reading + late read -> ending
        ending, reading + 29000ms, no unlikely -> ending
        ending, reading + no unlikely -> ending
        ending, reading + value -> ending
        ending, reading + step -> over: let values go, end remote, 60 disconnected remote, over
        ending, reading + write -> ending
        ending, socket + ended 101 -> ending: start step 100 ms
        ending, socket + connected, ended 101 -> ending
        ending, socket + reason -> ending
        ending, socket + step -> over: end remote, close socket 101, over
        ending, socket + connected! -> over: end remote, close socket 101, over
        ending, socket + close -> over: end remote, close socket 101, over
        ending, socket + lost -> over: end adapterGone, close socket 101, over
        ending, socket + made 101 -> ending
        ending, socket + unsent -> ending: start step 100 ms
        leaving + disconnect -> leaving
        leaving + apart, disconnect -> over: end local, over
        leaving + disconnected -> over: end local, over
        leaving + connected! -> leaving: disconnect, start step 4000 ms
        leaving + step -> over: end local, over
        leaving + deviceRemoved -> over: end local, over
        leaving + lost -> over: end local, over
        leaving + discover -> leaving: services disconnected local
        leaving + write -> leaving: 61 disconnected local
        leaving + 8000ms, connected! -> over: end local, over
        leaving, reading + bytes -> leaving: let values go, done 60 07
        leaving, reading + no refused -> leaving: let values go, 60 refused
        leaving, reading + late read -> leaving
        leaving, reading + value -> leaving
        leaving, reading + disconnected -> over: let values go, end local, 60 disconnected local, \
        over
        leaving, reading + connected! -> leaving: disconnect, start step 4000 ms
        leaving, socket + disconnected -> draining: start step 1000 ms
        leaving, socket + apart, disconnect -> over: end local, close socket 101, over
        leaving, socket + ended 101 -> leaving
        leaving, socket + apart, ended 101 -> over: end local, over
        leaving, socket + lost -> over: end local, close socket 101, over
        leaving, socket + connected! -> leaving: disconnect, start step 4000 ms
        leaving, socket + unsent -> leaving
        leaving, socket + step -> over: end local, close socket 101, over
        draining + disconnect -> draining
        draining + ended 101 -> over: end local, over
        draining + connected! -> leaving: disconnect, start step 4000 ms
        draining + step -> over: end local, close socket 101, over
        draining + deviceRemoved -> over: end local, close socket 101, over
        draining + lost -> over: end local, close socket 101, over
        draining + discover -> draining: services disconnected local
        draining + disconnected -> draining
        draining + unsent -> over: end local, over
        leaving, pending + disconnect -> leaving
        leaving, pending + connect -> stray: start step 50 ms
        leaving, pending + connected, connect -> leaving: disconnect, start step 4000 ms
        leaving, pending + connected! -> leaving: disconnect, start step 4000 ms
        leaving, pending + disconnected -> leaving
        leaving, pending + step -> over: over
        leaving, pending + deviceRemoved -> over: over
        leaving, pending + lost -> over: over
        leaving, pending + fail other -> leaving
        leaving, answered + disconnect -> stray: start step 50 ms
        leaving, answered + connected, disconnect -> leaving
        leaving, answered + connected! -> leaving: disconnect, start step 4000 ms
        leaving, answered + disconnected -> over: over
        leaving, answered + step -> over: over
        leaving, answered + lost -> over: over
        stray + step -> checking: start step 4000 ms, ask whether connected
        stray + connected! -> leaving: disconnect, start step 4000 ms
        stray + disconnected -> over: over
        stray + disconnect -> stray
        stray + deviceRemoved -> over: over
        stray + lost -> over: over
        checking + strayChecked -> over: over
        checking + connected, strayChecked -> checking
        checking + connected! -> leaving: disconnect, start step 4000 ms
        checking + disconnected -> over: over
        checking + step -> over: over
        checking + deviceRemoved -> over: over
        checking + lost -> over: over
        """
}
#endif
