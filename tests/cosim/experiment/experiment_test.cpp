// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/experiment.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cosim/base/text.h"
#include "cosim/experiment/host_profiles.h"
#include "models/topology/lattice/torus.h"
#include "tests/experiments.h"
#include "workloads/job/spec.h"
#include "workloads/job/trace.h"
#include "workloads/tenants.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin {
namespace {

using google::protobuf::TextFormat;
using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

constexpr const char* kTraffic = "topology { torus { dims: [4, 4, 2] } } workload { traffic { load: 0.3 } }";

/// A folder of the test with an experiment and a trace in it.
class ExperimentFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "hpcg-8.fttrace") << "trace";
    std::ofstream(folder_ / "run.textproto")
        << "topology { torus { dims: 2 dims: 2 dims: 2 } }\nworkload { mpi_trace { path: \"hpcg-8.fttrace\" } }\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST(ExperimentTest, AResetLastsSomeCycles) {
  const auto until = [](const std::string& clock) {
    const auto experiment = test::parse_experiment(
        "topology { torus { dims: 4 link_rate: \"100bps\" tile_rate: \"100bps\" } } workload { traffic { load: 0.3 } } "
        "router { clock: \"" +
            clock + "\" } fault { reset: \"router[0]\" at: \"20us\" }",
        "x.textproto");
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    return experiment.ok() ? experiment->faults.at(0).until : Time::zero();
  };
  EXPECT_EQ(until("100MHz"), Time::from_us(20 + 328) + Time::from_ns(960));
  EXPECT_EQ(until("4Hz"), Time::from_us(8'224'000'020));
  EXPECT_TRUE(until("1Hz").is_never()) << "9 hours are more than times can say";
}

TEST(ExperimentTest, FillsInTheDefaults) {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(kTraffic, "x.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().dims, (std::vector<int32_t>{4, 4, 2}));
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().link_rate.bits_per_second, 10'000'000'000);
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().link_latency, Time::from_ns(120));
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().tile_rate.bits_per_second, 20'000'000'000);
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().tile_latency, Time::from_ns(50));
  EXPECT_EQ(experiment->router.clock.hertz, 156'250'000);
  EXPECT_EQ(experiment->router.buffer_words, 64);
  EXPECT_EQ(experiment->host.send_overhead, Time::from_ns(400));
  EXPECT_EQ(experiment->host.receive_overhead, Time::from_ns(400));
  const traffic::TrafficSpec& traffic = *experiment->workload_as<traffic::TrafficSpec>();
  EXPECT_EQ(traffic.load, 0.3);
  EXPECT_EQ(traffic.payload.count, 256);
  EXPECT_EQ(traffic.duration, Time::from_us(20));
  EXPECT_FALSE(traffic.sampled);
  EXPECT_TRUE(experiment->stop_at_workload_end);
  EXPECT_TRUE(experiment->stop_after.is_never());
  EXPECT_EQ(experiment->seed, 0u);
  EXPECT_TRUE(experiment->uses.empty());
}

TEST(ExperimentTest, ReadsEveryField) {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(R"(
topology { torus { dims: 4 dims: 2 link_rate: "5Gbps" link_latency: "1us" tile_rate: "6.4Gbps" tile_latency: "75ns" } }
use { select: "router[*]" implementation: RTL place: "worker:shm" }
use { select: "router[0]" implementation: BOARD board: "unix:/run/agent" }
use { select: "host[*]" implementation: MODEL }
workload { traffic { pattern: UNIFORM load: 1 payload: "100B" duration: "3us" } }
stop { at_workload_end: true after_simulated: "2s" }
seed: 18446744073709551615
router { clock: "50MHz" buffer_words: 18 }
)",
                                                                                   "x.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().tile_rate.bits_per_second, 6'400'000'000);
  EXPECT_EQ(experiment->topology_as<topology::lattice::TorusSpec>().link_latency, Time::from_us(1));
  ASSERT_EQ(experiment->uses.size(), 3u);
  EXPECT_EQ(experiment->uses[0].place, "worker:shm");
  EXPECT_EQ(experiment->uses[1].place, "unix:/run/agent");
  EXPECT_EQ(experiment->uses[1].implementation, v1::BOARD);
  EXPECT_EQ(experiment->uses[1].source.line, 4);
  EXPECT_EQ(experiment->uses[1].source.column, 15);
  EXPECT_EQ(experiment->uses[2].place, "inproc");
  EXPECT_EQ(experiment->stop_after, Time::from_us(2'000'000));
  EXPECT_EQ(experiment->seed, 18446744073709551615u);
  EXPECT_EQ(experiment->router.buffer_words, 18);
}

