// One JSON object of a configuration with the place it has in the file: reads its values, and names the key
// wherever one is missing, unknown or not what it must be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "errors.h"

namespace embedded {

class Section {
 public:
  static constexpr std::uint64_t day_ns = 86'400'000'000'000;

  Section(const nlohmann::json& object, std::string place, std::initializer_list<std::string_view> known)
      : object_(object), place_(std::move(place)) {
    if (!object.is_object()) {
      throw UserError((place_.empty() ? "the document" : place_) + " must be an object");
    }
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        throw UserError("unknown key " + name(key));
      }
    }
  }

  bool has(const std::string& key) const { return object_.contains(key); }

  const nlohmann::json& value(const std::string& key) const {
    if (!has(key)) {
      throw UserError("missing key " + name(key));
    }
    return object_.at(key);
  }

  std::uint64_t integer(const std::string& key, std::uint64_t least, std::uint64_t most) const {
    const nlohmann::json& found = value(key);
    if (!found.is_number_unsigned() || found.get<std::uint64_t>() < least ||
        found.get<std::uint64_t>() > most) {
      throw UserError(name(key) + " must be an integer from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not " + found.dump());
    }
    return found.get<std::uint64_t>();
  }

  std::uint64_t integer_or(const std::string& key, std::uint64_t otherwise, std::uint64_t most) const {
    return has(key) ? integer(key, 0, most) : otherwise;
  }

  std::int64_t ns_or(const std::string& key, std::int64_t otherwise, std::uint64_t least) const {
    return has(key) ? static_cast<std::int64_t>(integer(key, least, day_ns)) : otherwise;
  }

  double fraction_or_0(const std::string& key) const {
    if (!has(key)) {
      return 0;
    }
    const nlohmann::json& found = value(key);
    if (!found.is_number() || found.get<double>() < 0 || found.get<double>() >= 1) {
      throw UserError(name(key) + " must be a number of at least 0 and less than 1, not " + found.dump());
    }
    return found.get<double>();
  }

  bool flag_or(const std::string& key, bool otherwise) const {
    if (!has(key)) {
      return otherwise;
    }
    if (!value(key).is_boolean()) {
      throw UserError(name(key) + " must be true or false, not " + value(key).dump());
    }
    return value(key).get<bool>();
  }

  std::string text(const std::string& key) const {
    const nlohmann::json& found = value(key);
    if (!found.is_string() || found.get_ref<const std::string&>().empty()) {
      throw UserError(name(key) + " must be a non-empty string, not " + found.dump());
    }
    return found.get<std::string>();
  }

  std::optional<std::string> optional_text(const std::string& key) const {
    return has(key) ? std::optional(text(key)) : std::nullopt;
  }

  std::string name(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

 private:
  const nlohmann::json& object_;
  std::string place_;
};

}  // namespace embedded
