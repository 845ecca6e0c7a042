// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/class_check.h"

#include <gtest/gtest.h>

#include "tests/cosim/experiment/check/experiment_errors.h"
#include "tests/workloads/traffic/default_spec.h"

namespace fabrictwin {
namespace {

const ErrorCase kClassErrors[] = {
    {"Load", with_traffic(R"(class { name: "a" })"),
     R"(e.textproto:2:22: error: the traffic has no load; write load: 0.3, a fraction of the link rate above 0 and at most 1
workload { traffic { class { name: "a" } } }
                     ^)"},
    {"LoadAboveOne", with_traffic(R"(class { load: 1.5 })"),
     R"(e.textproto:2:36: error: load 1.5: it is a fraction of the link rate, above 0 and at most 1
workload { traffic { class { load: 1.5 } } }
                                   ^)"},
    {"SameNames", with_traffic(R"(class { name: "a" load: 0.1 } class { load: 0.1 name: "a" })"),
     R"(e.textproto:2:76: error: another class is called "a" too; rename one of them
workload { traffic { class { name: "a" load: 0.1 } class { load: 0.1 name: "a" } } }
                                                                           ^)"},
    {"SameAsTheDefaultName", with_traffic(R"(class { name: "class1" load: 0.1 } class { load: 0.1 })"),
     R"(e.textproto:2:57: error: another class is called "class1" too; rename one of them
workload { traffic { class { name: "class1" load: 0.1 } class { load: 0.1 } } }
                                                        ^)"},
    {"Name", with_traffic(R"(class { name: "a b" load: 0.1 })"),
     R"(e.textproto:2:36: error: name "a b": write letters, digits, '_' and '-' only, as in "victims"
workload { traffic { class { name: "a b" load: 0.1 } } }
                                   ^)"},
    {"StopAtStart", with_traffic(R"(class { load: 0.1 start: "5us" stop: "5us" })"),
     R"(e.textproto:2:59: error: stop 5 us is not after start 5 us, so the class would never be generated; write a later stop, or leave it out
workload { traffic { class { load: 0.1 start: "5us" stop: "5us" } } }
                                                          ^)"},
    {"StartAtTheEnd", with_traffic(R"(duration: "5us" class { load: 0.1 start: "5us" })"),
     R"(e.textproto:2:63: error: start 5 us is not before the end of the traffic, which has the duration 5 us; write an earlier start or a longer duration
workload { traffic { duration: "5us" class { load: 0.1 start: "5us" } } }
                                                              ^)"},
    {"NoHosts", with_traffic(R"(class { load: 0.1 hosts: "" })"),
     R"(e.textproto:2:47: error: hosts "": '' is neither the number of a host nor a range of them; write numbers from 0 and ranges from low to high, as in "0..63,128", or leave hosts out
workload { traffic { class { load: 0.1 hosts: "" } } }
                                              ^)"},
    {"Range", with_traffic(R"(class { load: 0.1 hosts: "5..3" })"),
     R"(e.textproto:2:47: error: hosts "5..3": '5..3' is neither the number of a host nor a range of them; write numbers from 0 and ranges from low to high, as in "0..63,128", or leave hosts out
workload { traffic { class { load: 0.1 hosts: "5..3" } } }
                                              ^)"},
    {"HostTwice", with_traffic(R"(class { load: 0.1 hosts: "0..3,2" })"),
     R"(e.textproto:2:47: error: hosts "0..3,2": host 2 is named twice; name each host once
workload { traffic { class { load: 0.1 hosts: "0..3,2" } } }
                                              ^)"},
    {"BesideClasses", with_traffic(R"(load: 0.3 class { load: 0.1 })"),
     R"(e.textproto:2:28: error: load belongs to a class where there are classes; write it in one of them, or leave the classes out
workload { traffic { load: 0.3 class { load: 0.1 } } }
                           ^)"},
    {"SelfOfAPermutation", with_traffic(R"(class { load: 0.1 pattern: TORNADO include_self: true })"),
     R"(e.textproto:2:71: error: include_self is for patterns with random destinations among all hosts, UNIFORM and HOTSPOT, and this is TORNADO; leave it out
workload { traffic { class { load: 0.1 pattern: TORNADO include_self: true } } }
                                                                      ^)"},
    {"HostsBesideSources", with_traffic(R"(class { load: 0.1 pattern: INCAST hosts: "1" incast_sources: 1 })"),
     R"(e.textproto:2:63: error: hosts and incast_sources both say who sends; leave one of them out
workload { traffic { class { load: 0.1 pattern: INCAST hosts: "1" incast_sources: 1 } } }
                                                              ^)"},
    {"HostsBesideFanIn", with_traffic(R"(class { load: 0.1 pattern: INCAST hosts: "1" incast_fan_in: 1 })"),
     R"(e.textproto:2:63: error: hosts and incast_fan_in both say who sends; leave one of them out
workload { traffic { class { load: 0.1 pattern: INCAST hosts: "1" incast_fan_in: 1 } } }
                                                              ^)"},
    {"OtherPattern", with_traffic(R"(class { load: 0.1 burst_load: 0.5 })"),
     R"(e.textproto:2:52: error: burst_load is for process: BURSTY; write that, or leave it out
workload { traffic { class { load: 0.1 burst_load: 0.5 } } }
                                                   ^)"},
};

class ClassCheckError : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ClassCheckError, IsPlacedAndExplained) { expect_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, ClassCheckError, ::testing::ValuesIn(kClassErrors),
                         [](const ::testing::TestParamInfo<ErrorCase>& info) { return info.param.name; });

TEST(ClassCheck, ReadsWhatIsWritten) {
  const auto experiment = test::parse_experiment(
      "topology { torus { dims: 2 } } workload { traffic { class { load: 0.2 hosts: \"1, 3..4\" start: \"1us\" "
      "stop: \"2us\" } class { name: \"b\" process: CLOSED_LOOP hosts: \"all\" stop: \"never\" } } }",
      "e");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const auto classes = experiment->workload_as<traffic::TrafficSpec>()->all_classes();
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].name, "class0");
  EXPECT_EQ(classes[0].load, 0.2);
  EXPECT_EQ(classes[0].hosts, (std::vector<std::pair<int32_t, int32_t>>{{1, 1}, {3, 4}}));
  EXPECT_EQ(classes[0].start, Time::from_us(1));
  EXPECT_EQ(classes[0].stop, Time::from_us(2));
  EXPECT_EQ(classes[1].name, "b");
  EXPECT_TRUE(classes[1].hosts.empty());
  EXPECT_TRUE(classes[1].stop.is_never());
  EXPECT_EQ(classes[1].window, 1);
}

// An argument may try the patterns of a file in turn.
TEST(ClassCheck, LetsAnArgumentReplaceThePattern) {
  const std::string text = "topology { torus { dims: 4 } } workload { traffic { load: 0.2 include_self: true } }";
  experiment::Overrides overrides;
  overrides.sets = {"workload.traffic.pattern=TORNADO"};
  EXPECT_TRUE(test::parse_experiment(text, "e", overrides).ok());
  overrides.sets.emplace_back("workload.traffic.include_self=true");
  EXPECT_FALSE(test::parse_experiment(text, "e", overrides).ok());
}

TEST(ClassCheck, TakesSixteenClasses) {
  std::string classes;
  for (int i = 0; i < 16; ++i) classes += "class { load: 0.1 } ";
  const auto parse = [](const std::string& fields) {
    return test::parse_experiment("topology { torus { dims: 2 } } workload { traffic { " + fields + " } }", "e")
        .status();
  };
  EXPECT_TRUE(parse(classes).ok()) << parse(classes);
  EXPECT_NE(parse(classes + "class { load: 0.1 }").message().find("17 classes: 16 is the most; write fewer"),
            std::string::npos);
}

}  // namespace
}  // namespace fabrictwin
