// The server of the flows: sends each connection the bytes that it requests, and closes first.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "request.h"
#include "sockets.h"

namespace flows {

// The server closes first, so TIME-WAIT is on its side, and the ports of the client are free again.
class Server {
 public:
  // `log`: a file that gets one line for every flow, "number retransmitted-segments", once its connection ended.
  Server(const sockaddr_in& local, const std::string& log);

  // Serves until the process is killed. Throws std::runtime_error.
  void run();

 private:
  enum class State { awaiting_request, sending, awaiting_end };
  struct Sending {
    Socket socket;
    State state = State::awaiting_request;
    std::uint32_t number = 0;
    std::uint64_t left_bytes = 0;
  };

  void accept_all();
  // These return whether the connection goes on.
  bool handle(Sending& sending);
  bool read_request(Sending& sending);
  bool send_more(Sending& sending);
  void write_log(const Sending& sending);

  Socket listener_;
  Socket log_;
  Events events_;
  std::unordered_map<int, Sending> open_;  // by the socket's number
};

}  // namespace flows
