"""What ends a command."""


class Failure(Exception):
    """It could not be done; the message says why. The exit code is 1."""

    code = 1


class BadInput(Failure):
    """What was asked for makes no sense. The exit code is 2."""

    code = 2
