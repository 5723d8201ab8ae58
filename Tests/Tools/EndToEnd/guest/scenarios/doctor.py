"""`halo doctor` says what is the matter, and whether Bluetooth can be used."""

import asyncio
import json

from bus import ADAPTER, Bus

DEVICE = None


async def run(computer):
    findings = await examine(0)
    assert findings["daemon"] == findings["adapter"] == "good", findings
    async with Bus() as bus:
        for index in (0, 1):
            await bus.set(await bus.adapter(index), ADAPTER, "Powered", "b", False)
    findings = await examine(3)
    assert findings["daemon"] == "good" and findings["adapter"] == "problem", findings
    computer.kill_daemon()
    findings = await examine(3)
    assert findings["bus"] == "good" and findings["daemon"] == "problem", findings


async def examine(status):
    """Each subject, and the worst that is said of it; the program is to end with that status."""
    program = await asyncio.create_subprocess_exec(
        "/tmp/halo", "doctor", "--json", stdout=asyncio.subprocess.PIPE
    )
    output, _ = await program.communicate()
    assert program.returncode == status, output.decode(errors="replace")
    severities = ["good", "hint", "problem"]
    worst = {}
    for finding in json.loads(output)["findings"]:
        subject = finding["subject"]
        worst[subject] = max(
            worst.get(subject, "good"), finding["severity"], key=severities.index
        )
    return worst
