// The module ObservatoryQueue.
#include "observatory_queue.h"

#include <algorithm>
#include <limits>

#include "embedded/clock.h"
#include "embedded/frame.h"
#include "embedded/report.h"
#include "packets.h"
#include "queues/catalogue.h"

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::int64_t least_charge_ns = 1'000'000;  // whole bits are charged
// The limiter keeps at most 100 ms of unused time (max_burst_bits in testbed/bess/pipeline.py). This is a
// little less.
constexpr std::int64_t most_kept_ns = 90'000'000;

}  // namespace

const Commands ObservatoryQueue::cmds = {
    {"held", "StringValue", MODULE_CMD_FUNC(&ObservatoryQueue::held), Command::THREAD_SAFE},
    {"finish", "StringValue", MODULE_CMD_FUNC(&ObservatoryQueue::finish), Command::THREAD_UNSAFE}};

CommandResponse ObservatoryQueue::Init(const plugin::Json& argument) {
  return plugin::guarded([&] {
    config_ = embedded::parse_config(nlohmann::json::parse(argument.value()));
    access_.emplace(config_);
    discipline_ = queues::make_queue(config_.queue);
    counters_.resize(config_.clients.size());
    epoch_offset_ns_ = embedded::epoch_offset_ns();
    cpu_start_ns_ = embedded::cpu_ns();
    if (config_.queue_log) {
      log_ = std::make_unique<embedded::QueueLog>(*config_.queue_log, embedded::parameters(config_));
    }
    if (RegisterTask(nullptr) == INVALID_TASK_ID) {
      return CommandFailure(ENOMEM, "cannot register the task of the queue");
    }
    return CommandSuccess();
  });
}

void ObservatoryQueue::DeInit() {
  if (discipline_) {
    abandon();
  }
}

void ObservatoryQueue::ProcessBatch(Context* context, bess::PacketBatch* batch) {
  const std::int64_t now_ns = embedded::monotonic_ns();
  for (int place = 0; place < batch->cnt(); ++place) {
    enter(describe(batch->pkts()[place], context->current_igate), now_ns);
  }
}

queues::Packet ObservatoryQueue::describe(bess::Packet* packet, std::uint32_t client) {
  const auto frame = plugin::bytes_of(packet);
  const embedded::FrameFacts facts = embedded::parse_frame(frame, config_.seed);
  queues::Packet described;
  described.handle = plugin::handle_of(packet);
  described.client = client;
  described.flow = flows_.number(static_cast<std::uint16_t>(client), facts.flow);
  described.flow_hash = facts.flow_hash + client;  // clients may share addresses
  described.ecn_capable = facts.ecn_capable;
  described.tcp_seq = facts.tcp_seq;
  described.frame_bytes = static_cast<std::uint32_t>(frame.size());
  described.ip_bytes = facts.ip_bytes;
  return described;
}

void ObservatoryQueue::enter(const queues::Packet& packet, std::int64_t now_ns) {
  held_.fetch_add(1, std::memory_order_relaxed);
  const bool has_access = access_->has(packet.client);
  if (const auto lost = has_access ? access_->enter(packet, now_ns) : std::nullopt) {
    counters_[packet.client].lost_before.add(packet.frame_bytes);
    drop(*lost);
  }
  admit_arrived(now_ns);
  if (!has_access) {
    admit(packet, now_ns);
  }
}

// Admits each packet at its own exact arrival time.
void ObservatoryQueue::admit_arrived(std::int64_t now_ns) {
  while (const auto packet = access_->take_arrived(now_ns)) {
    admit(*packet, packet->arrival_ns);
  }
}

void ObservatoryQueue::admit(queues::Packet packet, std::int64_t now_ns) {
  packet.arrival_ns = now_ns;
  packet.backlog_packets = static_cast<std::uint32_t>(discipline_->packets());
  packet.backlog_bytes = static_cast<std::uint32_t>(discipline_->bytes());
  counters_[packet.client].arrived.add(packet.frame_bytes);
  drop_all(discipline_->enqueue(packet, now_ns), now_ns);
}

