// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management, queues of schemes, pauses and faults in networks of packets in several partitions, however
// they are cut: what hosts receive, and when, and what is reported of it, is that of one partition.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/models/partition/apart_run.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

/// Switches of Ethernet in three levels, and a torus with credits.
struct System {
  std::string text;
  int routers;
  bool pause;  ///< It may have `pfc`.
};

const System kLeaves{
    "topology { spine_leaf { spines: 2 leaves: 3 hosts_per_leaf: 4 link_rate: \"100Gbps\" link_latency: \"500ns\" "
    "host_rate: \"100Gbps\" host_latency: \"100ns\" } } router { model: PACKET packet_payload: \"1000B\" } "
    "routing { algorithm: D_MOD_K } ",
    5, true};
const System kTorus{"topology { torus { dims: [5, 3] } } router { model: PACKET vc_buffer_flits: 160 } ", 15, false};

const char* const kSchemes[] = {
    "",
    "transport { header: \"48B\" } ",
    "congestion { dcqcn { kmin: \"5kB\" kmax: \"20kB\" } } ",
    "congestion { dctcp { } } ",
    "congestion { timely { } } ",
    "congestion { hpcc { } } ",
    "congestion { ib_cca { } } ",
    "congestion { swift { } } ",
    "congestion { max_min { } } ",
    "congestion { back_pressure { } } ",
    "congestion { throttling { } } ",
};

const std::string kIncastBesideRanks =
    "workload { jobs { job { skeleton { ranks: 5 minife { global: \"12x12x12\" iterations: 1 } } placement { hosts: "
    "\"0..4\" } } job { incast { sources: 4 bytes: \"40kB\" } } } } ";
const char* const kWorkloads[] = {
    R"(workload { incast { sources: 6 bytes: "60kB" destination: 3 rounds: 2 period: "20us" jitter: "1us" } } )",
    R"(workload { skeleton { ranks: 12 minife { global: "12x12x12" iterations: 2 } } } )",
    kIncastBesideRanks.c_str(),
};

const char* const kStatistics[] = {
    "",
    "statistics { queues: true series_interval: \"2us\" } ",
    "statistics { series_interval: \"700ns\" tree_at: [\"3us\", \"9us\", \"17us\"] } ",
};

std::string difference(const google::protobuf::Message& whole, const google::protobuf::Message& apart) {
  google::protobuf::util::MessageDifferencer differencer;
  std::string text;
  differencer.ReportDifferencesToString(&text);
  return differencer.Compare(whole, apart) ? std::string() : text;
}

/// What one partition reports and several must, too.
v1::Report compared(const v1::Report& report) {
  v1::Report same;
  same.set_timing_digest(report.timing_digest());
  same.set_payload_digest(report.payload_digest());
  same.set_simulated_fs(report.simulated_fs());
  same.set_packets_delivered(report.packets_delivered());
  same.set_bytes_delivered(report.bytes_delivered());
  *same.mutable_flows() = report.flows();
  if (report.has_flow_summary()) *same.mutable_flow_summary() = report.flow_summary();
  if (report.has_control()) *same.mutable_control() = report.control();
  if (report.has_queues()) *same.mutable_queues() = report.queues();
  if (report.has_series()) *same.mutable_series() = report.series();
  *same.mutable_trees() = report.trees();
  *same.mutable_faults() = report.faults();
  *same.mutable_jobs() = report.jobs();
  *same.mutable_ranks() = report.ranks();
  return same;
}

void expect_the_same(const std::string& text, const Sets& sets, const std::vector<std::string>& uses) {
  const absl::StatusOr<v1::Report> whole = run_models(text, sets);
  if (!whole.ok()) RC_LOG() << whole.status().ToString() << text;
  RC_ASSERT(whole.ok());
  const absl::StatusOr<v1::Report> apart = run_apart(text, sets, uses);
  if (!apart.ok()) RC_LOG() << apart.status().ToString() << text;
  RC_ASSERT(apart.ok());
  const std::string differences = difference(compared(*whole), compared(*apart));
  if (!differences.empty()) RC_LOG() << text << fmt::format("{}\n", fmt::join(sets, " ")) << differences;
  RC_ASSERT(differences.empty());
}

// Each cut has routers in two parts: network interfaces refuse to have all of them in one other process.
std::vector<std::string> some_cut(int routers) {
  const int parts = *rc::gen::inRange(2, 5);
  auto part_of = *rc::gen::container<std::vector<int>>(static_cast<size_t>(routers), rc::gen::inRange(0, parts));
  part_of.back() = part_of.front() == 0 ? 1 : 0;
  return rules_of(part_of, parts);
}

template <size_t kCount>
std::string one_of(const char* const (&texts)[kCount]) {
  return texts[static_cast<size_t>(*rc::gen::inRange<int>(0, kCount))];
}

