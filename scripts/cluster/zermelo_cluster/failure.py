"""Errors that end a command."""


class Failure(Exception):
    """A failure during the run, with exit code 1."""

    code = 1


class BadInput(Failure):
    """Bad usage or bad input, with exit code 2."""

    code = 2
