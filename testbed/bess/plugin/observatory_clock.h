// ObservatoryClock: how fast the daemon believes its time-stamp counter runs, and how fast it does.
// BESS measures that once, at its start, over a tenth of a second of sleep; on a busy host it is then wrong
// for as long as the daemon lives, and so is every rate it limits.
//   argument  none
//   read      {"version", "assumed_hz", "measured_hz", "measured_s"}: measured against CLOCK_MONOTONIC_RAW
//             since the plugin was loaded, over a second at least
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
