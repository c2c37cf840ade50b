"""The bytes of every call, as a real bessd accepted them, and its answers."""

import json

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from testbed.bess.client import BessClient, BessError, BessUnreachableError, messages
from tests.testbed.bess.double import refusal

PORT = (
    "0a08706f72745f7372761207504d44506f72743a490a26747970652e676f6f676c65617069732e636f6d2f626573732e70622e"
    "504d44506f7274417267121f221d6e65745f61665f7061636b65745f7372762c69666163653d705f737276"
)
PORT_INC = (
    "0a067372765f696e1207506f7274496e631a340a26747970652e676f6f676c65617069732e636f6d2f626573732e70622e506f"
    "7274496e63417267120a0a08706f72745f737276"
)
CONNECT = "0a067372765f696e120362746c"
ADD_LIMIT = (
    "0a3e12096269745f6c696d6974220a726174655f6c696d69742a0362697440ffffffffffffffffff014a0a0a036269741080a4"
    "e80352090a0362697410b0ea01"
)
PUT_UNDER_LIMIT = "0a1b0a096269745f6c696d697440ffffffffffffffffff015a0362746c"


def sent(double):
    return [(method, request.hex()) for method, request in double.calls]


def test_a_request_for_a_port_has_the_bytes_that_a_real_daemon_accepted(client, double):
    client.create_port("port_srv", vdev="net_af_packet_srv,iface=p_srv")
    assert sent(double) == [("CreatePort", PORT)]


def test_a_port_on_a_network_card_is_named_by_its_pci_address(client, double):
    client.create_port("port_srv", pci="0000:05:00.0")
    argument = b"\x1a\x0c0000:05:00.0"
    kind = b"type.googleapis.com/bess.pb.PMDPortArg"
    packed = b"\x0a" + bytes([len(kind)]) + kind + b"\x12" + bytes([len(argument)]) + argument
    expected = b"\x0a\x08port_srv\x12\x07PMDPort\x3a" + bytes([len(packed)]) + packed
    assert double.calls == [("CreatePort", expected)]


def test_requests_for_port_modules_have_the_bytes_that_a_real_daemon_accepted(client, double):
    client.port_in("srv_in", "port_srv")
    client.port_out("cli_out", "port_cli")
    kind = b"type.googleapis.com/bess.pb.PortOutArg"
    packed = b"\x0a" + bytes([len(kind)]) + kind + b"\x12\x0a\x0a\x08port_cli"
    out = b"\x0a\x07cli_out\x12\x07PortOut\x1a" + bytes([len(packed)]) + packed
    assert sent(double) == [("CreateModule", PORT_INC), ("CreateModule", out.hex())]


def test_requests_for_connections_have_the_bytes_that_a_real_daemon_accepted(client, double):
    client.connect("srv_in", "btl")
    client.connect("srv_in", "btl", ogate=1, igate=2)
    assert sent(double) == [("ConnectModules", CONNECT), ("ConnectModules", CONNECT + "18012002")]


def test_the_request_for_the_rate_limit_has_the_bytes_that_a_real_daemon_accepted(client, double):
    client.limit_rate("bit_limit", "btl", 8_000_000, 30_000)
    assert sent(double) == [("AddTc", ADD_LIMIT), ("UpdateTcParent", PUT_UNDER_LIMIT)]


def test_calls_for_the_whole_daemon_have_no_argument(client, double):
    client.pause()
    client.reset_all()
    client.resume()
    client.reset_pipeline()
    names = ["PauseAll", "ResetAll", "ResumeAll", "ResetModules", "ResetTcs", "ResetWorkers"]
    assert double.calls == [(name, b"") for name in names]


def test_plugins_are_loaded_and_unloaded_by_path(client, double):
    double.answers["ListPlugins"] = b"\x12\x05/a.so\x12\x05/b.so"
    assert client.plugins() == ["/a.so", "/b.so"]
    client.import_plugin("/c.so")
    client.unload_plugin("/c.so")
    assert double.calls[1:] == [("ImportPlugin", b"\x0a\x05/c.so"), ("UnloadPlugin", b"\x0a\x05/c.so")]


def test_modules_of_the_plugin_get_json_in_a_string(client, double):
    client.create_plugin_module("delay", "ObservatoryDelay", {"lines": []})
    kind = b"type.googleapis.com/google.protobuf.StringValue"
    text = b'{"lines": []}'
    value = b"\x0a" + bytes([len(text)]) + text
    packed = b"\x0a" + bytes([len(kind)]) + kind + b"\x12" + bytes([len(value)]) + value
    expected = b"\x0a\x05delay\x12\x10ObservatoryDelay\x1a" + bytes([len(packed)]) + packed
    assert double.calls == [("CreateModule", expected)]


def test_a_modules_answer_is_unpacked(client, double):
    answer = messages.CommandResponse()
    answer.data.Pack(StringValue(value=json.dumps({"packets": 3})))
    double.answers["ModuleCommand"] = answer.SerializeToString()
    assert client.run_command("queue", "held") == {"packets": 3}
    kind = b"type.googleapis.com/google.protobuf.StringValue"
    packed = b"\x0a" + bytes([len(kind)]) + kind
    expected = b"\x0a\x05queue\x12\x04held\x1a" + bytes([len(packed)]) + packed
    assert double.calls == [("ModuleCommand", expected)]


def test_counters_of_a_port_are_read(client, double):
    double.answers["GetPortStats"] = b"\x12\x02\x10\x07\x1a\x06\x08\x03\x10\x01\x18\x2a"
    statistics = client.port_statistics("p")
    assert double.calls == [("GetPortStats", b"\x0a\x01p")]
    assert statistics.inc.dropped == 7
    assert (statistics.out.packets, statistics.out.dropped, statistics.out.bytes) == (3, 1, 42)


def test_the_processors_of_the_workers_are_read(client, double):
    double.answers["ListWorkers"] = b"\x12\x04\x10\x01\x18\x01"
    assert client.cores() == [1]


def test_an_error_inside_the_answer_is_raised(client, double):
    double.answers["CreateModule"] = refusal(17, "Module btl exists")
    with pytest.raises(BessError, match=r"bessd refused CreateModule: Module btl exists \(error 17\)"):
        client.port_in("btl", "p")


def test_a_pipeline_that_cannot_be_scheduled_is_an_error(client, double):
    double.answers["CheckSchedulingConstraints"] = b"\x10\x01"
    with pytest.raises(BessError, match="cannot schedule"):
        client.check_constraints()


def test_a_missing_daemon_is_an_error_of_its_own(tmp_path):
    with (
        BessClient(f"unix:{tmp_path}/none.sock") as client,
        pytest.raises(BessUnreachableError, match="GetVersion: unavailable"),
    ):
        client.version()
