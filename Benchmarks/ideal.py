"""The least time that a download can take behind the proxy (instruments/proxy.c), and how close the file can follow."""

segment = 1460  # bytes
step = 0.001  # seconds


def least_time(size, round_trip, rate=0, link=0, connections=1, secure=False):
    """Seconds, and the mean of the part that is there over that time, for a client without faults.

    The first byte is there two round trips after the start: TCP's handshake, then the question. Further connections can
    be asked for then, so that theirs come as much later. Each begins slowly and doubles in a round trip. TLS 1.3 is one
    handshake more (RFC 8446 §2).
    """
    delay = (3 if secure else 2) * round_trip
    time, have, area = delay, 0.0, 0.0
    while have < size:
        speed = rate_at(time - delay, round_trip, rate)
        speed += (connections - 1) * rate_at(time - 2 * delay, round_trip, rate)
        have += min(speed, link or speed) * step
        time += step
        area += min(have / size, 1) * step
    return time, area / time


def rate_at(age, round_trip, rate):
    """Bytes a second of a connection whose first byte came `age` seconds ago."""
    if age < 0:
        return 0.0
    grown = 10 * segment * 2 ** min(age / round_trip, 40) / round_trip
    return min(grown, rate) if rate else grown
