// ObservatoryDelay: parallel delay lines. Packets that enter at gate n leave at gate n, in order, a fixed
// time later. The time counts from the moment the packet's last bit left the link if the packet comes from
// the ObservatoryQueue, and from its arrival here if it comes from a port.
//   argument  {"lines": [{"delay_ns", "after_queue": bool}, ...]}
//   held      {"packets"}: the packets now in the delay lines
//   finish    {"lateness_ns": lateness_json of testbed/embedded/report.h, "lines": [{"in_packets", "in_bytes",
//             "out_bytes", "left_packets", "left_bytes"}, ...]}; packets still in the delay lines are freed and
//             counted as left
// The worker polls this module's task. The time between two polls is a stall: the worker did nothing else then,
// or another task of it took that long.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "embedded/delay_line.h"
#include "embedded/dumbbell.h"
#include "embedded/lateness.h"
#include "json_message.h"
#include "module.h"

class ObservatoryDelay final : public Module {
 public:
  static const gate_idx_t kNumIGates = MAX_GATES;
  static const gate_idx_t kNumOGates = MAX_GATES;
  static const Commands cmds;

  ObservatoryDelay() {
    is_task_ = true;
    propagate_workers_ = false;
  }

  CommandResponse Init(const plugin::Json& argument);
  void DeInit() override;
  void ProcessBatch(Context* context, bess::PacketBatch* batch) override;
  task_result RunTask(Context* context, bess::PacketBatch* batch, void* argument) override;
  std::string GetDesc() const override;

 private:
  struct Line {
    embedded::DelayLine frames;
    bool after_queue;
    embedded::Tally in;
    std::uint64_t out_bytes = 0;
    embedded::Tally left;
  };

  CommandResponse held(const plugin::Json& argument);
  CommandResponse finish(const plugin::Json& argument);
  int deliver(Context* context, gate_idx_t gate, std::int64_t now_ns);
  void abandon();

  std::vector<Line> lines_;
  std::optional<embedded::Lateness> lateness_;
  std::int64_t polled_ns_ = 0;  // when the task last ran; 0: not yet
  std::atomic<std::uint64_t> held_ = 0;
};
