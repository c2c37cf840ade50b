// ObservatoryQueue: the queue of the bottleneck with any discipline of testbed/queues/, the access links
// before it and the log of testbed/embedded/queue_log.h. Packets of client n enter at gate n and leave at
// gate n. BESS's rate limiter, a traffic class above this module's task, decides when the task runs. The
// limiter is charged for each packet's frame and `overhead_bytes`, as with BESS's own queue, and also for the
// time in which the queue is empty. Its burst allowance therefore makes up only for time in which the worker
// did not get its processor.
//   argument  the configuration of testbed/embedded/config.h, the same document as for the embedded switch
//   held      {"packets"}: the packets in the queue or on access links; fails if the log cannot be written
//   finish    closes the log, writes the flows and returns the report of testbed/embedded/report.h with the
//             counters that this module knows: lost before, arrived, dropped, left
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "embedded/access_links.h"
#include "embedded/config.h"
#include "embedded/dumbbell.h"
#include "embedded/flow_table.h"
#include "embedded/queue_log.h"
#include "json_message.h"
#include "module.h"
#include "queues/discipline.h"

class ObservatoryQueue final : public Module {
 public:
  static const gate_idx_t kNumIGates = MAX_GATES;
  static const gate_idx_t kNumOGates = MAX_GATES;
  static const Commands cmds;

  ObservatoryQueue() {
    is_task_ = true;
    propagate_workers_ = false;
  }

  CommandResponse Init(const plugin::Json& argument);
  void DeInit() override;
  void ProcessBatch(Context* context, bess::PacketBatch* batch) override;
  task_result RunTask(Context* context, bess::PacketBatch* batch, void* argument) override;
  std::string GetDesc() const override;

 private:
  CommandResponse held(const plugin::Json& argument);
  CommandResponse finish(const plugin::Json& argument);

  queues::Packet describe(bess::Packet* packet, std::uint32_t client);
  void enter(const queues::Packet& packet, std::int64_t now_ns);
  void admit_arrived(std::int64_t now_ns);
  void admit(queues::Packet packet, std::int64_t now_ns);
  void drop_all(std::span<const queues::Decision> drops, std::int64_t now_ns);
  void drop(const queues::Outcome& outcome);
  void log(const queues::Outcome& outcome);
  std::uint64_t charge_idle(std::int64_t now_ns);
  std::int64_t time_of(std::uint64_t bits) const;
  void abandon();
  nlohmann::ordered_json report() const;

  embedded::Config config_;
  std::optional<embedded::AccessLinks> access_;
  std::unique_ptr<queues::Discipline> discipline_;
  std::unique_ptr<embedded::QueueLog> log_;
  embedded::FlowTable flows_;
  std::vector<embedded::ClientCounters> counters_;
  std::atomic<std::uint64_t> held_ = 0;
  std::int64_t epoch_offset_ns_ = 0;
  std::int64_t cpu_start_ns_ = 0;
  std::int64_t charged_until_ns_ = 0;  // the limiter has been charged up to this time; 0: not yet
  std::int64_t serialised_ns_ = 0;     // when the last bit of the latest packet left the link
};
