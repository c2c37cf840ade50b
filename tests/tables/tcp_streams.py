"""Streams of TCP packets that arrive at a bottleneck, drawn from a generator of random numbers."""

RTT_NS, SPACING_NS, PAYLOAD = 50_000_000, 1_000_000, 1448
SEGMENTS = 4000


def stream(rng, flow, lose, drop, overtake):
    """Rows of one flow, and how many packets it lost upstream; a lost packet is sent again an RTT later."""
    base, rows, lost = rng.randrange(2**32), [], 0
    waiting = [(number * SPACING_NS + flow, number, 0) for number in range(SEGMENTS)]
    while waiting:
        time_ns, number, tries = waiting.pop()
        again = (time_ns + RTT_NS + rng.randrange(RTT_NS), number, tries + 1)
        if tries == 0 and number < SEGMENTS - 200 and rng.random() < lose:
            lost += 1
            waiting.append(again)
            continue
        if tries == 0 and rng.random() < overtake:
            time_ns += rng.randrange(2, 20) * SPACING_NS
        dropped = rng.random() < drop
        if dropped:
            waiting.append(again)
        rows.append(
            {
                "arrival_ns": time_ns,
                "departure_ns": None if dropped else time_ns + rng.randrange(RTT_NS),
                "flow": flow,
                "tcp_seq": (base + number * PAYLOAD) % 2**32,
                "ip_bytes": PAYLOAD + 52,
                "frame_bytes": PAYLOAD + 66,
                "verdict": "tail" if dropped else "forwarded",
                "client": f"c{flow + 1}",
            }
        )
    return rows, lost
