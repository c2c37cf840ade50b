// The error for what a user can correct (a configuration, a missing namespace): one line and exit status 2.
// Every other error is a std::runtime_error and ends with exit status 1.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace embedded {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "what: why", with the system's text for `number`, an errno value.
inline std::string system_message(const std::string& what, int number) {
  return what + ": " + std::strerror(number);
}

}  // namespace embedded