TEST(ExperimentTest, ProfilesOfHostsGiveDefaults) {
  const std::string other = "topology { torus { dims: 4 } }\nworkload { mpi_trace { path: \"x\" } }\n";
  experiment::Overrides anywhere;
  anywhere.check_files = false;
  const auto host = [&](const std::string& text) {
    const absl::StatusOr<experiment::Experiment> experiment =
        test::parse_experiment(other + text, "x.textproto", anywhere);
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    return experiment.ok() ? experiment->host : experiment::HostSpec();
  };
  EXPECT_EQ(host("").profile, "none");
  EXPECT_EQ(host("").match_overhead, Time::zero());
  EXPECT_EQ(host("").copy_rate, Bandwidth{});
  const experiment::HostSpec a53 = host(R"(host { profile: "a53-exanest" receive_overhead: "5ns" })");
  // One way of a message between neighbours: 1293 ns, of which 470 ns are the network's.
  EXPECT_EQ(a53.send_overhead + experiment::find_mpi_overheads("a53-exanest")->receive + a53.match_overhead,
            Time::from_ns(823));
  EXPECT_EQ(a53.receive_overhead, Time::from_ns(5)) << "what is written counts";
  EXPECT_EQ(host(R"(host { send_overhead: "0ns" })").send_overhead, Time::zero());
  EXPECT_EQ(a53.loopback_latency, Time::from_ns(347));
  EXPECT_EQ(a53.collectives.request, Time::from_ns(390));
  const experiment::HostSpec library =
      host(R"(host { profile: "a53-exanest" collectives { reduction: "0ns" buffer: "1us" rate: "1GB/s" } })");
  EXPECT_EQ(library.collectives.request, Time::from_ns(390)) << "what is not written is of the profile";
  EXPECT_EQ(library.collectives.reduction, Time::zero());
  EXPECT_EQ(library.collectives.buffer, Time::from_us(1));
  EXPECT_EQ(library.collectives.rate, Bandwidth{8'000'000'000});
  EXPECT_EQ(host("").collectives.rate, Bandwidth{});
  EXPECT_GT(a53.loopback_rate, Bandwidth{});
  EXPECT_EQ(host(R"(host { profile: "x86" copy_rate: "1GB/s" })").copy_rate, Bandwidth{8'000'000'000});
}

TEST_F(ExperimentFileTest, FindsTheTraceBesideTheFile) {
  const absl::StatusOr<experiment::Experiment> experiment = test::load_experiment((folder_ / "run.textproto").string());
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const job::MpiTraceSpec& trace = *experiment->workload_as<job::JobsSpec>()->jobs.at(0).work_as<job::MpiTraceSpec>();
  EXPECT_EQ(trace.path, (folder_ / "hpcg-8.fttrace").string());
  EXPECT_EQ(experiment->message.workload().mpi_trace().path(), trace.path);
  EXPECT_EQ(trace.compute_scale, 1.0);
  EXPECT_FALSE(trace.eager_limit.has_value());
  EXPECT_EQ(experiment->host.eager_limit.count, 32);
}

TEST_F(ExperimentFileTest, TakesAPathOfTheCommandLineFromTheWorkingDirectoryFirst) {
  const std::filesystem::path other = std::filesystem::relative(folder_ / "hpcg-8.fttrace");
  experiment::Overrides overrides;
  overrides.sets = {"workload.mpi_trace.path=" + other.string()};
  const absl::StatusOr<experiment::Experiment> experiment =
      test::load_experiment((folder_ / "run.textproto").string(), overrides);
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_TRUE(std::filesystem::equivalent(
      experiment->workload_as<job::JobsSpec>()->jobs.at(0).work_as<job::MpiTraceSpec>()->path,
      folder_ / "hpcg-8.fttrace"));
}

TEST_F(ExperimentFileTest, AWorkerNeedNotHaveTheTrace) {
  std::filesystem::remove(folder_ / "hpcg-8.fttrace");
  experiment::Overrides overrides;
  EXPECT_FALSE(test::load_experiment((folder_ / "run.textproto").string(), overrides).ok());
  overrides.check_files = false;
  EXPECT_TRUE(test::load_experiment((folder_ / "run.textproto").string(), overrides).ok());
}

TEST_F(ExperimentFileTest, TheTextFormWithOverridesLoadsToTheSameExperiment) {
  experiment::Overrides overrides;
  overrides.sets = {"topology.torus.dims=4x4x2", "workload.mpi_trace.compute_scale=0.5"};
  overrides.uses = {"router[1]=rtl@worker:unix"};
  overrides.seed = 7;
  const absl::StatusOr<experiment::Experiment> first =
      test::load_experiment((folder_ / "run.textproto").string(), overrides);
  ASSERT_TRUE(first.ok()) << first.status();
  std::string text;
  ASSERT_TRUE(TextFormat::PrintToString(first->message, &text));
  // Another folder: the path of the trace must not depend on it.
  const absl::StatusOr<experiment::Experiment> second = test::parse_experiment(text, "/elsewhere/run.textproto");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(MessageDifferencer::Equals(first->message, second->message));
  EXPECT_EQ(second->topology_as<topology::lattice::TorusSpec>().dims, (std::vector<int32_t>{4, 4, 2}));
  EXPECT_EQ(second->uses.size(), 1u);
  EXPECT_EQ(second->uses[0].place, "worker:unix");
  EXPECT_EQ(second->seed, 7u);
  EXPECT_EQ(second->workload_as<job::JobsSpec>()->jobs.at(0).work_as<job::MpiTraceSpec>()->compute_scale, 0.5);
}

TEST(ExperimentTest, AProgramRefusesTopologiesAndWorkloadsThatItDoesNotHave) {
  const std::string text = "topology { torus { dims: 2 } }\nworkload { traffic { load: 0.1 } }\n";
  experiment::Tenants none = workloads::tenants();
  none.topologies.clear();
  none.workloads.clear();
  const std::string error = std::string(message_of(experiment::parse_experiment(text, "e.textproto", none).status()));
  EXPECT_THAT(error, HasSubstr("e.textproto:1:1: error: this program has no topology torus"));
  EXPECT_THAT(error, HasSubstr("e.textproto:2:1: error: this program has no workload traffic; write another one"));
}

TEST(ExperimentTest, AMissingFileIsNotFound) {
  const absl::StatusOr<experiment::Experiment> experiment = test::load_experiment("/no/such/file.textproto");
  EXPECT_EQ(experiment.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(
      message_of(experiment.status()),
      "/no/such/file.textproto: error: cannot open the experiment file: No such file or directory; name one, such as "
      "workloads/experiments/uniform.textproto");
}

RC_GTEST_PROP(ExperimentProperty, AnyTextIsReadOrRefusedWithAPlace, (const std::string& text)) {
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "x.textproto");
  RC_ASSERT(!experiment.ok());
  RC_ASSERT(message_of(experiment.status()).starts_with("x.textproto:"));
}

RC_GTEST_PROP(ExperimentProperty, ADamagedExperimentIsReadOrRefused, ()) {
  std::string text = kTraffic;
  const int damages = *rc::gen::inRange(1, 5);
  for (int i = 0; i < damages; ++i) text[*rc::gen::inRange<size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "x.textproto");
  RC_ASSERT(experiment.ok() || message_of(experiment.status()).starts_with("x.textproto:"));
}

}  // namespace
}  // namespace fabrictwin
