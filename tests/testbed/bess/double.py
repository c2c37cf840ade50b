"""A gRPC server in bessd's place: it keeps the bytes of every call and answers with bytes it was given."""

from concurrent.futures import ThreadPoolExecutor

import grpc


class Double(grpc.GenericRpcHandler):
    """Answers every method of BESS's control service; what is not in `answers` gets an empty message."""

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
            given = self.answers.get(method, b"")
            return given(request) if callable(given) else given

        return grpc.unary_unary_rpc_method_handler(answer)

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *error):
        self.stop()

    def stop(self):
        self._server.stop(None).wait()


def refusal(code, words):
    """The bytes of any answer of bessd's with an error in it: field 1, of code (1) and message (2)."""
    text = words.encode()
    error = b"\x08" + bytes([code]) + b"\x12" + bytes([len(text)]) + text
    return b"\x0a" + bytes([len(error)]) + error
