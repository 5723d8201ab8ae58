"""The transport contract: our central, and a device that we host through the same daemon."""

from computer import daemon_version, run_program

DEVICE = None
SECONDS = 240

# The claims about the device; the rest is the central's, and the scenario `contract` checks it.
CLAIMS = [
    "discovery finds every characteristic",
    "a value is read whole",
    "a descriptor can be read",
    "a device's no arrives with its code",
    "writes without a response all arrive",
    "a value that is sent as soon as somebody subscribes",
    "values come in the order",
    "a value that is to be confirmed arrives",
    "several listeners share one subscription",
    "a new subscription gets values again",
    "when the app closes the link",
    "when the device closes the link",
    "new services are found",
]


async def run(computer):
    await run_program("contract", "hosted", await daemon_version(), *CLAIMS)
