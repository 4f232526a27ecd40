"""Clients that play games of a real engine."""

from conftest import Peer, Serving, lost
from heliopause.aio import Client
from heliopause.testing import Engine

from heliopause_daide.tokens import WORDS, Sentence, head, spoken

HOLD = {"SPR": "HLD", "FAL": "HLD", "SUM": "DSB", "AUT": "DSB"}


def own_units(now: Sentence, power: str) -> list[str]:
    units = [one for one in now[2:] if isinstance(one, list) and isinstance(one[0], int)]
    return [spoken(one[:3]) for one in units if isinstance(one[0], int) and WORDS[one[0]] == power]


async def play_on(peer: Peer, power: str, now: Sentence) -> int:
    """Plays to the end: holds, and disbands where necessary. Returns the number of turns."""
    turns = 0
    while True:
        turns += 1
        turn = now[1]
        assert isinstance(turn, list)
        season = head(turn)
        if season in ("SPR", "FAL"):
            for unit in own_units(now, power):
                await peer.say(f"SUB (({unit}) HLD)")
                assert spoken(await peer.until("THX")) == f"THX (({unit}) HLD) (MBV)"
        else:
            await peer.say("GOF")
        answer = await peer.until("NOW", "SLO", "DRW")
        if head(answer) != "NOW":
            return turns
        now = answer


async def test_a_client_plays_a_whole_game(serving: Serving, engine: Engine) -> None:
    async with serving(automation="random", options={"lastYear": 1902}) as (host, connect), connect() as peer:
        await peer.sit()
        hello = await peer.until("HLO")
        power = spoken(hello[1] if isinstance(hello[1], list) else [])
        assert spoken(hello[3] if isinstance(hello[3], list) else []).startswith("(LVL 0)")
        assert head(await peer.receive()) == "SCO"
        now = await peer.until("NOW")
        assert spoken(now).startswith("NOW (SPR 1901) (AUS AMY BUD)")
        turns = await play_on(peer, power, now)
        assert turns >= 4
        assert head(await peer.until("SMR")) == "SMR"
        async with Client(engine.address) as spectator:
            await spectator.register("daide-onlooker")
            game = await (await spectator.table(host.game_id or "")).refresh()
            assert game.outcome.draw
        orders = [one for one in peer.heard if one.startswith("ORD (SPR 1901)")]
        assert len(orders) == 22
        assert all(one.rsplit("(", 1)[1] in ("SUC)", "BNC)", "CUT)", "DSR)", "NSO)", "SUC RET)") for one in orders)


async def test_orders_are_noted_and_withdrawn(serving: Serving) -> None:
    async with serving(automation="random", options={"lastYear": 1901}) as (_, connect), connect() as peer:
        await peer.sit()
        power = spoken((await peer.until("HLO"))[1])  # type: ignore[arg-type]
        now = await peer.until("NOW")
        await peer.say("NOT (GOF)")
        assert spoken(await peer.receive()) == "YES (NOT (GOF))"
        unit, *others = own_units(now, power)
        for words, note in (
            (f"(({unit}) MTO ADR)" if "ADR" not in unit else f"(({unit}) MTO BAR)", None),
            (f"(({unit}) MTO MOS)" if "MOS" not in unit else f"(({unit}) MTO PAR)", "FAR"),
            (f"(({unit}) RTO BUR)", "NRS"),
            (f"(({power} AMY RUH) HLD)", "NSU"),
            (f"(({'ENG' if power != 'ENG' else 'FRA'} AMY PAR) HLD)", "NYU"),
            (f"(({unit}) HLD)", "MBV"),
        ):
            await peer.say(f"SUB {words}")
            answer = spoken(await peer.receive())
            assert answer.startswith(f"THX {words}"), answer
            if note:
                assert answer == f"THX {words} ({note})"
        await peer.say("MIS")
        assert spoken(await peer.receive()) == " ".join(["MIS", *(f"({one})" for one in others)])
        await peer.say("NOT (SUB)")
        assert spoken(await peer.receive()) == "YES (NOT (SUB))"
        await peer.say("MIS")
        assert spoken(await peer.receive()) == " ".join(["MIS", f"({unit})", *(f"({one})" for one in others)])
        await peer.say("SUB (HLD)")
        assert head(await peer.receive()) == "HUH"
        await peer.say("TME")
        assert spoken(await peer.receive()) == "REJ (TME)"
        await peer.say("GOF")
        await peer.until("ORD")
        await peer.say("HST (SPR 1901)")
        assert (await peer.until("ORD"))[1] == now[1]
        await peer.say("HST (SPR 1950)")
        assert spoken(await peer.until("REJ")) == "REJ (HST (SPR 1950))"


async def test_two_clients_exchange_press_of_level_10(serving: Serving) -> None:
    async with serving(clients=2, level=10, automation="random") as (host, connect), connect() as one, connect() as two:
        await one.sit("One")
        await two.sit("Two")
        mine = spoken((await one.until("HLO"))[1])  # type: ignore[arg-type]
        yours = spoken((await two.until("HLO"))[1])  # type: ignore[arg-type]
        await one.until("NOW")
        await two.until("NOW")
        await one.say(f"SND ({yours}) (PRP (PCE ({mine} {yours})))")
        assert spoken(await one.until("YES")) == f"YES (SND ({yours}) (PRP (PCE ({mine} {yours}))))"
        assert spoken(await two.until("FRM")) == f"FRM ({mine}) ({yours}) (PRP (PCE ({mine} {yours})))"
        await two.say(f"SND ({mine}) (YES (PRP (PCE ({mine} {yours}))))")
        assert spoken(await one.until("FRM")) == f"FRM ({yours}) ({mine}) (YES (PRP (PCE ({mine} {yours}))))"
        # Proposals of orders for other powers require level 20.
        await one.say(f"SND ({yours}) (PRP (XDO (({yours} AMY PAR) HLD)))")
        assert head(await one.until("HUH")) == "HUH"
        # A client that lost its connection takes its seat again.
        seat = host.seats[0]
        await lost(one, seat)
        async with connect() as again:
            await again.begin()
            await again.say(f"IAM ({mine}) ({seat.passcode})")
            assert spoken(await again.receive()) == f"YES (IAM ({mine}) ({seat.passcode}))"
            await again.say("NOW")
            assert head(await again.receive()) == "NOW"
