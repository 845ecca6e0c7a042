// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of packets or flits in several partitions, however they are cut: what hosts receive, and when, is what they
// receive in one partition. All places are in this process, one executor has all of their partitions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/models/partition/apart_run.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

/// Rules by which routers of part 0 move words, and those of the others have the depth of their part: part 1 in this
/// process too, if `places`, others elsewhere.
std::vector<std::string> depths_of(const std::vector<int>& part_of, const std::vector<std::string>& depths,
                                   bool places) {
  std::vector<std::string> rules = rules_of(part_of, static_cast<int>(depths.size()) + 1);
  for (size_t i = 0; i < rules.size(); ++i) {
    std::string& rule = rules[i];
    rule.erase(rule.find("=MODEL"));
    rule += "=MODEL/" + depths[i] + (places && i > 0 ? "@worker:shm" : "");
  }
  return rules;
}

/// Depths of all parts but the first.
rc::Gen<std::vector<std::string>> some_depths(int parts) {
  return rc::gen::container<std::vector<std::string>>(static_cast<size_t>(parts) - 1,
                                                      rc::gen::element<std::string>("PACKET", "INPUT_QUEUED"));
}

struct System {
  const char* text;
  int routers;
};

const System kSystems[] = {
    {"topology { torus { dims: [4, 3, 2] } } workload { exchange { bytes: \"3000B\" allreduce: \"8B\" } }", 24},
    {"topology { torus { dims: [2, 2, 2] } } router { packet_payload: \"64B\" } host { eager_limit: \"1KiB\" } "
     "workload { skeleton { ranks: 8 minife { global: \"12x12x12\" iterations: 3 } } }",
     8},
    {"topology { dragonfly { groups: 5 rows: 1 columns: 2 hosts_per_router: 2 column_links: 1 global_ports: 2 } } "
     "router { vcs: 4 } routing { algorithm: VALIANT } "
     "workload { skeleton { ranks: 20 minife { global: \"20x16x16\" iterations: 2 } } }",
     10},
    {"topology { fat_tree { down: [4, 4] } } routing { algorithm: UP_DOWN } "
     "workload { skeleton { ranks: 16 minife { global: \"16x16x16\" iterations: 2 } } }",
     8},
    {"topology { torus { dims: [4, 4] } } router { vcs: 4 } routing { algorithm: UGAL_L } "
     "workload { exchange { bytes: \"8KiB\" } }",
     16},
    {"topology { torus { dims: [4, 4] } } workload { jobs { "
     "job { osu { benchmark: ALLREDUCE sizes: \"1KiB\" ranks: 5 iterations: 2 warmup: 0 } } "
     "job { osu { benchmark: ALLTOALL sizes: \"500\" ranks: 7 iterations: 1 warmup: 0 } background: true } } }",
     16},
    {"topology { torus { dims: [4, 4] } } workload { jobs { "
     "job { osu { benchmark: ALLTOALL sizes: \"3KiB\" ranks: 5 iterations: 2 warmup: 0 } } "
     "job { traffic { load: 0.3 duration: \"1s\" } background: true } } }",
     16},
};

RC_GTEST_PROP(Apart, CutsDoNotShow, ()) {
  const System& system = *rc::gen::elementOf(std::vector<System>(std::begin(kSystems), std::end(kSystems)));
  const int parts = *rc::gen::inRange(2, 5);
  const auto part_of =
      *rc::gen::container<std::vector<int>>(static_cast<size_t>(system.routers), rc::gen::inRange(0, parts));
  const auto seed = *rc::gen::inRange(1, 1000);
  const std::string model = *rc::gen::element<std::string>("PACKET", "INPUT_QUEUED");
  const Sets sets{"router.model=" + model, fmt::format("seed={}", seed),
                  fmt::format("router.credit_delay={}", *rc::gen::inRange(0, 4))};
  const absl::StatusOr<v1::Report> whole = run_models(system.text, sets);
  if (!whole.ok()) RC_LOG() << whole.status().ToString();
  RC_ASSERT(whole.ok());
  const absl::StatusOr<v1::Report> apart = run_apart(system.text, sets, rules_of(part_of, parts));
  if (!apart.ok()) RC_LOG() << apart.status().ToString();
  RC_ASSERT(apart.ok());
  RC_ASSERT(apart->timing_digest() == whole->timing_digest());
  RC_ASSERT(apart->payload_digest() == whole->payload_digest());
  RC_ASSERT(apart->simulated_fs() == whole->simulated_fs());
  RC_ASSERT(apart->packets_delivered() == whole->packets_delivered());
  RC_ASSERT(apart->ranks_size() == whole->ranks_size());
  for (int i = 0; i < whole->ranks_size(); ++i)
    RC_ASSERT(apart->ranks(i).SerializeAsString() == whole->ranks(i).SerializeAsString());
}

