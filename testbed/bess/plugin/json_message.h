// Arguments and answers of the plugin's modules are JSON documents in a google.protobuf.StringValue, so that
// BESS and its clients need no message types of the plugin.
#pragma once

#include <google/protobuf/wrappers.pb.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "embedded/errors.h"
#include "message.h"

namespace plugin {

using Json = google::protobuf::StringValue;

inline CommandResponse answer(const nlohmann::ordered_json& document) {
  Json message;
  message.set_value(document.dump());
  return CommandSuccess(message);
}

// Runs `action`, which returns a CommandResponse. Turns an exception into an error response.
template <typename Action>
CommandResponse guarded(Action action) {
  try {
    return action();
  } catch (const embedded::UserError& error) {
    return CommandFailure(EINVAL, "%s", error.what());
  } catch (const nlohmann::json::exception& error) {
    return CommandFailure(EINVAL, "the argument: %s", error.what());
  } catch (const std::exception& error) {
    return CommandFailure(EIO, "%s", error.what());
  }
}

}  // namespace plugin
