// A TAP device in a network namespace that is not this process's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace embedded {

class Tap {
 public:
  // Attaches to `interface` in the namespace the file `netns` stands for; made there if it does not exist.
  // The calling thread visits the namespace and comes back. Throws UserError.
  Tap(const std::string& netns, const std::string& interface);
  ~Tap();
  Tap(Tap&& other) noexcept;
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  Tap& operator=(Tap&&) = delete;

  int fd() const { return fd_; }

  // One frame into `buffer`; returns its bytes, 0 if none waits. Throws if the device is gone, or if the
  // frame fills the buffer and so may have been cut.
  std::size_t read(std::span<std::uint8_t> buffer);

  // False if the device refuses the frame (it is down, or out of memory).
  bool write(std::span<const std::uint8_t> frame);

 private:
  std::string name_;
  int fd_ = -1;
};

}  // namespace embedded