RC_GTEST_PROP(ApartCongestion, CutsDoNotShow, ()) {
  const bool leaves = *rc::gen::arbitrary<bool>();
  const System& system = leaves ? kLeaves : kTorus;
  const std::string scheme = one_of(kSchemes);
  const std::string statistics = one_of(kStatistics);
  const bool pause = *rc::gen::arbitrary<bool>() && system.pause;
  const int aside = *rc::gen::inRange(0, 3);
  Sets sets{fmt::format("seed={}", *rc::gen::inRange(1, 1000))};
  // Without a transport, acknowledgements do not exist.
  const bool delayed = *rc::gen::arbitrary<bool>();
  if (aside == 0 && !scheme.empty()) sets.push_back("transport.acknowledgement=0B");
  if (aside == 0 && !scheme.empty() && delayed) sets.push_back("transport.acknowledgement_delay=3us");
  const std::string workload = one_of(kWorkloads);
  const std::vector<std::string> uses = some_cut(system.routers);
  expect_the_same(system.text + scheme + (pause ? "pfc { } " : "") + statistics + workload, sets, uses);
}

// A notice that a flow has ended is for the outputs on its way, and no queue pair of its destination.
TEST(ApartCongestion, NoticesForOutputsCross) {
  const std::string text = kTorus.text + "congestion { max_min { } } " + kWorkloads[0];
  const Sets sets{"seed=1"};
  const absl::StatusOr<v1::Report> whole = run_models(text, sets);
  ASSERT_TRUE(whole.ok()) << whole.status();
  std::vector<int> part_of(15, 0);
  part_of[14] = 1;
  const absl::StatusOr<v1::Report> apart = run_apart(text, sets, rules_of(part_of, 2));
  ASSERT_TRUE(apart.ok()) << apart.status();
  EXPECT_GT(whole->control().notices(), 0u);
  EXPECT_EQ(difference(compared(*whole), compared(*apart)), "");
}

const char* const kQueues[] = {
    "queues { scheme: VOQSW } ",
    "queues { scheme: VOQNET } ",
    "queues { scheme: DBBM } ",
    "queues { scheme: FBICM detect: 2 stop: 3 resume: 1 } ",
};

const char* const kHashes[] = {"", "routing.algorithm=ECMP", "routing.algorithm=RANDOM_UP"};

RC_GTEST_PROP(ApartCongestion, CutsOfQueueSchemesDoNotShow, ()) {
  const bool leaves = *rc::gen::arbitrary<bool>();
  const System& system = leaves ? kLeaves : kTorus;
  const std::string queues = one_of(kQueues);
  const std::string routing = one_of(kHashes);
  Sets sets;
  if (leaves && queues.find("FBICM") == std::string::npos && !routing.empty()) sets.push_back(routing);
  const std::string scheme = *rc::gen::arbitrary<bool>() ? "congestion { ib_cca { } } " : "";
  const std::string statistics = one_of(kStatistics);
  const std::string workload = one_of(kWorkloads);
  const std::vector<std::string> uses = some_cut(system.routers);
  expect_the_same(system.text + queues + scheme + statistics + workload, sets, uses);
}

// A queue of flits is a VC with its own credits.
RC_GTEST_PROP(ApartCongestion, CutsOfQueuesOfFlitsDoNotShow, ()) {
  const auto scheme = static_cast<size_t>(*rc::gen::inRange(0, 3));
  const std::string statistics = kStatistics[static_cast<size_t>(*rc::gen::inRange(0, 2))];
  const Sets sets{fmt::format("seed={}", *rc::gen::inRange(1, 1000))};
  const std::vector<std::string> uses = some_cut(15);
  expect_the_same(std::string("topology { torus { dims: [5, 3] } } router { model: INPUT_QUEUED } ") + kQueues[scheme] +
                      statistics + kWorkloads[1],
                  sets, uses);
}

// Acknowledgements that arrive when all processes have finished do not count.
RC_GTEST_PROP(ApartCongestion, CutsBetweenInterfacesDoNotShow, ()) {
  const std::string workload = *rc::gen::arbitrary<bool>() ? kWorkloads[1]
                                                           : "workload { skeleton { ranks: 12 minife { global: "
                                                             "\"12x12x12\" iterations: 2 } } } ";
  const std::string model = *rc::gen::element<std::string>("PACKET", "INPUT_QUEUED");
  const Sets sets{"router.model=" + model, fmt::format("seed={}", *rc::gen::inRange(1, 1000))};
  const std::vector<std::string> uses = some_cut(12);
  expect_the_same("topology { torus { dims: [4, 3] } } host { nic: RDMA } " + workload, sets, uses);
}

}  // namespace
}  // namespace fabrictwin
