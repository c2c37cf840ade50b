// The functions of discipline_options.h, each one loop over options of any type.
#include "discipline_options.h"

#include <string_view>
#include <type_traits>
#include <variant>

#include "section.h"

namespace embedded {
namespace {

using nlohmann::ordered_json;
using queues::Option;

void read_value(const Section& section, const std::string& key, const Option& option) {
  if (auto* const* integer = std::get_if<std::int64_t*>(&option.value)) {
    **integer = section.integer(key, option.least, option.most);
  } else if (auto* const* number = std::get_if<double*>(&option.value)) {
    **number = section.number(key, option.least, option.most);
  } else {
    *std::get<bool*>(option.value) = section.flag(key);
  }
}

ordered_json value_json(const Option& option) {
  return std::visit([](const auto* value) { return ordered_json(*value); }, option.value);
}

ordered_json option_json(const Option& option) {
  ordered_json described = {{"default", value_json(option)}};
  if (!std::holds_alternative<bool*>(option.value)) {
    described["minimum"] = option.least;
    described["maximum"] = option.most;
  }
  return described;
}

}  // namespace

void read_options(const nlohmann::json& object, const std::string& place,
                  const std::vector<Option>& options) {
  std::vector<std::string_view> keys;
  for (const Option& option : options) {
    keys.push_back(option.key);
  }
  const Section section(object, place, keys);
  for (const Option& option : options) {
    const std::string key(option.key);
    if (section.has(key)) {
      read_value(section, key, option);
    }
  }
}

ordered_json options_json(const std::vector<Option>& options) {
  ordered_json values = ordered_json::object();
  for (const Option& option : options) {
    values[std::string(option.key)] = value_json(option);
  }
  return values;
}

ordered_json catalogue_json(const queues::Catalogue& catalogue) {
  ordered_json disciplines = ordered_json::object();
  for (const auto& entry : catalogue) {
    ordered_json& options = disciplines[entry->name()] = ordered_json::object();
    for (const Option& option : entry->options()) {
      options[std::string(option.key)] = option_json(option);
    }
  }
  return disciplines;
}

}  // namespace embedded
