// One JSON object of a configuration, and its place in the file. Reads the object's values; every error names
// the key that is missing, unknown or wrong.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.h"

namespace embedded {

class Section {
 public:
  Section(const nlohmann::json& object, std::string place, const std::vector<std::string_view>& known)
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

  // The value has the type of the bounds. No value is negative.
  template <std::integral Integer>
  Integer integer(const std::string& key, Integer least, Integer most) const {
    const nlohmann::json& found = value(key);
    if (!found.is_number_unsigned() || std::cmp_less(found.get<std::uint64_t>(), least) ||
        std::cmp_greater(found.get<std::uint64_t>(), most)) {
      throw UserError(name(key) + " must be an integer from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not " + found.dump());
    }
    return found.get<Integer>();
  }

  template <std::integral Integer>
  Integer integer_or(const std::string& key, Integer otherwise, Integer most) const {
    return has(key) ? integer(key, Integer{0}, most) : otherwise;
  }

  double number(const std::string& key, std::int64_t least, std::int64_t most) const {
    const nlohmann::json& found = value(key);
    if (!found.is_number() || found.get<double>() < static_cast<double>(least) ||
        found.get<double>() > static_cast<double>(most)) {
      throw UserError(name(key) + " must be a number from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not " + found.dump());
    }
    return found.get<double>();
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

  bool flag(const std::string& key) const {
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

  // The key with its place in the file: "clients[0].name".
  std::string name(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

 private:
  const nlohmann::json& object_;
  std::string place_;
};

}  // namespace embedded
