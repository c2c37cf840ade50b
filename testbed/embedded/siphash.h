// SipHash-2-4 (Aumasson and Bernstein 2012): a hash whose collisions nobody finds who does not know the key.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace embedded {

struct SipKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

constexpr std::uint64_t siphash(std::span<const std::uint8_t> bytes, SipKey key) {
  // Section 2.1: the state is the key, xor "somepseudorandomlygeneratedbytes".
  std::uint64_t v0 = key.low ^ 0x736F6D6570736575, v1 = key.high ^ 0x646F72616E646F6D;
  std::uint64_t v2 = key.low ^ 0x6C7967656E657261, v3 = key.high ^ 0x7465646279746573;
  const auto rounds = [&](int count) {
    for (; count > 0; --count) {
      v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
      v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
    }
  };
  const auto compress = [&](std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  // Section 2.2: words of 8 bytes, the lowest first. The last one ends with the length.
  std::uint64_t word = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    word |= std::uint64_t{bytes[at]} << at % 8 * 8;
    if (at % 8 == 7) {
      compress(word);
      word = 0;
    }
  }
  compress(word | std::uint64_t{bytes.size()} << 56);
  v2 ^= 0xFF;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace embedded
