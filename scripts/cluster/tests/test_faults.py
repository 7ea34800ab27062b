"""Every failure a cluster can have, with real Ray processes on this machine: the result is always what one machine
would have played, game for game."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, ClassVar

import grpc
import psutil
import pytest
from ray.cluster_utils import Cluster

from zermelo_cluster.command import check_address
from zermelo_cluster.failure import Failure

# Short games between two different players, enough of them for something to happen meanwhile.
MATCH = [
    *("--engine", "name=one", "--engine", "name=two", "option.Seed=7", "nodes=400", "--each", "nodes=900"),
    *("--openings", "random=6", "--rounds", "30", "--seed", "3"),
]
GAMES = 60
OPENINGS = Path(__file__).parents[2] / "openings.fen"


class Command:
    """A cluster command in its own process."""

    # The commands that the running test started.
    started: ClassVar[list[Command]] = []

    def __init__(self, folder: Path, program: Path, name: str, words: Sequence[str]) -> None:
        self.output: IO[bytes] = (folder / "output").open("wb")
        self.errors = folder / "errors"
        with self.errors.open("ab") as errors:
            arguments = [sys.executable, "-m", "zermelo_cluster", name, "--program", str(program), *words]
            self.process = subprocess.Popen(
                arguments, cwd=folder, stdout=self.output, stderr=errors, start_new_session=True
            )
        Command.started.append(self)

    def wait(self, code: int = 0) -> str:
        found = self.process.wait(240)
        said = self.errors.read_text()
        assert found == code, said
        return said


@pytest.fixture(autouse=True)
def stop_commands(cluster: Cluster) -> Iterator[None]:
    """Stops the commands of a failed test, which would keep workers from the next one."""
    yield
    while Command.started:
        command = Command.started.pop()
        command.process.kill()
        command.process.wait()
        command.output.close()


def workers() -> list[psutil.Process]:
    """The Ray processes that are running a job."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if words and words[0].startswith("ray::zermelo job"):
            found.append(process)
    return found