/// Systems of words that may have routers of packets and flits.
const System kWordSystems[] = {
    {"topology { torus { dims: [4, 3, 2] } } workload { exchange { bytes: \"3000B\" allreduce: \"8B\" } }", 24},
    {"topology { torus { dims: [2, 2, 2] } } host { eager_limit: \"1KiB\" } "
     "workload { skeleton { ranks: 8 minife { global: \"12x12x12\" iterations: 3 } } }",
     8},
    {"topology { fat_tree { down: [4, 4] } } "
     "workload { skeleton { ranks: 16 minife { global: \"16x16x16\" iterations: 2 } } }",
     8},
    {"topology { torus { dims: [4, 4] wrap: false } } workload { exchange { bytes: \"1001B\" } }", 16},
    {"topology { torus { dims: [4, 2] } } workload { jobs { "
     "job { osu { benchmark: ALLREDUCE sizes: \"1KiB\" ranks: 3 iterations: 2 warmup: 0 } } "
     "job { osu { benchmark: ALLTOALL sizes: \"500\" ranks: 4 iterations: 1 warmup: 0 } background: true } } }",
     8},
};

// Wherever packets and flits become words, hosts receive what was sent, and it does not show in which processes that
// happens. The routers of part 0 hold the SystemC context of this process, so the others are those that move.
RC_GTEST_PROP(Apart, CutsBetweenDepthsDoNotShow, ()) {
  const System& system = *rc::gen::elementOf(std::vector<System>(std::begin(kWordSystems), std::end(kWordSystems)));
  const int parts = *rc::gen::inRange(2, 5);
  const auto part_of =
      *rc::gen::container<std::vector<int>>(static_cast<size_t>(system.routers), rc::gen::inRange(0, parts));
  const std::vector<std::string> depths = *some_depths(parts);
  const Sets sets{fmt::format("seed={}", *rc::gen::inRange(1, 1000))};
  const absl::StatusOr<v1::Report> words = run_apart(system.text, sets, {});
  if (!words.ok()) RC_LOG() << words.status().ToString();
  RC_ASSERT(words.ok());
  const absl::StatusOr<v1::Report> here = run_apart(system.text, sets, depths_of(part_of, depths, false));
  if (!here.ok()) RC_LOG() << here.status().ToString();
  RC_ASSERT(here.ok());
  const absl::StatusOr<v1::Report> apart = run_apart(system.text, sets, depths_of(part_of, depths, true));
  if (!apart.ok()) RC_LOG() << apart.status().ToString();
  RC_ASSERT(apart.ok());
  // A run with a background is over sooner or later with other depths.
  const bool background = std::string_view(system.text).find("background") != std::string_view::npos;
  RC_ASSERT(background || here->payload_digest() == words->payload_digest());
  RC_ASSERT(background || here->packets_delivered() == words->packets_delivered());
  RC_ASSERT(apart->timing_digest() == here->timing_digest());
  RC_ASSERT(apart->payload_digest() == here->payload_digest());
  RC_ASSERT(apart->simulated_fs() == here->simulated_fs());
  RC_ASSERT(apart->ranks_size() == here->ranks_size());
  for (int i = 0; i < here->ranks_size(); ++i)
    RC_ASSERT(apart->ranks(i).SerializeAsString() == here->ranks(i).SerializeAsString());
}

const char* const kTraffic[] = {
    "topology { torus { dims: [4, 3, 2] } } workload { jobs { "
    "job { skeleton { ranks: 8 minife { global: \"12x12x12\" iterations: 1 } } placement { hosts: \"0..7\" } } "
    "job { traffic { pattern: UNIFORM load: 0.2 duration: \"6us\" } } } }",
    "topology { torus { dims: [4, 3, 2] } } workload { traffic { pattern: UNIFORM load: 0.4 duration: \"3us\" } }",
    "topology { torus { dims: [6, 4] } } workload { traffic { pattern: HOTSPOT load: 0.2 payload: \"64B\" duration: "
    "\"2us\" "
    "process: BURSTY } } statistics { per_node: true latency_histogram: true }",
    "topology { torus { dims: [4, 6] } } workload { traffic { duration: \"3us\" "
    "class { name: \"a\" pattern: INCAST incast_fan_in: 6 load: 0.3 } "
    "class { name: \"b\" pattern: NEIGHBOR load: 0.2 stop: \"1us\" } } }",
};

