// Which of many numbered queues holds the most bytes. A tournament: each node of a binary tree holds the winner
// of the two nodes below it, so that a change costs one comparison a level, and the question nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace queues {

class Largest {
 public:
  // `count` queues, numbered from 0, all empty. At least one.
  explicit Largest(std::size_t count)
      : leaves_(std::bit_ceil(count)), bytes_(leaves_), winners_(2 * leaves_) {
    for (std::size_t number = 0; number < leaves_; ++number) {
      winners_[leaves_ + number] = static_cast<std::uint32_t>(number);
    }
    for (std::size_t node = leaves_ - 1; node > 0; --node) {
      play(node);
    }
  }

  void set(std::uint32_t number, std::uint64_t bytes) {
    bytes_[number] = bytes;
    for (std::size_t node = (leaves_ + number) / 2; node > 0; node /= 2) {
      play(node);
    }
  }

  // The queue with the most bytes; of several the one with the lowest number.
  std::uint32_t number() const { return winners_[1]; }

 private:
  void play(std::size_t node) {
    const std::uint32_t lower = winners_[2 * node];
    const std::uint32_t higher = winners_[2 * node + 1];
    winners_[node] = bytes_[lower] >= bytes_[higher] ? lower : higher;
  }

  std::size_t leaves_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::uint32_t> winners_;  // of node 1, the root, and on; the leaves are the queues themselves
};

}  // namespace queues
