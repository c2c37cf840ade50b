// Reads the schedule and checks what the client relies on.
#include "schedule.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "errors.h"

namespace flows {
namespace {

using embedded::UserError;

void check(const Schedule& schedule) {
  if (schedule.starts_us.size() != schedule.sizes_bytes.size()) {
    throw UserError("starts_us and sizes_bytes differ in length; give each flow one of both");
  }
  if (schedule.starts_us.size() > most_flows) {
    throw UserError("there are more than " + std::to_string(most_flows) + " flows; give fewer");
  }
  if (!std::ranges::is_sorted(schedule.starts_us) ||
      (!schedule.starts_us.empty() && schedule.starts_us.front() < 0)) {
    throw UserError("starts_us must ascend from 0 or more");
  }
  if (std::ranges::find(schedule.sizes_bytes, 0U) != schedule.sizes_bytes.end()) {
    throw UserError("sizes_bytes: a flow has no bytes; give it at least 1");
  }
}

}  // namespace

Schedule load_schedule(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw UserError(embedded::system_message(path, errno));
  }
  try {
    const auto document = nlohmann::json::parse(file);
    Schedule schedule;
    document.at("starts_us").get_to(schedule.starts_us);
    document.at("sizes_bytes").get_to(schedule.sizes_bytes);
    const double rate_limit_mbps = document.value("rate_limit_mbps", 0.0);
    schedule.rate_limit_bytes_per_s = static_cast<std::uint64_t>(std::llround(rate_limit_mbps * 1e6 / 8));
    check(schedule);
    return schedule;
  } catch (const nlohmann::json::exception& error) {
    throw UserError(path + ": is not a schedule: " + error.what());
  } catch (const UserError& error) {
    throw UserError(path + ": " + error.what());
  }
}

}  // namespace flows
