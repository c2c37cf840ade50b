// The per-packet log of the bottleneck: its format, and the writer.
//
// The file, all numbers little-endian:
//   8 bytes   magic "IFOQUEUE"
//   4 bytes   version, unsigned: 1
//   4 bytes   L, unsigned: the length of the head
//   L bytes   head, UTF-8 JSON: {"version": 1, "program": "observatory-switch 0.1.0", "seed": ...,
//             "parameters": {...}, "units": {column: unit}, "record": [[column, type], ...]};
//             `record` is a numpy dtype description of what follows
//   52 bytes  for each packet with a verdict, until the end of the file. After a crash the file may end
//             within a record; readers ignore such a partial record.
//
//   column           type  meaning
//   arrival_ns       <u8   ns since the Unix epoch: when the packet arrived at the bottleneck. That is when
//                          the switch read it from the service's TAP or, with an access link, when it left
//                          that link; for a packet lost on the access link, when it would have left
//   departure_ns     <u8   ns since the Unix epoch: when the packet left the queue for the link, exactly by
//                          the bottleneck's arithmetic and rounded up. departure - arrival is the time in
//                          the queue, without the packet's own serialisation. 0: dropped
//   dropped_ns       <u8   ns since the Unix epoch: when the packet was dropped; an AQM, or a drop from the
//                          longest queue, may come later than the arrival. 0: not dropped
//   flow             <u4   index into the list of 5-tuples in the flows file; 4294967295: not TCP or UDP
//                          over IPv4 or IPv6, a later fragment, or after IPv6 extension headers
//   tcp_seq          <u4   TCP sequence number as sent; 0 also if not TCP
//   frame_bytes      <u4   bytes of the Ethernet frame, header included, frame check sequence not
//   ip_bytes         <u4   bytes of the IP packet as its header states them; 0: not IP
//   backlog_packets  <u4   packets in the queue on arrival, without this packet and the one on the link
//   backlog_bytes    <u4   the same in frame bytes
//   verdict          u1    0 forwarded; dropped: 1 because the queue was full (at the tail or, with many
//                          queues, from the longest), 2 by the AQM, 3 at random before the queue; 4 marked
//                          (forwarded with a CE mark); 5 lost on its access link, as configured: it counts
//                          neither as arrived nor as dropped, and its backlog is 0
//   client           u1    the client whose downlink it is, in the order of the configuration: 1 = the first
//   reserved         <u2   0
//
// Records are in the order of the verdicts: a tail drop at its arrival, a forwarded packet at its departure,
// a packet lost on its access link when it entered that link. The client's interface may still refuse a
// forwarded packet after its delay. Packets that are in the queue when the program stops draining have no
// record. The report counts both as left.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "queues/bottleneck.h"
#include "record_ring.h"

namespace embedded {

struct [[gnu::packed]] QueueRecord {
  std::uint64_t arrival_ns = 0;
  std::uint64_t departure_ns = 0;
  std::uint64_t dropped_ns = 0;
  std::uint32_t flow = 0;
  std::uint32_t tcp_seq = 0;
  std::uint32_t frame_bytes = 0;
  std::uint32_t ip_bytes = 0;
  std::uint32_t backlog_packets = 0;
  std::uint32_t backlog_bytes = 0;
  std::uint8_t verdict = 0;
  std::uint8_t client = 0;
  std::uint16_t reserved = 0;
};
static_assert(sizeof(QueueRecord) == 52, "the format fixes 52 bytes");
static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");

// `epoch_offset_ns`: CLOCK_REALTIME - CLOCK_MONOTONIC.
QueueRecord make_record(const queues::Outcome& outcome, std::int64_t epoch_offset_ns);

// Magic, version, length and head: all that precedes the first record.
std::string log_preamble(const nlohmann::ordered_json& parameters);

class QueueLog {
 public:
  // Creates the file, writes the preamble and starts the writer. Throws UserError if it cannot.
  QueueLog(const std::string& path, const nlohmann::ordered_json& parameters);
  ~QueueLog();
  QueueLog(const QueueLog&) = delete;
  QueueLog& operator=(const QueueLog&) = delete;

  // Never blocks. If the ring is full, the record is counted as lost.
  void add(const QueueRecord& record);

  // Readable after a write has failed; `check` then throws.
  int failure_fd() const { return failure_fd_; }
  void check() const;

  // Writes the remaining records and closes the file. Throws if any write failed.
  void close();

  std::uint64_t records() const { return records_; }
  std::uint64_t lost() const { return lost_; }

 private:
  void write_until_closed();
  void write_readable();
  bool write_all(const void* data, std::size_t bytes);
  void stop_writer();

  std::string path_;
  int file_ = -1;
  int failure_fd_ = -1;
  std::atomic<int> error_ = 0;  // errno of the write that failed
  std::atomic<bool> closing_ = false;
  std::uint64_t records_ = 0;
  std::uint64_t lost_ = 0;
  RecordRing<QueueRecord> ring_{std::size_t{1} << 18};
  std::thread writer_;
};

}  // namespace embedded
