// ObservatoryClock compares the frequency that the daemon assumes for its time-stamp counter with the real
// one. BESS measures the frequency once, at its start, during 0.1 s of sleep. On a busy host the result is
// wrong for the lifetime of the daemon, and so is every rate that the daemon limits.
//   argument  none
//   read      {"version", "assumed_hz", "measured_hz", "measured_s"}: measured against CLOCK_MONOTONIC_RAW
//             since the plugin was loaded, over at least one second
#pragma once

#include "json_message.h"
#include "module.h"

class ObservatoryClock final : public Module {
 public:
  static const gate_idx_t kNumIGates = 0;
  static const gate_idx_t kNumOGates = 0;
  static const Commands cmds;

  CommandResponse Init(const plugin::Json& argument);

 private:
  CommandResponse read(const plugin::Json& argument);
};