// Traffic is measured by each partition, and what is reported is of all.
RC_GTEST_PROP(Apart, TrafficIsMeasuredAsOne, ()) {
  const std::string text = *rc::gen::elementOf(std::vector<std::string>(std::begin(kTraffic), std::end(kTraffic)));
  const int parts = *rc::gen::inRange(2, 4);
  const auto part_of = *rc::gen::container<std::vector<int>>(24, rc::gen::inRange(0, parts));
  // Words among others, or all routers of one model.
  const auto model = *rc::gen::element<std::string>("EXANET", "PACKET", "INPUT_QUEUED");
  const bool mixed = model == "EXANET";
  const std::vector<std::string> depths = *some_depths(parts);
  Sets sets{fmt::format("seed={}", *rc::gen::inRange(1, 1000)), "router.model=" + model};
  if (model == "INPUT_QUEUED") {
    const auto more = *rc::gen::element<Sets>(Sets{}, Sets{"router.internal_speedup=2", "router.arbitration=AGE"},
                                              Sets{"router.switching=VIRTUAL_CUT_THROUGH", "router.vc_buffer_flits=36"},
                                              Sets{"topology.torus.tile_rate=5Gbps", "statistics.queues=true"},
                                              Sets{"statistics.series_interval=200ns", "queues.scheme=VOQNET"},
                                              Sets{"queues.scheme=FBICM", "router.vc_buffer_flits=216"});
    sets.insert(sets.end(), more.begin(), more.end());
  }
  const absl::StatusOr<v1::Report> one =
      run_apart(text, sets, mixed ? depths_of(part_of, depths, false) : std::vector<std::string>());
  if (!one.ok()) RC_LOG() << one.status().ToString();
  RC_ASSERT(one.ok());
  const absl::StatusOr<v1::Report> apart =
      run_apart(text, sets, mixed ? depths_of(part_of, depths, true) : rules_of(part_of, parts));
  if (!apart.ok()) RC_LOG() << apart.status().ToString();
  RC_ASSERT(apart.ok());
  RC_ASSERT(one->traffic().packets_received() > 0u);
  RC_ASSERT(apart->timing_digest() == one->timing_digest());
  RC_ASSERT(apart->payload_digest() == one->payload_digest());
  RC_ASSERT(apart->simulated_fs() == one->simulated_fs());
  RC_ASSERT(apart->traffic().DebugString() == one->traffic().DebugString());
  if (model == "INPUT_QUEUED") {
    RC_ASSERT(apart->queues().DebugString() == one->queues().DebugString());
    RC_ASSERT(apart->series().DebugString() == one->series().DebugString());
  }
  RC_ASSERT(apart->bytes_delivered() == one->bytes_delivered());
  RC_ASSERT(apart->packets_delivered() == one->packets_delivered());
  RC_ASSERT(apart->message_latency_seconds().DebugString() == one->message_latency_seconds().DebugString());
  RC_ASSERT(apart->classes_size() == one->classes_size());
  for (int i = 0; i < one->classes_size(); ++i)
    RC_ASSERT(apart->classes(i).DebugString() == one->classes(i).DebugString());
  RC_ASSERT(apart->traffic().packets_sent() == apart->traffic().packets_received());
}

// One packet at a time is where it would be as words: to the femtosecond, if a word takes a whole number of cycles.
TEST(Apart, PacketsAloneTakeTheTimeOfWords) {
  const std::string text =
      "topology { torus { dims: [5, 3, 2] } } "
      "workload { traffic { pattern: UNIFORM load: 0.001 duration: \"200us\" } } ";
  for (const char* payload : {"32B", "100B", "256B"}) {
    for (const auto& [rate, error] :
         {std::pair{"10Gbps", 1e-12}, std::pair{"20Gbps", 1e-12}, std::pair{"7Gbps", 1e-2}}) {
      const Sets sets{fmt::format("workload.traffic.payload={}", payload),
                      fmt::format("topology.torus.link_rate={}", rate)};
      const absl::StatusOr<v1::Report> words = run_apart(text, sets, {});
      ASSERT_TRUE(words.ok()) << words.status();
      const absl::StatusOr<v1::Report> packets = run_apart(text, sets, {"*=MODEL/PACKET"});
      ASSERT_TRUE(packets.ok()) << packets.status();
      ASSERT_GE(words->traffic().packets_received(), 10u);
      EXPECT_EQ(packets->traffic().packets_received(), words->traffic().packets_received());
      const v1::LatencySeconds& expected = words->traffic().latency_seconds();
      const v1::LatencySeconds& taken = packets->traffic().latency_seconds();
      EXPECT_NEAR(taken.mean() / expected.mean(), 1, error) << payload << " " << rate;
      EXPECT_NEAR(taken.max() / expected.max(), 1, error) << payload << " " << rate;
    }
  }
}

