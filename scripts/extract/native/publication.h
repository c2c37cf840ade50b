// A capture without payload and without what names the host, as pcapng with times in nanoseconds.
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

  // The next piece of the copy, of about `size` bytes; empty after the last. Whole blocks, but for what
  // makes the copy end as its source did.
  std::string next(std::size_t size);

 private:
  std::uint32_t interface(const Record& record, std::string& copy);

  CaptureReader reader_;
  std::unordered_map<std::uint32_t, std::uint32_t> interfaces_;  // the source's numbers to the copy's
  bool begun_ = false;
  bool over_ = false;
};

}  // namespace capture
