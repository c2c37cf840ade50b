// The options of queue disciplines in JSON: read from a configuration, stated in a report, listed for a user.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "queues/catalogue.h"

namespace embedded {

// Sets the options that `object` gives; the others keep their values. `place` is the object's place in the
// file. Throws UserError, which names an unknown key or a wrong value.
void read_options(const nlohmann::json& object, const std::string& place,
                  const std::vector<queues::Option>& options);

// {key: value} of every option.
nlohmann::ordered_json options_json(const std::vector<queues::Option>& options);

// {name: {key: {"default", and of a number "minimum" and "maximum"}}} of every discipline in the catalogue.
nlohmann::ordered_json catalogue_json(const queues::Catalogue& catalogue);

}  // namespace embedded
