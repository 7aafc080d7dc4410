"""The way to a Ray cluster: one that is running, or nodes on this machine that live as long as they are needed."""

import atexit
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from apprenti.core.children import elsewhere
from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, MissingExtra

MOST_LOCAL = 64
STORE = 80 * 2**20
"""Bytes of a local node's store; what we send is small."""
SETTINGS = {
    "health_check_initial_delay_ms": 300, "health_check_period_ms": 300, "health_check_failure_threshold": 3,
    "worker_niceness": 0, "enable_metrics_collection": False,
}  # fmt: skip
"""Of our own nodes: how soon a dead one is noticed, that cores that play have the priority of this process, and that
nothing is counted that is not read."""
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # sends no usage statistics
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""How HTTP/2 begins (RFC 9113, 3.4), which Ray speaks: both sides send their settings."""
SETTINGS_FRAME = bytes([4])
SOME_SECONDS = 10
"""To find a node of a cluster on this machine."""
CLIENT = "/ray.rpc.RayletDriver/ClusterInfo"
"""What Ray's client asks its server first."""
HINT = "--cluster is local:4, auto, HOST:PORT or ray://HOST:PORT"


@contextmanager
def connected(where: str) -> Iterator[str]:
    """Connect this process to a cluster; yield the address of its head, empty if only Ray's client knows it."""
    check_address(where)
    os.environ.update({name: os.environ.get(name, value) for name, value in ENVIRONMENT.items()})
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra("clusters", "cluster") from None
    if ray.is_initialized():
        raise BadOption("this process is connected to a Ray cluster already: call ray.shutdown() first.")
    with ExitStack() as stack:
        local = where.startswith("local:")
        address = stack.enter_context(local_nodes(int(where[6:]))) if local else where
        _connect(ray, address)
        stack.callback(_disconnect, ray, address)
        yield "" if where.startswith("ray://") else ray.get_runtime_context().gcs_address


def _disconnect(ray: Any, address: str) -> None:
    """Leave the cluster. Where its head has gone, Ray would end this process instead, before anything can be said, and
    crash when the interpreter ends."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host:
            socket.create_connection((host, int(port)), 1.0).close()
        ray.shutdown()
    except OSError:
        atexit.unregister(ray.shutdown)
        atexit.register(leave_at_once)


def leave_at_once() -> None:
    """End this process as one whose cluster was lost."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(2)


def check_address(where: str) -> None:
    """Refuse what is no address of a cluster."""
    if where == "auto":
        return
    number = re.fullmatch(r"local:(\d+)", where)
    if number and not 1 <= int(number[1]) <= MOST_LOCAL:
        raise BadOption(f"--cluster local:{number[1]}: between 1 and {MOST_LOCAL} nodes can be started here.")
    if not number and not re.fullmatch(r"(ray://)?[\w.-]+:\d{1,5}", where):
        raise BadOption(f"{HINT}, not {where!r}.")


def _connect(ray: Any, address: str) -> None:
    if address != "auto":
        _check_that_it_answers(address)
    ray._private.worker.print_to_stdstream = _say_nothing
    try:
        if "://" not in address and address != "auto":
            _check_that_we_are_a_node(ray, address)
        if address.startswith("ray://"):
            check_access(address)
        with elsewhere():  # Ray has its workers look for modules first where this process works
            ray.init(address, namespace=f"apprenti-{uuid4().hex}", log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError, ImportError, TimeoutError, ray.exceptions.RayError) as error:
        raise BadOption(why_not(address, error)) from None


def _say_nothing(*lines: Any, **how: Any) -> None:
    """Ray prints the log of a lost node on standard output, among our results, whatever it is told; we say it."""


