// A TAP device in another network namespace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace embedded {

class Tap {
 public:
  // Attaches to `interface` in the namespace of the file `netns`. The interface is created if it does not
  // exist. The calling thread enters the namespace and returns. Throws UserError.
  Tap(const std::string& netns, const std::string& interface);
  ~Tap();
  Tap(Tap&& other) noexcept;
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  Tap& operator=(Tap&&) = delete;

  int fd() const { return fd_; }

  // Reads one frame into `buffer`. Returns its size in bytes, 0 if there is none. Throws if the device is
  // gone, or if the frame fills the buffer, because it may then be truncated.
  std::size_t read(std::span<std::uint8_t> buffer);

  // Returns false if the device refuses the frame (it is down or out of memory).
  bool write(std::span<const std::uint8_t> frame);

 private:
  std::string name_;
  int fd_ = -1;
};

}  // namespace embedded
