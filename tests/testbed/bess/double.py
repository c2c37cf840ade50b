"""A gRPC server in place of bessd: it records the bytes of every call and answers with given bytes."""

from concurrent.futures import ThreadPoolExecutor

import grpc


class Double(grpc.GenericRpcHandler):
    """Answers every method of BESS's control service: with that of `answers`, or with an empty message."""

    def __init__(self, socket):
        self.address = f"unix:{socket}"
        self.calls = []
        self.answers = {}
        self._server = grpc.server(ThreadPoolExecutor(max_workers=1))
        self._server.add_generic_rpc_handlers((self,))
        self._server.add_insecure_port(self.address)

    def service(self, call):
        service, method = call.method.removeprefix("/").split("/")
        if service != "bess.pb.BESSControl":
            return None

        def answer(request, context):
            self.calls.append((method, request))
            response = self.answers.get(method, b"")
            return response(request) if callable(response) else response

        return grpc.unary_unary_rpc_method_handler(answer)

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *error):
        self.stop()

    def stop(self):
        self._server.stop(None).wait()


def refusal(code, message):
    """The bytes of an answer of bessd with an error: field 1, which has a code (1) and a message (2)."""
    text = message.encode()
    error = b"\x08" + bytes([code]) + b"\x12" + bytes([len(text)]) + text
    return b"\x0a" + bytes([len(error)]) + error
