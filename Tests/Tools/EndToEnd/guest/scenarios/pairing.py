"""A device that wants keys: whom the daemon asks, and what our central leaves behind."""

from dbus_fast.service import ServiceInterface, method

from bus import CHARACTERISTIC, DEVICE as DEVICE1, Bus, Refused
from computer import INDEPENDENT, daemon_version, run_program

DEVICE = "locker"
SECONDS = 300
MANAGER = "org.bluez.AgentManager1"
SECRET = "0000ffe1-0000-1000-8000-00805f9b34fb"
READ = (CHARACTERISTIC, "ReadValue", "a{sv}", [{}])
FAILED = "org.bluez.Error.AuthenticationFailed: 'Authentication Failed'"
REFUSED = "org.bluez.Error.Failed: 'Operation failed with ATT error: 0x0e'"


class Agent(ServiceInterface):
    """Says yes to everything, and remembers what it was asked."""

    def __init__(self):
        super().__init__("org.bluez.Agent1")
        self.asked = []

    @method()
    def RequestAuthorization(self, device: "o"):
        self.asked.append("RequestAuthorization")

    @method()
    def RequestConfirmation(self, device: "o", passkey: "u"):
        self.asked.append("RequestConfirmation")


async def agent(bus, capability):
    """An agent of a program's."""
    agent = Agent()
    bus.bus.export("/agent", agent)
    await bus.call("/org/bluez", MANAGER, "RegisterAgent", "os", ["/agent", capability])
    return agent


async def read(client, device, secret):
    """The result of a read. Newer daemons refuse one now and then, and pair all the same."""
    answer = await client.outcome(secret, *READ, timeout=10)
    if not answer.startswith(REFUSED) or await daemon_version() == "5.66":
        return answer
    print("    a read was refused while the daemon paired")
    try:
        await client.until(lambda: client.get(device, DEVICE1, "Paired"), "keys", timeout=10)
    except (AssertionError, Refused):
        return "no answer"
    return await client.outcome(secret, *READ, timeout=10)


async def outcome(computer, others, own, pairs):
    """The result of pairing or reading, and the agent that was asked: the other's, its own."""
    await computer.start(DEVICE)
    async with Bus() as other, Bus() as client:
        agents = [await agent(other, others)] if others else []
        if own:
            agents.append(await agent(client, own))
        device = await client.connect(await client.adapter(0), INDEPENDENT)
        secret = await client.characteristic(device, SECRET)
        if pairs:
            answer = await client.outcome(device, DEVICE1, "Pair", timeout=10)
        else:
            answer = await read(client, device, secret)
        return answer.rsplit(" (", 1)[0], *(agent.asked for agent in agents)


async def run(computer):
    asked = ["RequestAuthorization"]
    for expected, *case in (
        (("no answer",), None, None, False),
        ((FAILED,), None, None, True),
        (("ok ['2a']", asked), None, "NoInputNoOutput", False),
        (("ok []", []), None, "NoInputNoOutput", True),
        (("ok ['2a']", asked), "KeyboardDisplay", None, False),
        (("ok []", []), "KeyboardDisplay", None, True),
        (("ok ['2a']", asked, []), "KeyboardDisplay", "NoInputNoOutput", False),
        (("ok []", [], []), "KeyboardDisplay", "NoInputNoOutput", True),
    ):
        found = await outcome(computer, *case)
        assert found == expected, f"{case}: expected {expected}, found {found}"
    for way in ("on-purpose", "on-demand"):
        await computer.start(DEVICE)
        await run_program("pairing", way)
        async with Bus() as client:
            # A program without an agent can pair only while another has one.
            device = await client.find(await client.adapter(0), INDEPENDENT)
            await client.call("/org/bluez/hci0", "org.bluez.Adapter1", "RemoveDevice", "o", [device])
            device = await client.find("/org/bluez/hci0", INDEPENDENT)
            answer = await client.outcome(device, DEVICE1, "Pair")
            assert answer.startswith(FAILED), f"{way}: an agent is left: {answer}"
