// A copy of a capture without payload and without information about the host: pcapng with times in ns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "capture.h"

namespace capture {

class Publication {
 public:
  explicit Publication(std::unique_ptr<ByteSource> source) : reader_(std::move(source)) {}

  // The next piece of the copy, about `size` bytes; empty after the last one. It contains whole blocks, except
  // for the damage at the end of the copy of a cut or corrupt capture.
  std::string next(std::size_t size);

 private:
  std::uint32_t interface(const Record& record, std::string& copy);

  CaptureReader reader_;
  std::unordered_map<std::uint32_t, std::uint32_t> interfaces_;  // from numbers in the source to numbers in the copy
  bool begun_ = false;
  bool over_ = false;
};

}  // namespace capture
