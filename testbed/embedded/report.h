// The JSON files that the switch writes at its end: the report of the run and the list of flows.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config.h"
#include "dumbbell.h"
#include "flow_table.h"
#include "histogram.h"
#include "lateness.h"

namespace embedded {

struct RunFacts {
  std::vector<ClientCounters> counters;
  std::uint64_t write_errors = 0;
  Lateness lateness{0};
  Histogram earliness;
  std::uint64_t log_records = 0;
  std::uint64_t log_lost = 0;
  std::int64_t epoch_offset_start_ns = 0;
  std::int64_t epoch_offset_end_ns = 0;
  bool realtime = false;
  std::int64_t cpu_ns = 0;
};

nlohmann::ordered_json lateness_json(const Lateness& lateness, std::int64_t epoch_offset_ns);
nlohmann::ordered_json report_json(const Config& config, const RunFacts& facts);
nlohmann::ordered_json flows_json(const Config& config, const std::vector<Flow>& flows);

// The file appears complete or not at all. Throws std::runtime_error.
void write_atomically(const std::string& path, const nlohmann::ordered_json& document);

}  // namespace embedded
