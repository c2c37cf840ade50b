// Writes the format of queue_log.h: a thread writes the records from a ring in large blocks.
#include "queue_log.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "errors.h"

namespace embedded {
namespace {

constexpr std::uint32_t format_version = 1;
// The ring holds 262,144 records, far more than any link produces in this time.
constexpr std::chrono::milliseconds writer_pause{20};

nlohmann::ordered_json units() {
  return {{"arrival_ns", "ns since the Unix epoch"},
          {"departure_ns", "ns since the Unix epoch; 0: dropped"},
          {"dropped_ns", "ns since the Unix epoch; 0: not dropped"},
          {"flow", "index into the flows; 4294967295: none"},
          {"tcp_seq", "TCP sequence number; 0 if not TCP"},
          {"frame_bytes", "bytes"},
          {"ip_bytes", "bytes; 0 if not IP"},
          {"backlog_packets", "packets"},
          {"backlog_bytes", "frame bytes"},
          {"verdict",
           "0 forwarded; dropped: 1 at the tail, 2 by the AQM, 3 at random; 4 marked; 5 lost before"},
          {"client", "1 = the first of parameters.clients"},
          {"reserved", "0"}};
}

nlohmann::ordered_json record_description() {
  constexpr std::array<std::pair<const char*, const char*>, 12> columns{{{"arrival_ns", "<u8"},
                                                                         {"departure_ns", "<u8"},
                                                                         {"dropped_ns", "<u8"},
                                                                         {"flow", "<u4"},
                                                                         {"tcp_seq", "<u4"},
                                                                         {"frame_bytes", "<u4"},
                                                                         {"ip_bytes", "<u4"},
                                                                         {"backlog_packets", "<u4"},
                                                                         {"backlog_bytes", "<u4"},
                                                                         {"verdict", "u1"},
                                                                         {"client", "u1"},
                                                                         {"reserved", "<u2"}}};
  nlohmann::ordered_json description = nlohmann::ordered_json::array();
  for (const auto& [name, type] : columns) {
    description.push_back(nlohmann::ordered_json::array({name, type}));
  }
  return description;
}

void append_number(std::string& text, std::uint32_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

QueueRecord make_record(const queues::Outcome& outcome, std::int64_t epoch_offset_ns) {
  const queues::Packet& packet = outcome.packet;
  QueueRecord record;
  record.arrival_ns = static_cast<std::uint64_t>(packet.arrival_ns + epoch_offset_ns);
  if (queues::is_drop(outcome.verdict)) {
    record.dropped_ns = static_cast<std::uint64_t>(outcome.dropped_ns + epoch_offset_ns);
  } else {
    record.departure_ns = static_cast<std::uint64_t>(outcome.departure_ns + epoch_offset_ns);
  }
  record.flow = packet.flow;
  record.tcp_seq = packet.tcp_seq;
  record.frame_bytes = packet.frame_bytes;
  record.ip_bytes = packet.ip_bytes;
  record.backlog_packets = packet.backlog_packets;
  record.backlog_bytes = packet.backlog_bytes;
  record.verdict = static_cast<std::uint8_t>(outcome.verdict);
  record.client = static_cast<std::uint8_t>(packet.client + 1);
  return record;
}

std::string log_preamble(const nlohmann::ordered_json& parameters) {
  const nlohmann::ordered_json head = {{"version", format_version},
                                       {"program", "observatory-switch " SWITCH_VERSION},
                                       {"seed", parameters.at("seed")},
                                       {"parameters", parameters},
                                       {"units", units()},
                                       {"record", record_description()}};
  const std::string text = head.dump();
  std::string preamble = "IFOQUEUE";
  append_number(preamble, format_version);
  append_number(preamble, static_cast<std::uint32_t>(text.size()));
  return preamble + text;
}

QueueLog::QueueLog(const std::string& path, const nlohmann::ordered_json& parameters) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw UserError(system_message("cannot create the queue log " + path, errno));
  }
  failure_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const std::string preamble = log_preamble(parameters);
  write_all(preamble.data(), preamble.size());
  writer_ = std::thread([this] { write_until_closed(); });
}

QueueLog::~QueueLog() {
  stop_writer();
  if (file_ >= 0) {
    ::close(file_);
  }
  ::close(failure_fd_);
}

void QueueLog::add(const QueueRecord& record) {
  if (!ring_.push(record)) {
    ++lost_;
  } else {
    ++records_;
  }
}

void QueueLog::check() const {
  if (const int error = error_) {
    throw std::runtime_error(system_message("cannot write the queue log " + path_, error));
  }
}

void QueueLog::close() {
  stop_writer();
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0 && error_ == 0) {
    error_ = errno;
  }
  check();
}

void QueueLog::stop_writer() {
  closing_ = true;
  if (writer_.joinable()) {
    writer_.join();
  }
}

// `closing_` is read before the ring, so that every record added before close() is written.
void QueueLog::write_until_closed() {
  bool last = false;
  while (!last && error_ == 0) {
    last = closing_;
    write_readable();
    if (!last) {
      std::this_thread::sleep_for(writer_pause);
    }
  }
}

void QueueLog::write_readable() {
  for (auto records = ring_.readable(); !records.empty(); records = ring_.readable()) {
    if (!write_all(records.data(), records.size_bytes())) {
      return;
    }
    ring_.consume(records.size());
  }
}

bool QueueLog::write_all(const void* data, std::size_t bytes) {
  auto next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_, next, bytes);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      error_ = errno;
      eventfd_write(failure_fd_, 1);
      return false;
    }
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace embedded
