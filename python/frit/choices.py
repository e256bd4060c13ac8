# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernel executes each op of a program, and why the others do not."""

from dataclasses import dataclass

from ._library import compiler

_OUTCOMES = ("refused", "guarded", "picked", "admissible")


@dataclass(frozen=True)
class Location:
    """A place in a source; `line` is 0 where it is unknown."""

    file: str
    line: int
    column: int

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True)
class Candidate:
    """A kernel that could have executed an op.

    `outcome` is "picked", "guarded" (executes the op where its guard holds at run time), "admissible" (could execute it,
    but another comes first) or "refused"; `reason` says why, and `condition` is the id of the condition that failed.
    Higher priorities are tried first."""

    kernel: str
    provider: str
    outcome: str
    priority: int
    condition: str
    reason: str


def _describe(candidate):
    # A reason that is shown alone says the outcome itself.
    if not candidate.reason or candidate.reason.startswith(candidate.outcome):
        return candidate.reason or candidate.outcome
    return f"{candidate.outcome}, {candidate.reason}"


@dataclass(frozen=True)
class Choice:
    """The decision about one op. `kernel` is the id of the picked kernel, `function` the function with the op."""

    op: str
    function: str
    kernel: str
    location: Location
    candidates: tuple

    def __str__(self):
        lines = [f"{self.op} in {self.function}: {self.kernel}"]
        lines += [f"  {candidate.kernel}: {_describe(candidate)}" for candidate in self.candidates]
        return "\n".join(lines)


def read_location(location):
    return Location(location.file.decode(errors="replace"), location.line, location.column)


def _read_candidate(candidate):
    return Candidate(candidate.kernel.decode(), candidate.provider.decode(), _OUTCOMES[candidate.outcome],
                     candidate.priority, candidate.condition.decode(), candidate.reason.decode())


def read_choices(program):
    """The choices of a program, given by its address."""
    choices = []
    for index in range(compiler.fritProgramNumChoices(program)):
        choice = compiler.fritProgramChoice(program, index).contents
        candidates = tuple(
            _read_candidate(compiler.fritProgramCandidate(program, index, number).contents)
            for number in range(choice.numCandidates))
        choices.append(
            Choice(choice.op.decode(), choice.function.decode(), choice.kernel.decode(), read_location(choice.location),
                   candidates))
    return choices
