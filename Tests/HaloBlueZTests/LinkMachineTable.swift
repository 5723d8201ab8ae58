#if os(Linux)
extension LinkMachineTable {
    static let rows = text.split(separator: "\n").map(String.init)

    private static let text = """
        waiting + begin -> ?
        waiting + cancel -> ?
        waiting + lost -> ?
        adapter + adapter -> ?
        adapter + no adapter -> ?
        adapter + step -> ?
        adapter + cancel -> ?
        adapter + lost -> ?
        listening + look -> ?
        listening + parting -> ?
        listening + taken -> ?
        listening + there -> ?
        listening + connected, there -> ?
        listening + connected, known, there -> ?
        listening + step -> ?
        listening + cancel -> ?
        listening + lost -> ?
        listening, held + taken -> ?
        listening, held + there -> ?
        listening, held + connected, there -> ?
        listening, held + discovery -> ?
        listening, held + step -> ?
        listening, held + cancel -> ?
        listening, held + lost -> ?
        listening, refusing + look -> ?
        listening, refusing + parting -> ?
        listening, refusing + taken -> ?
        listening, refusing + there -> ?
        listening, refusing + connected, there -> ?
        listening, refusing + step -> ?
        listening, refusing + cancel -> ?
        listening, refusing + lost -> ?
        listening, pairing + look -> ?
        listening, pairing + parting -> ?
        listening, pairing + taken -> ?
        listening, pairing + there -> ?
        listening, pairing + connected, there -> ?
        listening, pairing + step -> ?
        listening, pairing + cancel -> ?
        listening, pairing + lost -> ?
        pausing + step -> ?
        pausing + cancel -> ?
        pausing + lost -> ?
        asked + connected! -> ?
        asked + connect -> ?
        asked + connected, connect -> ?
        asked + cancel -> ?
        asked + deviceRemoved -> ?
        asked + lost -> ?
        asked + resolved -> ?
        asked + services, resolved -> ?
        asked + unresolved -> ?
        asked + step -> ?
        asked + fail inProgress -> ?
        asked + fail cancelled -> ?
        asked + fail aborted -> ?
        asked + fail alreadyConnected -> ?
        asked + fail unknownObject -> ?
        asked + fail notReady -> ?
        asked + fail inputOutput -> ?
        asked + fail bondLost -> ?
        asked + fail denied -> ?
        asked + fail other -> ?
        asked + fail timedOut -> ?
        asked + fail unlikely -> ?
        asked + fail notConnected -> ?
        asked + fail notPaired -> ?
        asked + fail notSupported -> ?
        asked + fail refused -> ?
        asked + 20000ms, fail aborted -> ?
        asked + connected, fail alreadyConnected -> ?
        asked + off, fail inputOutput -> ?
        asked, held + connect -> ?
        asked, held + cancel -> ?
        asked, held + fail other -> ?
        asked, held + deviceRemoved -> ?
        asked, held + lost -> ?
        asked, connected + connected! -> ?
        asked, connected + disconnected -> ?
        asked, connected + step -> ?
        asked, connected + connect -> ?
        asked, connected + cancel -> ?
        asked, 4th + fail 4th -> ?
        asked, 4th + fail cancelled -> ?
        asked, 4th + connected, fail cancelled -> ?
        asked, 4th + fail aborted -> ?
        asked, 4th + fail unknownObject -> ?
        asked, 4th + deviceRemoved -> ?
        asked, 4th + cancel -> ?
        asked, 4th + lost -> ?
        answered + connected! -> ?
        answered + step -> ?
        answered + cancel -> ?
        answered + deviceRemoved -> ?
        answered + lost -> ?
        answered + resolved -> ?
        backingOff + connected! -> ?
        backingOff + step -> ?
        backingOff + connected, step -> ?
        backingOff + cancel -> ?
        backingOff + deviceRemoved -> ?
        backingOff + lost -> ?
        othersConnecting + connected! -> ?
        othersConnecting + step -> ?
        othersConnecting + cancel -> ?
        othersConnecting + deviceRemoved -> ?
        othersConnecting + lost -> ?
        othersConnecting, refusing + connected! -> ?
        othersConnecting, refusing + step -> ?
        othersConnecting, refusing + cancel -> ?
        open + discover -> ?
        open + close -> ?
        open + disconnected -> ?
        open + apart, disconnected -> ?
        open + resolved -> ?
        open + services, resolved -> ?
        open + unresolved -> ?
        open + attributes -> ?
        open + reason -> ?
        open + deviceRemoved -> ?
        open + lost -> ?
        open + value -> ?
        open + read stale -> ?
        open + pair -> ?
        open, wanted + resolved -> ?
        open, wanted + services, resolved -> ?
        open, wanted + services, battery, resolved -> ?
        open, wanted + resolution -> ?
        open, wanted + known, resolution -> ?
        open, wanted + known, services, resolution -> ?
        open, wanted + apart, disconnected -> ?
        open, wanted + lost -> ?
        open, wanted + close -> ?
        open, wanted + attributes -> ?
        open, settling + quiet -> ?
        open, settling + services, quiet -> ?
        open, settling + attributes -> ?
        open, settling + services, attributes -> ?
        open, settling + unresolved -> ?
        open, settling + resolved -> ?
        open, settling + apart, disconnected -> ?
        open, explained + reason -> ?
        open, explained + disconnected -> ?
        open, explained + lost -> ?
        open, known + discover -> ?
        open, known + longer, mtu -> ?
        open, known + fewer, attributes -> ?
        open, known + resolved -> ?
        open, known + unresolved -> ?
        open, known + level -> ?
        open, known + value -> ?
        open, known + read beat -> ?
        open, known + read stale -> ?
        open, known + write -> ?
        open, known + on beat -> ?
        open, known + off beat -> ?
        open, known + pair -> ?
        open, known + close -> ?
        open, known + disconnected -> ?
        open, known + deviceRemoved -> ?
        open, known + lost -> ?
        open, subscribed + off beat -> ?
        open, subscribed + on beat -> ?
        open, subscribed + fewer, attributes -> ?
        open, subscribed + deviceRemoved -> ?
        open, subscribed + lost -> ?
        open, subscribed + disconnected -> ?
        open, subscribed + close -> ?
        open, reading + value -> ?
        open, reading + bytes -> ?
        open, reading + nothing -> ?
        open, reading + no read -> ?
        open, reading + late read -> ?
        open, reading + write -> ?
        open, reading + disconnected -> ?
        open, reading + 29000ms, disconnected -> ?
        open, reading + close -> ?
        open, reading + lost -> ?
        open, reading + no inProgress -> ?
        open, reading + 10000ms, no inProgress -> ?
        open, reading + no unlikely -> ?
        open, reading + 29000ms, no unlikely -> ?
        open, reading + no notConnected -> ?
        open, reading + no notPaired -> ?
        open, reading + no refused -> ?
        open, reading + no timedOut -> ?
        open, reading + paired -> ?
        open, reading, one waits + bytes -> ?
        open, reading, one waits + close -> ?
        open, reading, one waits + lost -> ?
        open, writing + yes -> ?
        open, writing + no refused -> ?
        open, pausing + retry -> ?
        open, pausing + close -> ?
        open, pausing + disconnected -> ?
        open, explaining + hold -> ?
        open, explaining + disconnected -> ?
        open, explaining the end + hold -> ?
        open, explaining the end + disconnected -> ?
        open, wants the agent + agent 102 -> ?
        open, wants the agent + close -> ?
        open, wants the agent + lost -> ?
        open, pairing + pairYes -> ?
        open, pairing + pairNo -> ?
        open, pairing + pairBusy -> ?
        open, pairing + paired -> ?
        open, pairing + close -> ?
        open, pairing + lost -> ?
        open, pairing for the app + pairYes 101 -> ?
        open, pairing for the app + paired -> ?
        open, acquiring + socket 60 -> ?
        open, acquiring + yes -> ?
        open, acquiring + no other -> ?
        open, acquiring + no inProgress -> ?
        open, acquiring + close -> ?
        open, acquiring values + socket 60 -> ?
        open, acquiring values + yes -> ?
        open, acquiring values + no notSupported -> ?
        open, acquiring values + no inProgress -> ?
        open, acquiring values + no timedOut -> ?
        open, acquiring values + no refused -> ?
        open, acquiring values + fewer, attributes -> ?
        open, socket + ended 101 -> ?
        open, socket + off beat -> ?
        open, socket + on beat -> ?
        open, socket + command -> ?
        open, socket + made 101 -> ?
        open, socket + fewer, attributes -> ?
        open, socket + disconnected -> ?
        open, socket + close -> ?
        open, socket + lost -> ?
        open, awaiting a socket + made 101 -> ?
        open, awaiting a socket + ended 101 -> ?
        open, awaiting a socket + close -> ?
        open, sending + sent -> ?
        open, sending + unsent -> ?
        open, sending + ended 101 -> ?
        open, sending + hold -> ?
        open, sending + close -> ?
        ending + step -> ?
        ending + reason -> ?
        ending + connected! -> ?
        ending + close -> ?
        ending + deviceRemoved -> ?
        ending + lost -> ?
        ending + discover -> ?
        ending + write -> ?
        ending + resolved -> ?
        ending, reading + bytes -> ?
        ending, reading + no refused -> ?
        ending, reading + late read -> ?
        ending, reading + 29000ms, no unlikely -> ?
        ending, reading + no unlikely -> ?
        ending, reading + value -> ?
        ending, reading + step -> ?
        ending, reading + write -> ?
        ending, socket + ended 101 -> ?
        ending, socket + connected, ended 101 -> ?
        ending, socket + reason -> ?
        ending, socket + step -> ?
        ending, socket + connected! -> ?
        ending, socket + close -> ?
        ending, socket + lost -> ?
        ending, socket + made 101 -> ?
        leaving + disconnect -> ?
        leaving + apart, disconnect -> ?
        leaving + disconnected -> ?
        leaving + connected! -> ?
        leaving + step -> ?
        leaving + deviceRemoved -> ?
        leaving + lost -> ?
        leaving + discover -> ?
        leaving + write -> ?
        leaving, reading + bytes -> ?
        leaving, reading + no refused -> ?
        leaving, reading + late read -> ?
        leaving, reading + value -> ?
        leaving, reading + disconnected -> ?
        leaving, socket + disconnected -> ?
        leaving, socket + apart, disconnect -> ?
        leaving, socket + ended 101 -> ?
        leaving, socket + apart, ended 101 -> ?
        leaving, socket + lost -> ?
        draining + disconnect -> ?
        draining + ended 101 -> ?
        draining + connected! -> ?
        draining + step -> ?
        draining + deviceRemoved -> ?
        draining + lost -> ?
        draining + discover -> ?
        draining + disconnected -> ?
        leaving, pending + disconnect -> ?
        leaving, pending + connect -> ?
        leaving, pending + connected, connect -> ?
        leaving, pending + connected! -> ?
        leaving, pending + disconnected -> ?
        leaving, pending + step -> ?
        leaving, pending + deviceRemoved -> ?
        leaving, pending + lost -> ?
        leaving, pending + fail other -> ?
        leaving, answered + disconnect -> ?
        leaving, answered + connected, disconnect -> ?
        leaving, answered + connected! -> ?
        leaving, answered + disconnected -> ?
        leaving, answered + step -> ?
        leaving, answered + lost -> ?
        stray + step -> ?
        stray + connected! -> ?
        stray + disconnected -> ?
        stray + disconnect -> ?
        stray + deviceRemoved -> ?
        stray + lost -> ?
        checking + strayChecked -> ?
        checking + connected, strayChecked -> ?
        checking + connected! -> ?
        checking + disconnected -> ?
        checking + step -> ?
        checking + deviceRemoved -> ?
        checking + lost -> ?
        """
}
#endif