// Flits are where words are but for the rest of a cycle: a link takes whole cycles of the routers.
TEST(Apart, FlitsAloneTakeNearlyTheTimeOfWords) {
  for (const auto& [rate, error] : {std::pair{"10Gbps", 0.002}, std::pair{"20Gbps", 0.01}, std::pair{"7Gbps", 0.02}}) {
    const std::string text = fmt::format(
        "topology {{ torus {{ dims: [5, 3, 2] link_rate: \"{}\" }} }} "
        "workload {{ traffic {{ pattern: UNIFORM load: 0.001 duration: \"200us\" }} }} ",
        rate);
    const absl::StatusOr<v1::Report> words = run_apart(text, {}, {});
    ASSERT_TRUE(words.ok()) << words.status();
    const absl::StatusOr<v1::Report> flits = run_apart(text, {}, {"*=MODEL/INPUT_QUEUED"});
    ASSERT_TRUE(flits.ok()) << flits.status();
    EXPECT_EQ(flits->traffic().packets_received(), words->traffic().packets_received());
    const double taken = flits->traffic().latency_seconds().mean() / words->traffic().latency_seconds().mean();
    EXPECT_NEAR(taken, 1, error) << rate;
  }
}

// Words take a flit further as soon as another router of flits would, and a message is complete with its last word,
// long after its envelope.
TEST(Apart, FlitsBecomeWordsAndWordsFlitsInNoTime) {
  const std::string text =
      "topology { torus { dims: [4] } } workload { traffic { duration: \"100us\" "
      "class { hosts: \"0\" pattern: NEIGHBOR load: 0.01 } } } ";
  const auto mean = [&](const std::vector<std::string>& uses) {
    const absl::StatusOr<v1::Report> report = run_apart(text, {}, uses);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? report->traffic().latency_seconds().mean() : 0;
  };
  const double words = mean({});
  ASSERT_GT(words, 0);
  for (const char* flits : {"router[0]", "router[1]"})
    EXPECT_NEAR(mean({fmt::format("{}=MODEL/INPUT_QUEUED", flits)}), words, 2e-9) << flits;
}

TEST(Apart, LinksThatFlitsTakeAreNotTooLong) {
  const Sets sets{"topology.torus.link_latency=10us"};
  const std::string text = "topology { torus { dims: [4] } } workload { exchange { bytes: \"100B\" } }";
  EXPECT_TRUE(run_apart(text, sets, {"router[0,2]=MODEL/INPUT_QUEUED"}).ok()) << "they are not neighbours";
  EXPECT_THAT(std::string(run_apart(text, sets, {"router[0,1]=MODEL/INPUT_QUEUED"}).status().message()),
              ::testing::AllOf(::testing::HasSubstr("--use:1:1: error: depth INPUT_QUEUED is not possible"),
                               ::testing::HasSubstr("takes 1565 cycles")));
}

// Packets that were words do not say that they belong to a flow.
TEST(Apart, FlowsHaveTheirBytesAtEveryDepth) {
  const std::string text =
      "topology { torus { dims: [4, 2] } } workload { incast { sources: 3 bytes: \"20kB\" destination: 5 } }";
  for (const char* rule : {"router[5]=MODEL/PACKET", "router[5]=MODEL/INPUT_QUEUED", "*=MODEL/PACKET"}) {
    const absl::StatusOr<v1::Report> report = run_apart(text, {}, {rule});
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_EQ(report->flows_size(), 3);
    for (const v1::FlowReport& flow : report->flows()) {
      EXPECT_EQ(flow.bytes_received(), 20'000u) << rule;
      EXPECT_GT(flow.goodput_gbps(), 0) << rule;
    }
  }
}

// Full links carry what words make of them, also where links have different rates and cross an edge, and where a VC
// waits for credits on an empty link: as words do, packets and flits need space for a whole packet.
TEST(Apart, StreamsAreAsFastAsWords) {
  const std::string text = "topology { torus { dims: [4, 4] } } workload { exchange { bytes: \"64KiB\" } }";
  struct Case {
    Sets sets;
    double error = 0.005;
  };
  for (const auto& [sets, error] :
       {Case{}, Case{{"topology.torus.link_rate=7Gbps"}}, Case{{"topology.torus.tile_rate=5Gbps"}},
        Case{{"router.buffer_words=18"}, 0.03}, Case{{"topology.torus.link_latency=500ns"}, 0.02}}) {
    const absl::StatusOr<v1::Report> words = run_apart(text, sets, {});
    ASSERT_TRUE(words.ok()) << words.status();
    for (const char* select : {"*", "router[0,1,5,6,11]"}) {
      for (const char* depth : {"PACKET", "INPUT_QUEUED"}) {
        const absl::StatusOr<v1::Report> coarse = run_apart(text, sets, {fmt::format("{}=MODEL/{}", select, depth)});
        ASSERT_TRUE(coarse.ok()) << coarse.status();
        EXPECT_NEAR(static_cast<double>(coarse->simulated_fs()) / static_cast<double>(words->simulated_fs()), 1, error)
            << depth << " " << select << (sets.empty() ? "" : " " + sets[0]);
      }
    }
  }
}

}  // namespace
}  // namespace fabrictwin
