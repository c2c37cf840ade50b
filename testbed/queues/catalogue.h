// From a discipline's name in a configuration to the discipline. A new one is added here and in a header
// of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codel.h"
#include "droptail.h"
#include "fq_codel.h"
#include "random_loss.h"

namespace queues {

// What a configuration says of the queue. A discipline takes what concerns it.
struct QueueParameters {
  std::string discipline;
  Limit limit{};
  FqCodelParameters fq_codel{};  // CoDel's own within
  double random_loss = 0;
  std::uint64_t seed = 0;
};

// Null if there is no discipline of that name.
inline std::unique_ptr<Discipline> make_discipline(const QueueParameters& parameters) {
  if (parameters.discipline == "droptail") {
    return std::make_unique<DropTail>(parameters.limit);
  }
  if (parameters.discipline == "codel") {
    return std::make_unique<Codel>(parameters.limit, parameters.fq_codel.codel);
  }
  if (parameters.discipline == "fq_codel") {
    return std::make_unique<FqCodel>(parameters.limit, parameters.fq_codel, parameters.seed);
  }
  return nullptr;
}

// The discipline with what comes before it. Null as above.
inline std::unique_ptr<Discipline> make_queue(const QueueParameters& parameters) {
  auto discipline = make_discipline(parameters);
  if (discipline && parameters.random_loss > 0) {
    return std::make_unique<RandomLoss>(std::move(discipline),
                                        Chance(parameters.random_loss, parameters.seed, 0));
  }
  return discipline;
}

}  // namespace queues
