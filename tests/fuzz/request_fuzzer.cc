// For any 24 bytes: no memory error occurs, and a message that is a request is the one that its request gives.
#include <algorithm>
#include <cstdlib>

#include "request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  flows::RequestMessage message{};
  std::copy_n(reinterpret_cast<const std::byte*>(data), std::min(size, message.size()), message.begin());
  const auto request = flows::decode(message);
  if (request && flows::encode(*request) != message) {
    std::abort();
  }
  return 0;
}
