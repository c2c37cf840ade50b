// A copy of a capture without payload and without information about the host: pcapng with times in ns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "capture.h"
#include "pseudonyms.h"

namespace capture {

class Publication {
 public:
  // `pseudonyms` replaces the addresses. Without it they are published.
  explicit Publication(std::unique_ptr<ByteSource> source, std::optional<Pseudonyms> pseudonyms = {})
      : reader_(std::move(source)), pseudonyms_(std::move(pseudonyms)) {}

  // The next piece of the copy, about `size` bytes; empty after the last one. It contains whole blocks, except
  // for the damage at the end of the copy of a cut or corrupt capture.
  std::string next(std::size_t size);

 private:
  void put_packet(const Record& record, std::uint32_t interface, std::string& copy);
  std::uint32_t interface(const Record& record, std::string& copy);

  CaptureReader reader_;
  std::optional<Pseudonyms> pseudonyms_;
  std::unordered_map<std::uint32_t, std::uint32_t> interfaces_;  // from numbers in the source to numbers in the copy
  bool begun_ = false;
  bool over_ = false;
};

}  // namespace capture
