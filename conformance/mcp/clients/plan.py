"""What the clients in Python share: they read a plan from stdin and write a report to stdout."""

import asyncio
import json
import sys


def carry_out(connect) -> None:
    """Carries out the plan on stdin with the session that `connect` opens."""
    asyncio.run(_carry_out(connect))


async def _carry_out(connect) -> None:
    plan = json.load(sys.stdin)
    report = {"client": sys.argv[0], "calls": [], "elicitations": [], "logs": []}
    answers = list(plan.get("answers", []))

    def answer(params: dict) -> dict:
        report["elicitations"].append(params)
        return answers.pop(0) if answers else {"action": "cancel"}

    async with connect(plan, answer, report["logs"].append) as session:
        report["revision"] = session.revision
        report["tools"] = [plain(tool) for tool in await session.tools()]
        if plan.get("offers"):
            report["offers"] = await session.offers()
        if "logLevel" in plan and session.log_level:
            await session.log_level(plan["logLevel"])
        for call in plan.get("calls", []):
            progress: list = []

            async def note(done, total, message, progress=progress):
                progress.append({"progress": done, "total": total, "message": message})

            entry = {"name": call["name"], "progress": progress}
            try:
                result = await asyncio.wait_for(session.call(call, note), plan.get("timeout", 120_000) / 1000)
                entry["result"] = plain(result)
            except Exception as error:
                entry["error"] = {
                    "code": getattr(error, "code", None),
                    "message": f"{type(error).__name__}: {error}",
                    "data": getattr(error, "data", None),
                }
            report["calls"].append(entry)
    print(json.dumps(report))


def bearer(server: dict) -> dict:
    """The headers that carry the token of a plan, if it has one."""
    return {"Authorization": f"Bearer {server['token']}"} if "token" in server else {}


def plain(model):
    """A model of pydantic as it would be written to the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True)
