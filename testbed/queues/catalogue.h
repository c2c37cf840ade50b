// The queue disciplines that a configuration can name.
// To add a discipline, write its class in a header of its own and add the class to catalogue(). The class has
//   name         its name in a configuration,
//   Parameters   a struct whose members hold the defaults and whose options() lists them (option.h),
//   constructor  from the queue's limit, the parameters and the seed.
// Configuration, report and `observatory-switch --disciplines` follow from these. The Python side of a
// discipline is its entry in scripts/model/disciplines.py.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codel.h"
#include "droptail.h"
#include "fq.h"
#include "fq_codel.h"
#include "hhf.h"
#include "option.h"
#include "random_loss.h"
#include "red.h"

namespace queues {

// A discipline with the values of its options, from which queues are made.
class CatalogueEntry {
 public:
  virtual ~CatalogueEntry() = default;
  virtual std::string name() const = 0;
  virtual std::vector<Option> options() = 0;
  virtual std::unique_ptr<Discipline> make(Limit limit, std::uint64_t seed) const = 0;
};

template <typename Kind>
class EntryOf final : public CatalogueEntry {
 public:
  std::string name() const override { return std::string(Kind::name); }
  std::vector<Option> options() override { return parameters_.options(); }
  std::unique_ptr<Discipline> make(Limit limit, std::uint64_t seed) const override {
    return std::make_unique<Kind>(limit, parameters_, seed);
  }

 private:
  typename Kind::Parameters parameters_{};
};

using Catalogue = std::vector<std::unique_ptr<CatalogueEntry>>;

template <typename... Kinds>
Catalogue entries_of() {
  Catalogue entries;
  (entries.push_back(std::make_unique<EntryOf<Kinds>>()), ...);
  return entries;
}

// Every discipline with its defaults.
inline Catalogue catalogue() { return entries_of<DropTail, Codel, FqCodel, Fq, Hhf, Red>(); }

// The discipline of this name with its defaults; null if there is none.
inline std::unique_ptr<CatalogueEntry> find_discipline(std::string_view name) {
  for (auto& entry : catalogue()) {
    if (entry->name() == name) {
      return std::move(entry);
    }
  }
  return nullptr;
}

// The queue of a configuration. `discipline` must not be null when the queue is made.
struct QueueParameters {
  std::unique_ptr<CatalogueEntry> discipline;
  Limit limit{};
  double random_loss = 0;
  std::uint64_t seed = 0;
};

// The discipline, behind random loss where the configuration has any.
inline std::unique_ptr<Discipline> make_queue(const QueueParameters& parameters) {
  auto discipline = parameters.discipline->make(parameters.limit, parameters.seed);
  if (parameters.random_loss > 0) {
    return std::make_unique<RandomLoss>(std::move(discipline),
                                        Chance(parameters.random_loss, parameters.seed, 0));
  }
  return discipline;
}

}  // namespace queues