def why_not(address: str, error: Exception) -> str:
    """Why Ray does not connect, in one sentence."""
    why = " ".join(str(error).split())
    if isinstance(error, ImportError) or "Ray Client requires" in why:
        return f"{address} needs Ray's client: pip install 'ray[client]', or use HOST:PORT on a node of the cluster."
    if "ersion" in why and "mismatch" in why:
        return f"the cluster at {address} has another version of Ray or Python than this machine ({why:.300})."
    if "authentication token" in why.lower() or "Failed to connect to Ray cluster" in why:
        return (
            f"the cluster at {address} does not let us in: it may ask for a token, and RAY_AUTH_MODE and "
            f"~/.ray/auth_token must be those of its nodes (docs/cluster.md; {why:.200})."
        )
    if address == "auto":
        return "no cluster is running on this machine: `ray start --head` begins one, and local:4 needs none."
    if address.startswith("ray://"):
        return f"Ray's client cannot begin at {address}: try again, or use HOST:PORT on a node ({why:.200})."
    return (
        f"this machine is no node of the cluster at {address}: `ray start --address={address}` makes it one, with "
        f"--num-cpus=0 if it is not to play ({why:.200})."
    )


def _check_that_it_answers(address: str) -> None:
    """Ray itself waits for minutes for an address that is no head."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host, int(port)), 3.0) as connection:
            connection.sendall(GREETING)
            answer = connection.recv(9)
    except (OSError, OverflowError) as error:
        raise BadOption(f"no cluster answers at {address} ({error}): see that its head runs; {HINT}.") from None
    if answer[3:4] != SETTINGS_FRAME and os.environ.get("RAY_USE_TLS", "0") == "0":
        raise BadOption(f"what answers at {address} is no head of a Ray cluster: see which port it has; {HINT}.")


def _check_that_we_are_a_node(ray: Any, address: str) -> None:
    """Ray itself looks for a minute, and ends this process, with its stack, where the node it has found is not here."""
    find = getattr(ray._private.services, "get_node_to_connect_for_driver", None)  # not in every version
    if find:
        ray._private.worker.ensure_token_if_auth_enabled(None, create_token_if_missing=False)
        node = find(ray._raylet.GcsClient(address=address), timeout_seconds=SOME_SECONDS)
        if not Path(node.raylet_socket_name).exists():
            raise ConnectionError("none of its nodes is here")


def check_access(address: str) -> None:
    """Ray's client itself tries for half a minute, and says that time is up; its server says at once why."""
    try:
        from ray._private import grpc_utils  # not in every version
    except ImportError:
        return  # Ray says what is missing
    with grpc_utils.init_grpc_channel(address.removeprefix("ray://")) as channel:  # with our token
        try:
            channel.unary_unary(CLIENT)(b"", timeout=SOME_SECONDS)
        except grpc_utils.grpc.RpcError as error:
            if error.code() == grpc_utils.grpc.StatusCode.UNAUTHENTICATED:
                raise ConnectionError(error.details()) from None


@contextmanager
def local_nodes(number: int) -> Iterator[str]:
    """Nodes of one core each on this machine; the address of the first, which is the head."""
    from ray.cluster_utils import Cluster

    with private_folder() as folder:
        nodes = Cluster()
        try:
            for index in range(1, number + 1):
                _add(nodes, node_options(folder, f"local-{index}", head=index == 1))
            yield str(nodes.address)
        finally:
            with suppress(Exception):
                nodes.shutdown()


def _add(nodes: Any, options: JsonData) -> None:
    try:
        nodes.add_node(**options)
    except Exception as error:  # Ray raises no other
        why = " ".join(str(error).split())
        raise BadOption(f"Ray cannot start {options['node_name']} on this machine ({why:.200}).") from None


@contextmanager
def private_folder() -> Iterator[str]:
    """A folder for nodes of our own. Ray leaves their address there, and not where `auto` looks for other clusters."""
    before = os.environ.get("RAY_TMPDIR")
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder, "ray").mkdir()
        os.environ["RAY_TMPDIR"] = folder
        try:
            yield folder
        finally:
            os.environ.pop("RAY_TMPDIR")
            os.environ.update({"RAY_TMPDIR": before} if before is not None else {})


def node_options(folder: str, name: str, head: bool = False) -> JsonData:
    """The options of a node on this machine."""
    first = {"temp_dir": folder, "include_dashboard": False, "_system_config": SETTINGS} if head else {}
    usual = {"num_cpus": 1, "object_store_memory": STORE, "include_log_monitor": False}
    return {**usual, "node_name": name, **first}
