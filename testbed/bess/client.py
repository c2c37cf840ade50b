"""A client of BESS's control service, with one method for each call."""

import json
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.protobuf.wrappers_pb2 import StringValue

from scripts.base.records import Json

messages: Any = grpc.protos("testbed/bess/control.proto")
"""The message types, made from the file when this module is imported; mypy cannot know them."""

SERVICE = "bess.pb.BESSControl"
ANY_WORKER = -1
CALL_TIMEOUT_S = 20
_OPTIONS = [("grpc.enable_http_proxy", 0), ("grpc.max_receive_message_length", 64 * 1024 * 1024)]


class BessError(Exception):
    """The daemon refused a call or ended during it."""


class BessUnreachableError(BessError):
    """No daemon answers, or none tells its version in time."""


class BessClient:
    """A connection to one bessd, made at the first call."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=_OPTIONS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._channel.close()

    def version(self, timeout_s: float = CALL_TIMEOUT_S) -> str:
        """The daemon's version, if it answers in this time."""
        asked = messages.EmptyRequest()
        return str(self._call("GetVersion", asked, messages.VersionResponse, timeout_s).version)

    def pause(self) -> None:
        """Stop all workers."""
        self._call("PauseAll", messages.EmptyRequest())

    def resume(self) -> None:
        """Let the workers run. The daemon makes one if there is none."""
        self._call("ResumeAll", messages.EmptyRequest())

    def reset_all(self) -> None:
        """Destroy modules, ports, traffic classes and workers."""
        self._call("ResetAll", messages.EmptyRequest())

    def reset_pipeline(self) -> None:
        """Destroy modules, traffic classes and workers. Ports stay."""
        for method in ("ResetModules", "ResetTcs", "ResetWorkers"):
            self._call(method, messages.EmptyRequest())

    def plugins(self) -> list[str]:
        """The paths of the loaded plugins."""
        return list(self._call("ListPlugins", messages.EmptyRequest(), messages.ListPluginsResponse).paths)

    def import_plugin(self, path: str) -> None:
        """Load a plugin. The daemon opens `path`."""
        self._call("ImportPlugin", messages.PluginRequest(path=path))

    def unload_plugin(self, path: str) -> None:
        """Unload a plugin. None of its modules may be in use."""
        self._call("UnloadPlugin", messages.PluginRequest(path=path))

    def create_port(self, name: str, *, vdev: str | None = None, pci: str | None = None) -> None:
        """Make a port from DPDK's device `vdev`, or from the network card at `pci`."""
        argument = messages.PMDPortArg(vdev=vdev) if pci is None else messages.PMDPortArg(pci=pci)
        self._call(
            "CreatePort",
            messages.CreatePortRequest(name=name, driver="PMDPort", arg=_packed(argument)),
            messages.CreatePortResponse,
        )

    def port_statistics(self, name: str) -> Any:
        """The counters of a port: `inc` and `out`, each with `packets`, `bytes` and `dropped`."""
        return self._call(
            "GetPortStats", messages.GetPortStatsRequest(name=name), messages.GetPortStatsResponse
        )

    def port_in(self, module: str, port: str) -> None:
        """Make a module that receives packets from a port."""
        self._create_module(module, "PortInc", messages.PortIncArg(port=port))

    def port_out(self, module: str, port: str) -> None:
        """Make a module that sends packets to a port."""
        self._create_module(module, "PortOut", messages.PortOutArg(port=port))

    def create_plugin_module(self, module: str, kind: str, argument: dict[str, Json]) -> None:
        """Make a module of the observatory's plugin."""
        self._create_module(module, kind, StringValue(value=json.dumps(argument)))

    def destroy_module(self, name: str) -> None:
        """Remove a module from the pipeline."""
        self._call("DestroyModule", messages.DestroyModuleRequest(name=name))

    def connect(self, upstream: str, downstream: str, ogate: int = 0, igate: int = 0) -> None:
        """Send the packets that leave `upstream` at `ogate` to `downstream` at `igate`."""
        self._call(
            "ConnectModules",
            messages.ConnectModulesRequest(m1=upstream, m2=downstream, ogate=ogate, igate=igate),
        )

    def run_command(self, module: str, command: str) -> dict[str, Json]:
        """Run a command of a module of the observatory's plugin and return its answer."""
        request = messages.CommandRequest(name=module, cmd=command, arg=_packed(StringValue()))
        answer = StringValue()
        self._call("ModuleCommand", request, messages.CommandResponse).data.Unpack(answer)
        return parsed_answer(answer.value, f"{command} of {module}")

    def limit_rate(self, name: str, module: str, rate_bps: int, max_burst_bits: int) -> None:
        """Limit the task of `module` to `rate_bps`."""
        limit = messages.TrafficClass(
            name=name,
            policy="rate_limit",
            resource="bit",
            wid=ANY_WORKER,
            limit={"bit": rate_bps},
            max_burst={"bit": max_burst_bits},
        )
        self._call("AddTc", messages.TrafficClassRequest(**{"class": limit}))
        leaf = messages.TrafficClass(parent=name, wid=ANY_WORKER, leaf_module_name=module)
        self._call("UpdateTcParent", messages.TrafficClassRequest(**{"class": leaf}))

    def check_constraints(self) -> None:
        """Raise BessError if the daemon cannot schedule this pipeline."""
        found = self._call(
            "CheckSchedulingConstraints", messages.EmptyRequest(), messages.CheckSchedulingConstraintsResponse
        )
        if found.fatal:
            raise BessError("the daemon cannot schedule the pipeline; see its log")

    def cores(self) -> list[int]:
        """The processors that its workers poll."""
        workers = self._call("ListWorkers", messages.EmptyRequest(), messages.ListWorkersResponse)
        return [int(worker.core) for worker in workers.workers_status]

    def _create_module(self, name: str, kind: str, argument: Message) -> None:
        self._call(
            "CreateModule",
            messages.CreateModuleRequest(name=name, mclass=kind, arg=_packed(argument)),
            messages.CreateModuleResponse,
        )

    def _call(
        self,
        method: str,
        request: Message,
        answer: Any = messages.EmptyResponse,
        timeout_s: float = CALL_TIMEOUT_S,
    ) -> Any:
        """Call the daemon. Its errors are inside the answer; the status of gRPC does not show them."""
        call = self._channel.unary_unary(
            f"/{SERVICE}/{method}",
            request_serializer=lambda message: message.SerializeToString(deterministic=True),
            response_deserializer=answer.FromString,
        )
        try:
            response = call(request, timeout=timeout_s)
        except grpc.RpcError as error:
            raise _failure(method, error) from None
        if response.error.code != 0:
            raise BessError(f"bessd refused {method}: {response.error.errmsg} (error {response.error.code})")
        return response


def parsed_answer(text: str, asked: str) -> dict[str, Json]:
    """The JSON object with which a module answers.

    Raises:
        BessError: the answer is something else.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise BessError(f"bessd answered {asked} with something that is not a JSON object")
    return content


def _failure(method: str, error: Any) -> BessError:
    text = f"bessd did not answer {method}: {error.code().name.lower()}, {error.details()}"
    is_late = error.code() == grpc.StatusCode.DEADLINE_EXCEEDED and method == "GetVersion"
    is_silent = is_late or error.code() == grpc.StatusCode.UNAVAILABLE
    return (BessUnreachableError if is_silent else BessError)(text)


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message, deterministic=True)
    return packed
