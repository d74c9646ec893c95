"""Of those who have left the latest are remembered."""

from site_app.web.guard.departed import Departed


def test_the_first_who_left_is_forgotten_when_there_are_too_many() -> None:
    forgotten: list[str] = []
    departed = Departed(forgotten.append, most=2)

    for token in "abc":
        departed.comes(token)
    for token in "bca":
        departed.leaves(token)

    assert forgotten == ["b"]


def test_who_is_here_or_came_back_is_not_forgotten() -> None:
    forgotten: list[str] = []
    departed = Departed(forgotten.append, most=1)

    for token in ("first", "second", "second"):
        departed.comes(token)
    departed.leaves("first")
    departed.comes("first")  # back again
    departed.leaves("second")  # one of two sockets
    departed.comes("third")
    departed.leaves("third")

    assert forgotten == []
