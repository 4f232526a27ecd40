"""Orders from offers, with the first value in each slot."""


def first_lines(offers):
    for offer in offers.offers:
        line = offer.notation
        for slot in (offers.slots[index] for index in offer.slots):
            kind = slot.WhichOneof("kind")
            if slot.optional:
                text = ""
            elif kind in ("places", "pieces", "words"):
                picks = getattr(slot, kind)
                chosen = offers.lists[picks.list].values[: picks.least]
                text = picks.separator.join(offers.values[value] for value in chosen)
                text = (slot.text or "{}").replace("{}", text)
            else:
                break
            line = line.replace("{" + slot.name + "}", text)
        else:
            yield line
