"""How many calls and cards does one proposal come to, exactly? The mean of each, and its variance."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Moments:
    """The mean of a count, and the mean of its square."""

    mean: float
    square: float

    @property
    def variance(self) -> float:
        # Rounding may leave a little less than nothing.
        return max(0.0, self.square - self.mean**2)


def per_proposal(reply_loss: float, request_loss: float, most_sends: int) -> dict[str, Moments]:
    """Return the moments of a proposal that is sent until a reply comes, at most so many times.

    Of its calls, of those that arrive, of those beyond the first (extra), and of two events that
    count as 1: that any call is seen, and that the client has given up.

    With L the chance of no reply, w that a request arrives and at most k retries: a proposal
    takes (1 - L^(k+1))/(1 - L) calls; w of them arrive; all are lost with q^(k+1).
    """
    arrives = 1 - request_loss
    unanswered = 1 - (1 - reply_loss) * arrives
    arrived = _moments(arrives, arrives * reply_loss, unanswered, most_sends)
    seen, given_up = 1 - request_loss**most_sends, unanswered**most_sends
    return {
        "calls": _moments(1, unanswered, unanswered, most_sends),
        "arrived": arrived,
        # With C cards, C - 1 are duplicates where C is not 0: its square is C² - 2C + 1 there.
        "extra": Moments(arrived.mean - seen, arrived.square - 2 * arrived.mean + seen),
        "seen": Moments(seen, seen),
        "given up": Moments(given_up, given_up),
    }


def _moments(each: float, and_again: float, again: float, sends: int) -> Moments:
    # Of a count that a send raises by one with probability `each` (and is then repeated with
    # `and_again`), when a send is repeated with `again` and there are `sends` at most.
    mean = square = 0.0
    for _ in range(sends):
        mean, square = each + again * mean, each + 2 * and_again * mean + again * square
    return Moments(mean, square)
