// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/congestion_part_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/network/builder.h"
#include "models/partition/statistics/congestion_parts.h"
#include "models/partition/statistics/point_series.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMicrosecond = 1'000'000'000;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

class CongestionPartCheck : public ::testing::Test {
 protected:
  /// What may be told.
  static v1::CongestionPart sound(int64_t interval = kMicrosecond) {
    v1::CongestionPart part;
    part.set_window_fs(1);
    part.mutable_queues()->set_area(5);
    part.mutable_queues()->add_bucket_fs(3);
    part.mutable_series()->set_interval_fs(interval);
    part.mutable_series()->add_points()->set_queue_bytes(7);
    return part;
  }
  std::string error(const v1::CongestionPart& part) const {
    const absl::Status status = partition::statistics::check_congestion_part(experiment_, graph_, part);
    if (!status.ok()) EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  }
  /// The report of a run until `end` whose only part this is.
  v1::Report merged(const v1::CongestionPart& part, int64_t end) const {
    google::protobuf::RepeatedPtrField<v1::WorkloadPart> parts;
    *parts.Add()->mutable_congestion() = part;
    v1::Report report;
    report.set_simulated_fs(end);
    EXPECT_TRUE(partition::statistics::report_congestion(experiment_, graph_, parts, report).ok());
    return report;
  }

  experiment::Experiment experiment_ = *test::parse_experiment(
      "topology { torus { dims: [4] } } router { model: PACKET } "
      "workload { incast { sources: 2 bytes: \"1kB\" } } "
      "statistics { series_interval: \"1us\" } stop { after_simulated: \"1s\" }",
      "test.textproto");
  system::SystemGraph graph_ = *network::build_system(experiment_);
};

TEST_F(CongestionPartCheck, TakesWhatPartsTell) {
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error(sound()), "");
  EXPECT_EQ(error(sound(64 * kMicrosecond)), "") << "the interval has doubled";
}

TEST_F(CongestionPartCheck, RefusesWhatCannotBe) {
  using Change = std::function<void(v1::CongestionPart&)>;
  const std::vector<std::pair<const char*, Change>> wrong = {
      {"a window", [](v1::CongestionPart& part) { part.set_window_fs(-1); }},
      {"a window", [](v1::CongestionPart& part) { part.set_window_fs(kMost); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_most_bytes(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_area(-1); }},
      {"queues",
       [](v1::CongestionPart& part) { part.mutable_queues()->set_area(std::numeric_limits<double>::infinity()); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_until_fs(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_bytes(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_mean_most_bytes(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_bucket_fs(0, -1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_paused_outputs(1'000); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->set_paused_outputs(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->add_set_aside_fs(-1); }},
      {"queues", [](v1::CongestionPart& part) { part.mutable_queues()->add_set_aside_change(1 << 30); }},
      {"a fault", [](v1::CongestionPart& part) { part.add_faults(); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->set_interval_fs(1); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->set_interval_fs(-kMicrosecond); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->set_interval_fs(3 * kMicrosecond); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->set_interval_fs(kMicrosecond << 33); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->set_interval_fs(0); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->mutable_points(0)->set_queue_bytes(-1); }},
      {"a series", [](v1::CongestionPart& part) { part.mutable_series()->mutable_rest()->set_set_aside(-1); }},
      {"a series",
       [](v1::CongestionPart& part) {
         for (size_t i = 0; i < partition::statistics::PointSeries<int>::kMostPoints; ++i)
           part.mutable_series()->add_points();
       }},
      {"a goodput window",
       [](v1::CongestionPart& part) { part.mutable_series()->mutable_goodput_window()->add_flow_bytes_before(1); }},
      {"a goodput window",
       [](v1::CongestionPart& part) { part.mutable_series()->mutable_goodput_window()->add_class_bytes_after(1); }},
      {"a tree", [](v1::CongestionPart& part) { part.add_trees()->add_bytes(-1); }},
  };
  for (const auto& [what, change] : wrong) {
    v1::CongestionPart part = sound();
    change(part);
    EXPECT_THAT(error(part), HasSubstr(std::string("a place tells of ") + what)) << part.ShortDebugString();
  }
}

// A part in which nothing has happened for long has few points, and a run that is stopped late would have very many.
TEST_F(CongestionPartCheck, ARunHasNoMorePointsThanThatOfOnePartition) {
  const int64_t end = experiment_.stop_after.fs();
  const v1::Report report = merged(sound(), end);
  ASSERT_GT(report.series().points_size(), 4000);
  EXPECT_LT(report.series().points_size(), 8192);
  EXPECT_DOUBLE_EQ(report.series().interval_seconds(), 128e-6);
}

}  // namespace
}  // namespace fabrictwin
