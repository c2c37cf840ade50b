// The error for what a user can mend (a configuration, a missing namespace): one clear line, exit 2.
// Everything else is a std::runtime_error and ends with exit 1.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace embedded {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "what: why" with the system's words for `number`, an errno value.
inline std::string system_message(const std::string& what, int number) {
  return what + ": " + std::strerror(number);
}

}  // namespace embedded