def programs(word: str) -> list[psutil.Process]:
    """The programs that jobs run with this argument, found by the folder that a job runs in."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "cwd"])
        if word in (process.info["cmdline"] or [])[1:] and "/zermelo-job-" in (process.info["cwd"] or "")
    ]


def wait_for(what: Callable[[], object], patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def games_in(folder: Path) -> int:
    return sum(file.read_bytes().count(b'"type":"game"') for file in folder.glob("games.pgn.shards/*.json"))


def has_games(folder: Path, count: int) -> bool:
    return games_in(folder) > count


def kill_until_reported(command: Command) -> bool:
    """Kills running jobs until the driver reports a restart."""
    for victim in [*workers()[:1], *programs("--from-game")[:1]]:
        with contextlib.suppress(psutil.NoSuchProcess):
            victim.send_signal(signal.SIGKILL)
            # Leave the jobs time to make progress.
            time.sleep(0.5)
    return "is restarted" in command.errors.read_text()


def suspend(processes: list[psutil.Process]) -> bool:
    """Suspends one of the processes, if there is one."""
    for process in processes[:1]:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.suspend()
            return True
    return False


def played(record: Path) -> list[list[str]]:
    """The games of a record without times and dates."""
    games = re.split(r"\n\n(?=\[Game )", record.read_text().split("\n\n", 1)[1])
    varying = ("[Date", "[Started", "[Time", "[Ended", "% ")
    kept = []
    for game in filter(str.strip, games):
        lines = [line for line in game.splitlines() if line.startswith("[") and not line.startswith(varying)]
        moves = re.sub(r"\{[^}]*\}", "", "\n".join(line for line in game.splitlines() if line[:1] not in ("[", "%")))
        kept.append([*lines, " ".join(moves.split())])
    return kept


@pytest.fixture(scope="module")
def alone(program: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The games as one machine plays them."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run([program, "match", *MATCH, "--record", "games.pgn"], cwd=folder, check=True, capture_output=True)
    games = played(folder / "games.pgn")
    assert len(games) == GAMES
    return games


def begin(folder: Path, program: Path, *words: str) -> Command:
    own = ["--record", "games.pgn", "--shard-games", "4", *words]
    return Command(folder, program, "match", [*MATCH, *own])


def test_games_are_the_same_as_on_one_machine(
    cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]
) -> None:
    said = begin(tmp_path, program).wait()
    assert "2 nodes, 2 workers" in said
    assert played(tmp_path / "games.pgn") == alone
    # Everything is finished: the same command plays nothing and prints the same.
    before = (tmp_path / "output").read_text()
    begin(tmp_path, program).wait()
    assert (tmp_path / "output").read_text() == before
    # And one machine can resume the record.
    more = [word if word != "30" else "31" for word in [*MATCH, "--record", "games.pgn"]]
    subprocess.run([program, "match", *more], cwd=tmp_path, check=True, capture_output=True)
    assert played(tmp_path / "games.pgn")[:GAMES] == alone


def test_killed_workers_and_programs(cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]) -> None:
    command = begin(tmp_path, program)
    for number in range(4):
        wait_for(functools.partial(has_games, tmp_path, 5 * (number + 1)))
        victims = workers() if number % 2 == 0 else programs("--game-range")
        if victims:
            victims[0].send_signal(signal.SIGKILL)
    said = command.wait()
    assert "is restarted" in said
    # What Ray says of this is not for a pipe.
    assert all(line.startswith("zermelo_cluster: ") for line in said.splitlines())
    assert played(tmp_path / "games.pgn") == alone
    wait_for(lambda: not programs("--game-range"), 20)


def test_a_lost_node(cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]) -> None:
    command = begin(tmp_path, program)
    wait_for(lambda: games_in(tmp_path) > 8)
    lost = next(node for node in cluster.list_all_nodes() if node is not cluster.head_node)
    cluster.remove_node(lost, allow_graceful=False)
    wait_for(lambda: games_in(tmp_path) > 20)
    cluster.add_node(num_cpus=1)
    command.wait()
    assert played(tmp_path / "games.pgn") == alone


def test_a_killed_driver(cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]) -> None:
    for number in range(3):
        command = begin(tmp_path, program)
        wait_for(functools.partial(has_games, tmp_path, 12 * (number + 1)))
        os.kill(command.process.pid, signal.SIGKILL)
        command.process.wait()
        # Its jobs end with it.
        wait_for(lambda: not programs("--game-range"), 30)
    before = games_in(tmp_path)
    assert before < GAMES
    begin(tmp_path, program).wait()
    assert played(tmp_path / "games.pgn") == alone


def test_killed_drivers_leave_no_files_in_memory(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    """Arguments of tasks may fill 70 % of a node's object store, 105 MB here; Ray starts no task beyond that."""
    (tmp_path / "large").write_bytes(os.urandom(50_000_000))
    for number in range(2):
        command = begin(tmp_path, program, "--take", "large")
        wait_for(functools.partial(has_games, tmp_path, 8 * (number + 1)))
        os.kill(command.process.pid, signal.SIGKILL)
        command.process.wait()
        wait_for(lambda: not programs("--game-range"), 30)
    begin(tmp_path, program, "--take", "large").wait()


def test_a_worker_that_hangs(cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]) -> None:
    command = begin(tmp_path, program, "--silence", "8", "--restart-after", "12")
    wait_for(lambda: games_in(tmp_path) > 5 and len(workers()) == 2)
    # First Python hangs, then the program.
    workers()[0].suspend()
    wait_for(lambda: games_in(tmp_path) > 20)
    wait_for(lambda: suspend(programs("--game-range")))
    said = command.wait()
    assert "no heartbeat for 8 s" in said
    assert "no new output for 12 s" in said
    assert played(tmp_path / "games.pgn") == alone


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_a_signal_the_match_can_be_resumed(
    cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]], number: signal.Signals
) -> None:
    command = begin(tmp_path, program)
    wait_for(lambda: games_in(tmp_path) > 10)
    command.process.send_signal(number)
    said = command.wait(code=1)
    assert re.search(r"interrupted after \d+ games.*; run the same command to resume", said)
    some = played(tmp_path / "games.pgn")
    assert 10 < len(some) < GAMES and all(game in alone for game in some)
    wait_for(lambda: not programs("--game-range"), 20)
    begin(tmp_path, program).wait()
    assert played(tmp_path / "games.pgn") == alone


