"""Runs jobs on the workers of a Ray cluster and reports their progress as events.

Ray places the jobs and detects dead workers. This module adds timeouts: a job without a heartbeat, or whose
shard does not grow, is ended. Ray never retries a job; the caller decides, since it holds the partial results.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from zermelo_cluster import job as jobs
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, JobDone, JobEvent, JobLost, JobOutput, JobStarted, ShardProgress

# Attempts to check that all nodes have the program, and seconds between them.
NODE_CHECK_ATTEMPTS = 6
NODE_CHECK_PAUSE = 5.0
# A node on which this many programs fail in a row gets no more jobs: a broken node fails faster than others work
# and would attract every job.
MAX_NODE_FAILURES = 3
# Exit code 2 means bad input, except when stderr contains this text: an engine did not start, which may be the node's
# fault, so the job is restarted.
NODE_FAULT = " does not start: "


@dataclass
class RunningJob:
    """A job that was submitted and has not ended."""

    key: str
    # Times of the last heartbeat and of the last new output.
    heartbeat: float
    grown: float
    # Its worker; `None` while it waits for a free one.
    worker: JobStarted | None = None


class WorkerPool:
    """Runs jobs of one program."""

    def __init__(self, content: bytes, files: jobs.Files, silence: float, stall: float, cpus: int) -> None:
        self._inputs = jobs.JobInputs(ray.put(content), ray.put(files))
        self._silence = silence
        self._stall = stall
        # Retries are ours: they resume where the job stopped.
        self._task = ray.remote(num_cpus=cpus, max_retries=0)(jobs.run)
        self._running: dict[Any, RunningJob] = {}
        # Consecutive failures per node, and the nodes that get no more jobs.
        self._failures: Counter[str] = Counter()
        self._excluded_nodes: list[str] = []

    def __len__(self) -> int:
        return len(self._running)

    def submit(self, key: str, job: Job, existing: bytes = b"") -> None:
        """Submits a job for the next free worker; `existing` is the existing content of its shard."""
        now = time.monotonic()
        elsewhere = {"ray.io/node-id": f"!in({','.join(self._excluded_nodes)})"} if self._excluded_nodes else {}
        task = self._task.options(name=f"zermelo job {key}", label_selector=elsewhere)
        results = task.remote(self._inputs, job, existing)
        self._running[results] = RunningJob(key, now, now)

    def events(self, timeout: float) -> Iterator[JobEvent]:
        """Yields the events since the last call, waiting up to `timeout` seconds for the first. Raises `BadInput`
        if the program rejects its arguments, since it would do so on every node; an engine may start on another."""
        if not self._running:
            return
        first, _ = ray.wait(list(self._running), num_returns=1, timeout=timeout)
        # Read all pending messages before checking for timeouts.
        everyone = list(self._running)
        ready, _ = ray.wait(everyone, num_returns=len(everyone), timeout=0) if first else ([], [])
        for results in ready:
            # The caller may have dropped this job while handling another event.
            event = self._next(results) if results in self._running else None
            if event:
                yield event
        yield from self._timed_out()

    def _next(self, results: Any) -> JobEvent | None:
        running = self._running[results]
        running.heartbeat = time.monotonic()
        try:
            piece = ray.get(next(results))
        except StopIteration:
            del self._running[results]
            return JobLost(running.key, "it ended without a result")
        except ray.exceptions.RayTaskError as error:
            del self._running[results]
            if isinstance(error.cause, jobs.WrongProgram):
                raise error.cause from None
            return JobLost(running.key, f"{error.cause}")
        except ray.exceptions.RayError as error:
            del self._running[results]
            return JobLost(running.key, first_line(error))
        if isinstance(piece, JobOutput):
            del self._running[results]
            return self._ended(running, piece)
        if isinstance(piece, JobStarted):
            running.worker = piece
        elif piece:
            running.grown = running.heartbeat
            self._reset_failures(running)
            return ShardProgress(running.key, piece)
        return None

    def _ended(self, running: RunningJob, output: JobOutput) -> JobDone | JobLost:
        if output.code == 0:
            self._reset_failures(running)
            return JobDone(running.key, output.output)
        if output.code == 2 and NODE_FAULT not in output.errors:
            raise BadInput(output.errors.strip())
        reason = f"on node {output.node}: {output.errors.strip()} (exit code {output.code})"
        node = running.worker.node if running.worker else ""
        self._failures[node] += 1
        if self._failures[node] >= MAX_NODE_FAILURES and self._exclude(node):
            reason += f"; that node gets no more jobs after {MAX_NODE_FAILURES} failures in a row"
        return JobLost(running.key, reason)

    def _reset_failures(self, running: RunningJob) -> None:
        if running.worker:
            self._failures[running.worker.node] = 0

    def _exclude(self, node: str) -> bool:
        """Gives a node no more jobs, if at least one other node is left; returns whether this is new."""
        alive = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
        if node in self._excluded_nodes or not alive - {node, *self._excluded_nodes}:
            return False
        self._excluded_nodes.append(node)
        return True

    def _timed_out(self) -> Iterator[JobLost]:
        now = time.monotonic()
        for results, running in list(self._running.items()):
            if running.worker is None:
                # Waiting for a free worker may take any time.
                running.heartbeat = running.grown = now
            if now - running.heartbeat > self._silence:
                reason = f"no heartbeat for {self._silence:g} s"
            elif now - running.grown > self._stall:
                reason = f"no new output for {self._stall:g} s"
            else:
                continue
            self._end(results)
            yield JobLost(running.key, reason)

    def drop(self, key: str) -> None:
        """Ends a job."""
        for results, running in list(self._running.items()):
            if running.key == key:
                self._end(results)

    def abandon(self) -> None:
        """Ignores all running jobs from now on; they end with this process at the latest."""
        self._running.clear()

    def _end(self, results: Any) -> None:
        """Kills the worker; its supervisor then ends the program. `ray.cancel` does not work on a hung worker, and
        in Ray 2.60 it crashes the driver if the job ends at that moment."""
        worker = self._running.pop(results).worker
        if worker:
            where = NodeAffinitySchedulingStrategy(worker.node, soft=False)
            kill = ray.remote(num_cpus=0, max_retries=0)(_kill)
            kill.options(scheduling_strategy=where, name="zermelo kill").remote(worker.process)


def first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _install(content: bytes, program: jobs.Program) -> None:
    jobs.install(program, content)


def check_nodes(content: bytes, program: jobs.Program) -> list[str]:
    """Checks that every node of the cluster has the program, installing it if needed; returns the node names."""
    reference = ray.put(content)
    # Installing is idempotent, so Ray may retry.
    install = ray.remote(num_cpus=0, max_retries=3)(_install)
    for attempt in range(NODE_CHECK_ATTEMPTS):
        installs, wrong, silent = {}, [], []
        for node in (node for node in ray.nodes() if node["Alive"]):
            where = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            name = f"{node['NodeManagerHostname']} ({node['NodeID'][:8]})"
            options = install.options(scheduling_strategy=where, name="zermelo bench")
            installs[name] = options.remote(reference, program)
        for name, result in installs.items():
            try:
                ray.get(result, timeout=600)
            except ray.exceptions.RayTaskError as error:
                wrong.append(str(error.cause))
            except (ray.exceptions.RayError, ray.exceptions.GetTimeoutError) as error:
                silent.append(f"node {name} does not respond: {first_line(error)}")
        if wrong or (silent and attempt == NODE_CHECK_ATTEMPTS - 1):
            raise Failure("not started: " + "; ".join(wrong + silent))
        if not silent:
            break
        # Ray needs a moment to notice a lost node.
        time.sleep(NODE_CHECK_PAUSE)
    return list(installs)
