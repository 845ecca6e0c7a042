// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/check.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/cosim/experiment/check/experiment_errors.h"
#include "tests/experiments.h"
#include "tests/workloads/traffic/default_spec.h"

namespace fabrictwin {
namespace {

const ErrorCase kErrors[] = {
    {"NoLoad", with_traffic(R"(pattern: UNIFORM)"),
     R"(e.textproto:2:12: error: the traffic has no load; write load: 0.3, a fraction of the link rate above 0 and at most 1
workload { traffic { pattern: UNIFORM } }
           ^)"},
    {"LoadZero", with_traffic(R"(load: 0)"),
     R"(e.textproto:2:28: error: load 0: it is a fraction of the link rate, above 0 and at most 1
workload { traffic { load: 0 } }
                           ^)"},
    {"LoadAboveOne", with_traffic(R"(load: 1.01)"),
     R"(e.textproto:2:28: error: load 1.01: it is a fraction of the link rate, above 0 and at most 1
workload { traffic { load: 1.01 } }
                           ^)"},
    {"LoadNan", with_traffic(R"(load: nan)"),
     R"(e.textproto:2:28: error: load nan: it is a fraction of the link rate, above 0 and at most 1
workload { traffic { load: nan } }
                           ^)"},
    {"LoadNegative", with_traffic(R"(load: -0.5)"),
     R"(e.textproto:2:28: error: load -0.5: it is a fraction of the link rate, above 0 and at most 1
workload { traffic { load: -0.5 } }
                           ^)"},
    {"HotspotsTwice", with_traffic(R"(load: 0.3 pattern: HOTSPOT hotspot_hosts: [3, -1, 3])"),
     R"(e.textproto:2:68: error: hotspot_hosts -1: hosts are numbered from 0
workload { traffic { load: 0.3 pattern: HOTSPOT hotspot_hosts: [3, -1, 3] } }
                                                                   ^
e.textproto:2:72: error: hotspot_hosts has host 3 twice; write each host once
workload { traffic { load: 0.3 pattern: HOTSPOT hotspot_hosts: [3, -1, 3] } }
                                                                       ^)"},
    {"IncastSources", with_traffic(R"(load: 0.3 pattern: INCAST incast_sources: [1, -1, 1, 0])"),
     R"(e.textproto:2:68: error: incast_sources -1: hosts are numbered from 0
workload { traffic { load: 0.3 pattern: INCAST incast_sources: [1, -1, 1, 0] } }
                                                                   ^
e.textproto:2:72: error: incast_sources has host 1 twice; write each host once
workload { traffic { load: 0.3 pattern: INCAST incast_sources: [1, -1, 1, 0] } }
                                                                       ^
e.textproto:2:75: error: incast_sources has host 0, which is incast_destination; a host does not send to itself
workload { traffic { load: 0.3 pattern: INCAST incast_sources: [1, -1, 1, 0] } }
                                                                          ^)"},
    {"IncastNumbers", with_traffic(R"(load: 0.3 pattern: INCAST incast_fan_in: 0 incast_destination: -1)"),
     R"(e.textproto:2:63: error: incast_fan_in 0: write 1 to the number of hosts less one; by default all others send
workload { traffic { load: 0.3 pattern: INCAST incast_fan_in: 0 incast_destination: -1 } }
                                                              ^
e.textproto:2:85: error: incast_destination -1: hosts are numbered from 0
workload { traffic { load: 0.3 pattern: INCAST incast_fan_in: 0 incast_destination: -1 } }
                                                                                    ^)"},
    {"SamplesAndDuration", with_traffic(R"(load: 0.3 sample_cycles: 9 duration: "1us")"),
     R"(e.textproto:2:59: error: duration measures for a fixed time, and sample_cycles in samples; leave one of them out (duration is left out with --set workload.traffic.duration=)
workload { traffic { load: 0.3 sample_cycles: 9 duration: "1us" } }
                                                          ^)"},
    {"SamplesOfExanet", with_traffic("load: 0.3 max_samples: 3"),
     R"(e.textproto:2:45: error: 3 samples with 3 of warm-up: nothing would be measured; write max_samples: 4 or more
workload { traffic { load: 0.3 max_samples: 3 } }
                                            ^)"},
    {"PayloadTooSmall", with_traffic(R"(load: 0.3 payload: "31B")"),
     R"(e.textproto:2:41: error: payload 31 B: a packet holds an envelope of 32 bytes and 256 bytes in all; write 32B to 256B
workload { traffic { load: 0.3 payload: "31B" } }
                                        ^)"},
    {"PayloadTooLarge", with_traffic(R"(load: 0.3 payload: "257B")"),
     R"(e.textproto:2:41: error: payload 257 B: a packet holds an envelope of 32 bytes and 256 bytes in all; write 32B to 256B
workload { traffic { load: 0.3 payload: "257B" } }
                                        ^)"},
    {"DurationZero", with_traffic(R"(load: 0.3 duration: "0us")"),
     R"(e.textproto:2:42: error: duration 0: no packet would be generated; write a time such as "20us"
workload { traffic { load: 0.3 duration: "0us" } }
                                         ^)"},
    {"DurationEmpty", with_traffic(R"(load: 0.3 duration: "")"),
     R"(e.textproto:2:42: error: "" is not a time: it is empty; write it as in "120ns"
workload { traffic { load: 0.3 duration: "" } }
                                         ^)"},
};

class TrafficCheckError : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(TrafficCheckError, IsPlacedAndExplained) { expect_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, TrafficCheckError, ::testing::ValuesIn(kErrors),
                         [](const ::testing::TestParamInfo<ErrorCase>& info) { return info.param.name; });

TEST(TrafficCheck, FillsInTheDefaults) {
  const traffic::TrafficSpec spec = test::default_spec();
  EXPECT_EQ(spec.pattern, v1::UNIFORM);
  EXPECT_EQ(spec.process, v1::BERNOULLI);
  EXPECT_EQ(spec.payload.count, 256);
  EXPECT_EQ(spec.duration, Time::from_us(20));
  EXPECT_EQ(spec.hotspot_fraction, 0.1);
  EXPECT_EQ(spec.hotspot_hosts, std::vector<int32_t>{0});
  EXPECT_EQ(spec.burst_packets, 8);
  EXPECT_EQ(spec.burst_load, 1);
  EXPECT_FALSE(spec.sampled);
}

// What is written decides; each model has its default.
TEST(TrafficCheck, MeasuresTrafficAsItsFieldsSay) {
  const auto sampled = [](const std::string& model, const std::string& fields) {
    const auto experiment = test::parse_experiment("topology { torus { dims: 2 } } router { model: " + model +
                                                       " } workload { traffic { load: 0.1 " + fields + " } }",
                                                   "e");
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    return experiment.ok() && experiment->workload_as<traffic::TrafficSpec>()->sampled;
  };
  for (const char* model : {"EXANET", "INPUT_QUEUED", "PACKET"}) {
    EXPECT_EQ(sampled(model, ""), model == std::string("INPUT_QUEUED"));
    EXPECT_FALSE(sampled(model, "duration: \"2us\"")) << model;
    for (const char* field : {"sample_cycles: 100", "warmup_samples: 1", "max_samples: 7", "latency_limit_cycles: 50",
                              "confidence_target: 0.1"})
      EXPECT_TRUE(sampled(model, field)) << model << " " << field;
  }
}

}  // namespace
}  // namespace fabrictwin