def test_a_node_with_another_program_is_named(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    """On a marked node `bench` counts something else."""
    other = tmp_path / "zermelo"
    other.write_text(
        f'#!/bin/sh\n[ "$1 $MARKED" = "bench yes" ] && echo "123 nodes 1 nps" && exit\nexec {program} "$@"\n'
    )
    other.chmod(0o755)
    begin(tmp_path, other, "--program-on-nodes", str(other)).wait()
    (tmp_path / "games.pgn").unlink()
    marked = cluster.add_node(num_cpus=1, env_vars={"MARKED": "yes"})
    said = begin(tmp_path, other, "--program-on-nodes", str(other)).wait(code=1)
    assert re.search(rf"on node \S+ \({marked.node_id[:8]}\) is a different program: bench 123, expected \d+", said)
    assert "not started" in said and not (tmp_path / "games.pgn").exists()
    cluster.remove_node(marked)


def test_a_program_that_only_knows_the_bench_is_not_believed(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    liar = tmp_path / "zermelo"
    liar.write_text(f'#!/bin/sh\n[ "$1" = match ] && echo lies && exit\nexec {program} "$@"\n')
    liar.chmod(0o755)
    said = begin(tmp_path, program, "--program-on-nodes", str(liar)).wait(code=1)
    assert re.search(r"zermelo on node \S+ \(\w+\) is a different program: digest \w+, expected \w+", said)


def test_a_cluster_that_wants_another_token_is_named_at_once() -> None:
    class Guard(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, details: object) -> object:
            return grpc.unary_unary_rpc_method_handler(
                lambda request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, "no")
            )

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Guard()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with pytest.raises(Failure, match=f"no access to 127.0.0.1:{port}: set RAY_AUTH_MODE=token"):
        check_address(f"127.0.0.1:{port}")
    server.stop(None)


def test_a_node_on_which_everything_fails_gets_no_more_jobs(
    cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]
) -> None:
    other = tmp_path / "zermelo"
    other.write_text(
        f'#!/bin/sh\n[ "$1" != bench ] && [ "$MARKED" ] && echo "no luck" >&2 && exit 1\nexec {program} "$@"\n'
    )
    other.chmod(0o755)
    marked = cluster.add_node(num_cpus=1, env_vars={"MARKED": "yes"})
    said = begin(tmp_path, other, "--program-on-nodes", str(other)).wait()
    assert said.count("no luck") >= 3 and said.count("that node gets no more jobs") == 1
    assert played(tmp_path / "games.pgn") == alone
    cluster.remove_node(marked)


