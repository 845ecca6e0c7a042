// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metrics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "tests/dashboards/metrics/small_run.h"

namespace fabrictwin::dashboards::metrics {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const metric::Counter kSamples{
    {.name = "fabrictwin_test_samples_total", .help = "Samples that were taken", .labels = {"who"}}};
const metric::Summary kLatency{
    {.name = "fabrictwin_test_latency_seconds", .unit = "seconds", .help = "Latencies of a test"}};

/// Counts how often it was measured.
class CountingPartition final : public engine::Partition {
 public:
  explicit CountingPartition(std::string who = "models") : who_(std::move(who)) {}
  absl::Status advance(Time /*until*/) override { return absl::OkStatus(); }
  Time next_event() const override { return Time::never(); }
  uint64_t events() const override { return 0; }
  double workload_done() const override { return 0.5; }
  void measure(metric::Sink& sink) const override {
    sink.add(kSamples, ++measured_, {who_});
    metric::Distribution latency;
    latency.count = 3;
    latency.sum = 6e-6;
    latency.quantiles = {1e-6, 2e-6, 2.5e-6, 3e-6, 3e-6, 3e-6};
    sink.add(kLatency, latency);
  }

 private:
  std::string who_;
  mutable double measured_ = 0;
};

class MetricsFileTest : public ::testing::Test {
 protected:
  void sample(int times, const engine::Partition& partition) {
    for (int i = 0; i < times; ++i) file_.sample(partition, run_.links);
  }
  /// The lines of the file that begin so.
  std::vector<std::string> lines(std::string_view begin) const {
    std::vector<std::string> found;
    const std::string text = file_.text(1000);
    for (const std::string_view line : split(text, "\n"))
      if (line.starts_with(begin)) found.emplace_back(line);
    return found;
  }

  SmallRun run_;
  MetricsFile file_{run_.experiment, run_.plan, {.run = "run7"}, {}};
};

TEST_F(MetricsFileTest, StretchesSimulatedTimeToSeconds) {
  const CountingPartition partition;
  EXPECT_EQ(file_.next(), Time::from_ns(1000));
  sample(2, partition);
  EXPECT_EQ(file_.next(), Time::from_ns(3000));
  EXPECT_THAT(lines("fabrictwin_test_samples_total"),
              ::testing::ElementsAre(
                  R"(fabrictwin_test_samples_total{job="fabrictwin",instance="run7",who="models"} 1 990.000)",
                  R"(fabrictwin_test_samples_total{job="fabrictwin",instance="run7",who="models"} 2 1000.000)"));
  EXPECT_THAT(lines("fabrictwin_simulated_seconds_total"),
              ::testing::ElementsAre(HasSubstr("e-06 990.000"), HasSubstr("e-06 1000.000")));
  EXPECT_THAT(lines("# TYPE fabrictwin_test_samples"),
              ::testing::ElementsAre("# TYPE fabrictwin_test_samples counter"));
  EXPECT_THAT(lines("fabrictwin_progress_ratio"), ::testing::SizeIs(2));
  EXPECT_THAT(lines("fabrictwin_wall_seconds"), ::testing::IsEmpty()) << "that is not known at a simulated time";
  EXPECT_TRUE(file_.text(0).ends_with("\n# EOF\n"));
}

TEST_F(MetricsFileTest, WritesQuantilesWithCountAndSum) {
  sample(1, CountingPartition());
  const std::vector<std::string> latency = lines("fabrictwin_test_latency_seconds");
  ASSERT_EQ(latency.size(), 8u);
  EXPECT_THAT(latency[1], HasSubstr(R"(seconds{job="fabrictwin",instance="run7",quantile="0.9"} 2e-06 1000.000)"));
  EXPECT_THAT(latency[2], HasSubstr(R"(seconds{job="fabrictwin",instance="run7",quantile="0.95"} 2.5e-06 1000.000)"));
  EXPECT_THAT(latency[6], HasSubstr(R"(seconds_sum{job="fabrictwin",instance="run7"} 6e-06)"));
  EXPECT_THAT(latency[7], HasSubstr(R"(seconds_count{job="fabrictwin",instance="run7"} 3 )"));
}

TEST_F(MetricsFileTest, LeavesOutEachSecondOfTooManySamples) {
  const CountingPartition partition;
  sample(MetricsFile::kMostSamples, partition);
  EXPECT_EQ(file_.next(), Time::from_ns(1000 * (MetricsFile::kMostSamples + 2)));
  sample(1, partition);
  const std::vector<std::string> samples = lines("fabrictwin_test_samples_total");
  ASSERT_EQ(samples.size(), MetricsFile::kMostSamples / 2 + 1);
  EXPECT_THAT(samples[0], HasSubstr("} 2 488.000")) << "the sample at 2 us";
  EXPECT_THAT(samples[1], HasSubstr("} 4 490.000"));
  EXPECT_THAT(samples.back(), HasSubstr("} 513 1000.000"));
}

// Blocks that reach beyond now keep Prometheus from taking in what it scrapes meanwhile.
TEST_F(MetricsFileTest, TheLastSampleIsAtTheEndAndNoneIsLater) {
  sample(700, CountingPartition());
  double latest = 0;
  for (const std::string& line : lines("fabrictwin_"))
    latest = std::max(latest, std::stod(line.substr(line.rfind(' '))));
  EXPECT_EQ(latest, 1000);
}

TEST_F(MetricsFileTest, LabelsCannotEndTheirText) {
  sample(1, CountingPartition("a\"b\\c\nd"));
  EXPECT_THAT(lines("fabrictwin_test_samples_total"), ::testing::ElementsAre(HasSubstr(R"(who="a\"b\\c\nd"})")));
}

TEST_F(MetricsFileTest, LinksAreSampledWhereAllIsOnePartition) {
  run_.links[0].words.set(36);
  sample(1, CountingPartition());
  EXPECT_THAT(file_.text(0), Not(HasSubstr("fabrictwin_link_")));
  run_.plan.partitions.resize(1);
  run_.plan.partition_of.assign(run_.plan.graph.elements.size(), 0);
  run_.plan.cut_channels.clear();
  MetricsFile whole(run_.experiment, run_.plan, {.run = "run7"}, {});
  whole.sample(CountingPartition(), run_.links);
  EXPECT_THAT(
      whole.text(0),
      HasSubstr(R"(fabrictwin_link_class_bytes_total{job="fabrictwin",instance="run7",class="injection"} 576 )"));
}

}  // namespace
}  // namespace fabrictwin::dashboards::metrics
