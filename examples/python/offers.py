"""Fills the slots of offers (`heliopause.v1.Offers`)."""

import itertools

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slots_of(offers, offer):
    return [offers.slots[slot] for slot in offer.slots]


def fill(offer, slots, texts):
    """Returns the order with the text of each choice in its slot. None leaves a slot empty."""
    order = offer.notation
    for slot, text in zip(slots, texts):
        around = slot.text or "{}"
        order = order.replace("{" + slot.name + "}", "" if text is None else around.replace("{}", text))
    return order


def at_random(offers, offer, random):
    slots = slots_of(offers, offer)
    return fill(offer, slots, [slot_at_random(offers, slot, random) for slot in slots])


def slot_at_random(offers, slot, random):
    if slot.optional and random.random() < 0.5:
        return None
    kind = slot.WhichOneof("kind")
    if kind in ("places", "pieces", "words"):
        picks = getattr(slot, kind)
        chosen = random.sample(list(offers.lists[picks.list].values), random.randint(picks.least, picks.most))
        return picks.separator.join(offers.values[value] for value in chosen)
    if kind == "number":
        return str(random.randrange(slot.number.least, slot.number.most + 1, slot.number.step))
    if kind == "shares":
        return shares_at_random(slot, random)
    return text_at_random(offers, slot.free, random)


def shares_at_random(slot, random):
    """Returns random numbers. Adds to the minimums while the total cost is within the bounds."""
    rule = slot.shares
    numbers = [share.least for share in rule.shares]
    cost = sum(share.cost * share.least for share in rule.shares)
    goal = random.randint(max(rule.least, cost), max(rule.most, cost))
    while True:
        able = [at for at, share in enumerate(rule.shares) if numbers[at] < share.most and cost + share.cost <= goal]
        # Numbers without a cost could be added without limit: stop at random.
        if not able or (cost >= rule.least and any(numbers) and random.random() < 0.02):
            break
        at = random.choice(able)
        numbers[at] += 1
        cost += rule.shares[at].cost
    written = [(share, number) for share, number in zip(rule.shares, numbers) if number or rule.zeros]
    if not written:
        return None
    return rule.separator.join((share.text or "{}").replace("{}", str(number)) for share, number in written)


def text_at_random(offers, free, random):
    taken = [offers.values[value].lower() for value in offers.lists[free.used_texts].values] if free.HasField("used_texts") else []
    alphabet = free.alphabet or LETTERS
    for _ in range(16):
        length = random.randint(free.least, min(free.most, free.least + 8))
        text = random.choice(free.first_characters or alphabet) + "".join(random.choices(alphabet, k=length - 1))
        if text.lower() not in taken:
            return text
    return free.example


def lines(offers, most=400):
    """Yields every order of the offers that have at most `most` orders."""
    for offer in offers.offers:
        slots = slots_of(offers, offer)
        choices = [texts(offers, slot, most) for slot in slots]
        if all(choice is not None for choice in choices):
            for chosen in itertools.islice(itertools.product(*choices), most):
                yield fill(offer, slots, chosen)


def texts(offers, slot, most):
    """Returns all values of a slot that takes one value, or None if there are more than `most` values.

    Returns None for all other slots.
    """
    kind = slot.WhichOneof("kind")
    if kind in ("places", "pieces", "words") and getattr(slot, kind).most == 1:
        found = [offers.values[value] for value in offers.lists[getattr(slot, kind).list].values]
    elif kind == "number":
        found = [str(number) for number in range(slot.number.least, slot.number.most + 1, slot.number.step)]
    else:
        return None
    return None if len(found) > most else ([None] if slot.optional else []) + found