def test_files_that_engines_need_are_sent(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    """An engine, openings and a network, by relative paths."""
    (tmp_path / "old").mkdir()
    shutil.copy(program, tmp_path / "old/zermelo")
    shutil.copy(OPENINGS, tmp_path / "some.fen")
    shutil.copy(OPENINGS.parents[1] / "data/weights/tixtax.eval", tmp_path / "net.eval")
    words = ["--engine", "name=new", "option.EvalFile=net.eval", "--engine", "name=old", "cmd=old/zermelo"]
    words += ["--each", "nodes=50", "--openings", "file=some.fen", "--rounds", "4", "--record", "games.pgn"]
    Command(tmp_path, program, "match", [*words, "--take", "old/zermelo"]).wait()
    record = (tmp_path / "games.pgn").read_text()
    assert record.count('[Termination "normal"]') == 8
    # With another network it is different work.
    (tmp_path / "net.eval").write_bytes((tmp_path / "net.eval").read_bytes() + b"!")
    said = Command(tmp_path, program, "match", [*words, "--take", "old/zermelo"]).wait(code=2)
    assert "shards of different work, with files" in said


def test_an_engine_that_does_not_start_loses_no_game(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    words = ["--engine", "name=a", "--engine", "name=b", "cmd=./nowhere", "--each", "nodes=50"]
    said = Command(tmp_path, program, "match", [*words, "--record", "games.pgn"]).wait(code=1)
    assert "b does not start: it cannot be started: no such file" in said and "no progress in 5 attempts" in said
    assert not (tmp_path / "games.pgn").exists() or "Result" not in (tmp_path / "games.pgn").read_text()


def test_an_sprt_stops_everything(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    words = ["--engine", "name=deep", "nodes=3000", "--engine", "name=flat", "nodes=20", "--rounds", "500"]
    words += ["--openings", "random=6", "--sprt", "elo0=0", "elo1=50", "--record", "games.pgn", "--shard-games", "4"]
    Command(tmp_path, program, "match", words).wait()
    assert games_in(tmp_path) < 200
    assert "H1" in (tmp_path / "output").read_text()
    wait_for(lambda: not programs("--game-range"), 20)


def test_unsupported_settings_are_refused(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    def refused(*words: str) -> str:
        (tmp_path / "errors").unlink(missing_ok=True)
        return Command(tmp_path, program, "match", words).wait(code=2)

    pair = ["--engine", "name=a", "--engine", "name=b", "--each", "nodes=10", "--record", "r.pgn"]
    assert "each worker plays one game at a time" in refused(*pair, "--concurrency", "2")
    assert "would split pairs" in refused(*pair, "--shard-games", "3")
    assert "cannot be sent" in refused(*pair, "--openings", f"file={OPENINGS}")
    assert 'unknown key "nods"' in refused(*pair, "--openings", "nods=10")
    assert "--record" in refused("--engine", "name=a")


def test_an_option_that_an_engine_does_not_offer_is_refused(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    words = ["--engine", "name=a", "--engine", "name=b", "option.Nonsense=1", "--each", "nodes=9"]
    said = Command(tmp_path, program, "match", [*words, "--record", "games.pgn"]).wait(code=2)
    assert 'b does not offer the option "Nonsense"' in said


def test_damaged_finished_shards_are_played_again(
    cluster: Cluster, program: Path, tmp_path: Path, alone: list[list[str]]
) -> None:
    begin(tmp_path, program).wait()
    shards = sorted((tmp_path / "games.pgn.shards").glob("*.json"))
    shards = [shard for shard in shards if shard.name != "plan.json"]
    shards[1].unlink()
    shards[2].write_bytes(shards[2].read_bytes()[:2500])
    (tmp_path / "games.pgn").unlink()
    begin(tmp_path, program).wait()
    assert played(tmp_path / "games.pgn") == alone


def test_paths_and_numbers_are_checked_first(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/plan.json").write_text("hello")

    def refused(code: int, *words: str) -> str:
        (tmp_path / "errors").unlink(missing_ok=True)
        said = Command(tmp_path, program, words[0], words[1:]).wait(code=code)
        assert "Traceback" not in said
        return said

    few = ["datagen", "--games", "4", "--nodes", "9"]
    for place in ("folder", "/proc/x", "", "nowhere/x"):
        assert "cannot be written to" in refused(2, *few, "--out", place)
        assert "cannot be written to" in refused(2, "train", "--data", "x", "--trainer", "x", "--out", place)
    assert "is not a plan of shards" in refused(2, *few, "--out", "out", "--folder", "parts")
    assert "shards are too many" in refused(2, "datagen", "--games", "100000000000", "--out", "out")
    assert "expected a number of seconds" in refused(2, *few, "--out", "out", "--silence", "nan")
    assert "no answer from 127.0.0.1:1" in refused(1, *few, "--out", "out", "--cluster", "127.0.0.1:1")
    assert "expected HOST:PORT" in refused(2, *few, "--out", "out", "--cluster", "nonsense")


def test_training_games_are_the_same_as_on_one_machine(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    words = ["--games", "60", "--nodes", "400", "--seed", "5"]
    subprocess.run([program, "datagen", *words, "--out", "alone"], cwd=tmp_path, check=True, capture_output=True)
    command = Command(tmp_path, program, "datagen", [*words, "--out", "together", "--shard-games", "6"])
    wait_for(lambda: list(tmp_path.glob("together.shards/*.samples")))
    wait_for(functools.partial(kill_until_reported, command))
    command.process.send_signal(signal.SIGTERM)
    assert "run the same command to resume" in command.wait(code=1)
    Command(tmp_path, program, "datagen", [*words, "--out", "together", "--shard-games", "6"]).wait()
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()


def test_an_interrupted_training_is_repeated(cluster: Cluster, program: Path, tmp_path: Path) -> None:
    trainer = program.parent / "examples" / "train"
    if not trainer.exists():
        pytest.skip(f"there is no {trainer}: cargo build --release --example train")
    subprocess.run([program, "datagen", "--games", "200", "--nodes", "100", "--out", "data"], cwd=tmp_path, check=True)
    words = ["--data", "data", "--out", "net.eval", "--trainer", str(trainer)]
    command = Command(tmp_path, program, "train", [*words, "--epochs", "100"])
    wait_for(lambda: programs("--epochs"))
    programs("--epochs")[0].kill()
    assert "attempt 1 of 5" in command.wait()
    commands = ["setoption name EvalFile value net.eval", "position startpos", "go nodes 100"]
    done = subprocess.run([program, "--", *commands], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "bestmove" in done.stdout and "error" not in done.stdout
    # Arguments that the trainer rejects are not tried again.
    said = Command(tmp_path, program, "train", [*words, "--epoch-s", "1"]).wait(code=2)
    assert "--epoch-s" in said