task_result ObservatoryQueue::RunTask(Context* context, bess::PacketBatch* batch, void*) {
  const std::int64_t now_ns = embedded::monotonic_ns();
  const bool first = charged_until_ns_ == 0;
  charged_until_ns_ = first ? now_ns : std::max(charged_until_ns_, now_ns - most_kept_ns);
  admit_arrived(now_ns);
  const queues::Dequeued step = discipline_->dequeue(now_ns);
  drop_all(step.dropped, now_ns);
  if (!step.delivered) {
    return {.block = true, .packets = 0, .bits = charge_idle(now_ns)};
  }
  held_.fetch_sub(1, std::memory_order_relaxed);
  const auto& [packet, verdict] = *step.delivered;
  const std::uint64_t bits = (std::uint64_t{packet.frame_bytes} + config_.overhead_bytes) * 8;
  charged_until_ns_ += time_of(bits);
  serialised_ns_ = std::max(serialised_ns_, now_ns + time_of(bits));  // keeps the order within a burst of the limiter
  log({packet, verdict, now_ns, serialised_ns_, 0});
  bess::Packet* leaving = plugin::packet_of(packet.handle);
  if (verdict == queues::Verdict::marked) {
    embedded::mark_congestion(plugin::bytes_of(leaving));
  }
  plugin::serialised_ns(leaving) = serialised_ns_;
  batch->clear();
  batch->add(leaving);
  RunChooseModule(context, static_cast<gate_idx_t>(packet.client), batch);
  return {.block = false, .packets = 1, .bits = bits};
}

// The bits that the link could have sent since it was last busy or charged. Never more than the limiter's
// allowance: a debt would never end, because the time in which the limiter pays it off would be charged
// again.
std::uint64_t ObservatoryQueue::charge_idle(std::int64_t now_ns) {
  const std::int64_t idle_ns = now_ns - charged_until_ns_;
  if (config_.rate_bps == 0 || idle_ns < least_charge_ns) {
    return 0;
  }
  const auto bits = static_cast<std::uint64_t>(static_cast<double>(idle_ns) * static_cast<double>(config_.rate_bps) /
                                               second_ns);
  charged_until_ns_ += time_of(bits);
  return bits;
}

// The time that the link takes for these bits, rounded up.
std::int64_t ObservatoryQueue::time_of(std::uint64_t bits) const {
  const std::uint64_t rate_bps = config_.rate_bps;
  return rate_bps > 0 ? static_cast<std::int64_t>((bits * second_ns + rate_bps - 1) / rate_bps) : 0;
}

std::string ObservatoryQueue::GetDesc() const {
  return std::to_string(held_.load(std::memory_order_relaxed)) + " packets, " + config_.queue.discipline->name();
}

void ObservatoryQueue::drop_all(std::span<const queues::Decision> drops, std::int64_t now_ns) {
  for (const auto& [packet, verdict] : drops) {
    counters_[packet.client].dropped.add(packet.frame_bytes);
    drop({packet, verdict, 0, 0, now_ns});
  }
}

void ObservatoryQueue::drop(const queues::Outcome& outcome) {
  held_.fetch_sub(1, std::memory_order_relaxed);
  log(outcome);
  bess::Packet::Free(plugin::packet_of(outcome.packet.handle));
}

void ObservatoryQueue::log(const queues::Outcome& outcome) {
  if (log_) {
    log_->add(embedded::make_record(outcome, epoch_offset_ns_));
  }
}

// Packets in the queue count as left, without a verdict. Packets on access links have not arrived.
void ObservatoryQueue::abandon() {
  constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
  while (const auto packet = access_->take_arrived(forever)) {
    bess::Packet::Free(plugin::packet_of(packet->handle));
  }
  const auto count_as_left = [this](const queues::Packet& packet) {
    counters_[packet.client].left.add(packet.frame_bytes);
    bess::Packet::Free(plugin::packet_of(packet.handle));
  };
  while (discipline_->packets() > 0) {
    const queues::Dequeued step = discipline_->dequeue(embedded::monotonic_ns());
    for (const queues::Decision& drop : step.dropped) {
      count_as_left(drop.packet);
    }
    if (step.delivered) {
      count_as_left(step.delivered->packet);
    }
  }
}

CommandResponse ObservatoryQueue::held(const plugin::Json&) {
  return plugin::guarded([this] {
    if (log_) {
      log_->check();
    }
    return plugin::answer(nlohmann::ordered_json::object({{"packets", held_.load(std::memory_order_relaxed)}}));
  });
}

CommandResponse ObservatoryQueue::finish(const plugin::Json&) {
  return plugin::guarded([this] {
    abandon();
    if (log_) {
      log_->close();
    }
    if (config_.flows) {
      embedded::write_atomically(*config_.flows, embedded::flows_json(config_, flows_.flows()));
    }
    return plugin::answer(report());
  });
}

nlohmann::ordered_json ObservatoryQueue::report() const {
  embedded::RunFacts facts;
  facts.counters = counters_;
  facts.log_records = log_ ? log_->records() : 0;
  facts.log_lost = log_ ? log_->lost() : 0;
  facts.epoch_offset_start_ns = epoch_offset_ns_;
  facts.epoch_offset_end_ns = embedded::epoch_offset_ns();
  facts.cpu_ns = embedded::cpu_ns() - cpu_start_ns_;
  return embedded::report_json(config_, facts);
}

ADD_MODULE(ObservatoryQueue, "observatory_queue", "the bottleneck's queue: a discipline, and a log of every packet")
