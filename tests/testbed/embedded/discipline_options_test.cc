// Options of every type in JSON: read, stated and listed.
#include "discipline_options.h"

#include <gtest/gtest.h>

#include "errors.h"

namespace {

using namespace embedded;
using nlohmann::json;

class Parameters {
 public:
  std::int64_t packets = 5;
  double probability = 0.1;
  bool ecn = false;

  std::vector<queues::Option> options() {
    return {{"packets", &packets, 1, 9}, {"probability", &probability, 0, 1}, {"ecn", &ecn}};
  }
};

TEST(DisciplineOptions, KeepTheirDefaultsUnlessGiven) {
  Parameters parameters;
  read_options(json::parse(R"({"probability": 1, "ecn": true})"), "options", parameters.options());
  EXPECT_EQ(parameters.packets, 5);
  EXPECT_EQ(parameters.probability, 1);
  EXPECT_TRUE(parameters.ecn);
}

TEST(DisciplineOptions, AreStatedInOrder) {
  EXPECT_EQ(options_json(Parameters().options()).dump(), R"({"packets":5,"probability":0.1,"ecn":false})");
}

std::string error_of(const char* object) {
  try {
    read_options(json::parse(object), "options", Parameters().options());
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DisciplineOptions, ErrorsNameKeyAndBounds) {
  EXPECT_EQ(error_of(R"({"queues": 1})"), "unknown key options.queues");
  EXPECT_EQ(error_of(R"({"packets": 10})"), "options.packets must be an integer from 1 to 9, not 10");
  EXPECT_EQ(error_of(R"({"packets": 5.0})"), "options.packets must be an integer from 1 to 9, not 5.0");
  EXPECT_EQ(error_of(R"({"packets": -1})"), "options.packets must be an integer from 1 to 9, not -1");
  EXPECT_EQ(error_of(R"({"probability": 1.5})"), "options.probability must be a number from 0 to 1, not 1.5");
  EXPECT_EQ(error_of(R"({"probability": ""})"), "options.probability must be a number from 0 to 1, not \"\"");
  EXPECT_EQ(error_of(R"({"ecn": 1})"), "options.ecn must be true or false, not 1");
  EXPECT_EQ(error_of("[]"), "options must be an object");
}

TEST(DisciplineOptions, AreListedWithDefaultsAndBounds) {
  const auto listed = catalogue_json(queues::catalogue());
  EXPECT_EQ(listed.at("droptail").dump(), "{}");
  EXPECT_EQ(listed.at("codel").at("target_ns").dump(),
            R"({"default":5000000,"minimum":1,"maximum":86400000000000})");
  EXPECT_EQ(listed.at("codel").at("ecn").dump(), R"({"default":false})");
}

}  // namespace
