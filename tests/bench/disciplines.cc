// The CPU time of every queue discipline, beside a plain FIFO of the standard library. Then that of finding the
// fattest of 65,536 queues, as FQ-CoDel does when it is full, beside a scan of all.
// Argument: the number of packets. Standard output: a line for each figure: ns a packet, then what was measured.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <iostream>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "queues/catalogue.h"
#include "queues/largest.h"

namespace {

constexpr std::int64_t frame_ns = 246'080;  // 1514 + 24 bytes at 50 Mbps
constexpr std::uint64_t flows = 64;
constexpr std::uint32_t queues_of_fq_codel = 65'536;

template <typename Work>
void print_cost(std::string_view what, std::uint64_t packets, Work work) {
  const std::clock_t began = std::clock();
  work();
  const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  std::cout << seconds * 1e9 / static_cast<double>(packets) << ' ' << what << '\n';
}

// Calls `arrive` for every packet, and `leave` after 10 of 11: several flows overload the link by 10 %.
template <typename Arrive, typename Leave>
void overload(std::uint64_t packets, Arrive arrive, Leave leave) {
  std::mt19937_64 random(1);
  queues::Packet packet;
  packet.frame_bytes = 1514;
  for (std::uint64_t number = 0; number < packets; ++number) {
    packet.handle = number;
    packet.arrival_ns = static_cast<std::int64_t>(number) * frame_ns * 10 / 11;
    packet.flow_hash = random() % flows;
    arrive(packet, packet.arrival_ns);
    if (number % 11 > 0) {
      leave(packet.arrival_ns);
    }
  }
}

void measure_disciplines(std::uint64_t packets) {
  constexpr std::size_t most = 1000;
  for (auto& entry : queues::catalogue()) {
    const auto queue = entry->make({.packets = most}, 1);
    const auto arrive = [&](const auto& packet, std::int64_t now_ns) { queue->enqueue(packet, now_ns); };
    const auto leave = [&](std::int64_t now_ns) { queue->dequeue(now_ns); };
    print_cost(entry->name(), packets, [&] { overload(packets, arrive, leave); });
  }
  std::deque<queues::Packet> plain;
  const auto arrive = [&](const auto& packet, std::int64_t) {
    if (plain.size() < most) {
      plain.push_back(packet);
    }
  };
  const auto leave = [&](std::int64_t) { plain.pop_front(); };
  print_cost("a plain std::deque", packets, [&] { overload(packets, arrive, leave); });
}

// Each packet changes one queue and asks for the fattest. Fails if tree and scan differ.
void measure_fattest(std::uint64_t packets) {
  std::mt19937_64 random(1);
  queues::Largest largest(queues_of_fq_codel);
  std::vector<std::uint64_t> bytes(queues_of_fq_codel);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> changes(packets);
  for (auto& change : changes) {
    change = {static_cast<std::uint32_t>(random() % queues_of_fq_codel), random() % 1'000'000};
  }
  std::uint64_t of_tree = 0;
  std::uint64_t of_scan = 0;
  print_cost("fattest of 65,536 queues: tree", packets, [&] {
    for (const auto& [number, now_bytes] : changes) {
      largest.set(number, now_bytes);
      of_tree += largest.number();
    }
  });
  print_cost("fattest of 65,536 queues: scan", packets, [&] {
    for (const auto& [number, now_bytes] : changes) {
      bytes[number] = now_bytes;
      of_scan += static_cast<std::uint64_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
    }
  });
  if (of_tree != of_scan) {
    std::exit(1);
  }
}

}  // namespace

int main(int, char** words) {
  const std::uint64_t packets = std::strtoull(words[1], nullptr, 10);
  measure_disciplines(packets);
  measure_fattest(std::max<std::uint64_t>(1, packets / 1000));  // a scan takes as long as hundreds of packets
}
