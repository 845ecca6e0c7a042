// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/size_distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::StartsWith;

/// Bytes, and the percentage of flows that are not larger.
struct PublishedPoint {
  double bytes;
  double percent;
};

/// A published distribution, and what is to be like it.
struct Published {
  const char* name;
  std::vector<PublishedPoint> points;
  double mean;  ///< The integral of what is above the points, by hand.
  flows::SizeDistribution distribution;
};

/// As the simulator of HPCC has them (traffic_gen/WebSearch_distribution.txt, FbHdp_distribution.txt).
std::vector<Published> published_sizes() {
  return {{"web search",
           {{0, 0},
            {10000, 15},
            {20000, 20},
            {30000, 30},
            {50000, 40},
            {80000, 53},
            {200000, 60},
            {1e6, 70},
            {2e6, 80},
            {5e6, 90},
            {10e6, 97},
            {30e6, 100}},
           1711250,
           flows::SizeDistribution::web_search()},
          {"Hadoop",
           {{0, 0},      {100, 1},     {200, 2},     {300, 5},    {350, 15},  {400, 20},   {500, 30},
            {600, 40},   {700, 50},    {1000, 60},   {2000, 67},  {7000, 70}, {30000, 72}, {50000, 82},
            {80000, 87}, {120000, 90}, {300000, 95}, {1e6, 97.5}, {2e6, 99},  {10e6, 100}},
           120420.75,
           flows::SizeDistribution::hadoop()}};
}

/// The share of flows that are not larger than so many bytes.
double share_up_to(const std::vector<PublishedPoint>& points, double bytes) {
  for (size_t i = 1; i < points.size(); ++i) {
    if (bytes > points[i].bytes) continue;
    const double part = (bytes - points[i - 1].bytes) / (points[i].bytes - points[i - 1].bytes);
    return (points[i - 1].percent + part * (points[i].percent - points[i - 1].percent)) / 100;
  }
  return 1;
}

/// The integral of the share of flows that are larger: the area of a trapezium for each piece.
double mean_above(const std::vector<PublishedPoint>& points) {
  double mean = 0;
  for (size_t i = 1; i < points.size(); ++i) {
    mean += (points[i].bytes - points[i - 1].bytes) * ((100 - points[i].percent) + (100 - points[i - 1].percent)) / 200;
  }
  return mean;
}

TEST(SizeDistribution, HasTheMeanOfItsPoints) {
  for (const Published& sizes : published_sizes()) {
    EXPECT_NEAR(mean_above(sizes.points), sizes.mean, 1e-6) << sizes.name;
    EXPECT_NEAR(sizes.distribution.mean(), sizes.mean, 1e-6) << sizes.name;
  }
}

TEST(SizeDistribution, GivesSizesOfThatMean) {
  constexpr int kSteps = 100'000;
  for (const Published& sizes : published_sizes()) {
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += static_cast<double>(sizes.distribution.at((i + 0.5) / kSteps));
    EXPECT_NEAR(sum / kSteps, sizes.mean, 1) << sizes.name << ": sizes are whole bytes";
  }
}

TEST(SizeDistribution, GivesLargerSizesForLargerShares) {
  constexpr int kSteps = 10'000;
  for (const Published& sizes : published_sizes()) {
    uint64_t before = 1;
    for (int i = 0; i < kSteps; ++i) {
      const uint64_t bytes = sizes.distribution.at(static_cast<double>(i) / kSteps);
      ASSERT_GE(bytes, before) << sizes.name << " at " << i;
      before = bytes;
    }
    EXPECT_GT(static_cast<double>(before), 0.99 * sizes.points.back().bytes) << sizes.name;
  }
}

TEST(SizeDistribution, GoesThroughItsPoints) {
  for (const Published& sizes : published_sizes()) {
    EXPECT_EQ(sizes.distribution.at(0), 1u) << sizes.name << ": a flow has at least a byte";
    for (size_t i = 1; i + 1 < sizes.points.size(); ++i) {
      const auto [bytes, percent] = sizes.points[i];
      EXPECT_NEAR(static_cast<double>(sizes.distribution.at(percent / 100)), bytes, 1) << sizes.name;
      EXPECT_LE(static_cast<double>(sizes.distribution.at(percent / 100 - 1e-9)), bytes) << sizes.name;
      const double middle = (percent + sizes.points[i + 1].percent) / 200;
      EXPECT_NEAR(static_cast<double>(sizes.distribution.at(middle)), (bytes + sizes.points[i + 1].bytes) / 2, 1)
          << sizes.name;
    }
    EXPECT_LE(static_cast<double>(sizes.distribution.at(std::nextafter(1.0, 0.0))), sizes.points.back().bytes)
        << sizes.name;
  }
}

RC_GTEST_PROP(SizeDistributionProperty, IsTheInverseOfTheShares, ()) {
  const uint32_t drawn = *rc::gen::inRange<uint32_t>(0, 1'000'000'000);
  const double share = drawn * 1e-9;
  for (const Published& sizes : published_sizes()) {
    // A size is the largest whole one, so that one byte more has a share that is not below.
    const auto bytes = static_cast<double>(sizes.distribution.at(share));
    RC_ASSERT(bytes == 1 || share_up_to(sizes.points, bytes) <= share + 1e-9);
    RC_ASSERT(share_up_to(sizes.points, bytes + 1) >= share - 1e-9);
  }
}

absl::StatusOr<flows::SizeDistribution> sizes_in(std::string_view text) {
  const TestFolder folder;
  return flows::SizeDistribution::read(folder.write("sizes.csv", text));
}

/// What is said of a mistake in a file, after the name of the file.
std::string size_mistake(std::string_view text) {
  const TestFolder folder;
  const std::string file = folder.write("sizes.csv", text);
  const absl::Status status = flows::SizeDistribution::read(file).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string error(message_of(status));
  EXPECT_THAT(error, StartsWith(file));
  return error.size() < file.size() ? error : error.substr(file.size());
}

TEST(SizeDistribution, IsReadFromAFile) {
  const auto sizes = sizes_in("# two kinds\nbytes, percent\n0,0\n100,50\n\n1100 ,100\n");
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  EXPECT_DOUBLE_EQ(sizes->mean(), 0.5 * 50 + 0.5 * 600);
  EXPECT_EQ(sizes->at(0.25), 50u);
  EXPECT_EQ(sizes->at(0.5), 100u);
  EXPECT_EQ(sizes->at(0.75), 600u);
}

// A first share above 0 is of flows with that size, and equal sizes are a step.
TEST(SizeDistribution, MayHaveSteps) {
  const auto first = sizes_in("bytes,percent\n10,50\n20,100\n");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_DOUBLE_EQ(first->mean(), 0.5 * 10 + 0.5 * 15);
  EXPECT_EQ(first->at(0), 10u);
  EXPECT_EQ(first->at(0.49), 10u);
  EXPECT_EQ(first->at(0.5), 10u);
  EXPECT_EQ(first->at(0.75), 15u);

  const auto one = sizes_in("bytes,percent\n1000,0\n1000,100\n");
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_DOUBLE_EQ(one->mean(), 1000);
  for (const double share : {0.0, 0.3, 0.999}) EXPECT_EQ(one->at(share), 1000u);

  const auto flat = sizes_in("bytes,percent\n0,0\n100,50\n900,50\n1000,100\n");
  ASSERT_TRUE(flat.ok()) << flat.status();
  EXPECT_DOUBLE_EQ(flat->mean(), 0.5 * 50 + 0.5 * 950);
  EXPECT_EQ(flat->at(0.25), 50u);
  EXPECT_EQ(flat->at(0.75), 950u);
}

TEST(SizeDistribution, MayHaveALineOfUnits) {
  for (const char* units : {"kB,%", "kB,percent", "kB,"}) {
    const auto sizes = sizes_in(std::string("bytes,percent\n") + units + "\n0,0\n0.1,50\n1.1,100\n");
    ASSERT_TRUE(sizes.ok()) << sizes.status();
    EXPECT_DOUBLE_EQ(sizes->mean(), 0.5 * 50 + 0.5 * 600);
  }
  const auto bytes = sizes_in("bytes,percent\n,\n0,0\n100,100\n");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_DOUBLE_EQ(bytes->mean(), 50);
  EXPECT_THAT(size_mistake("bytes,percent\nkb,%\n0,0\n1,100\n"),
              StartsWith(":2:1: error: \"kb\" is no unit of size; write B, kB, MB, KiB or MiB"));
  EXPECT_THAT(size_mistake("bytes,percent\nkB,share\n0,0\n1,100\n"),
              StartsWith(":2:4: error: \"share\" is no unit of shares; write % or nothing"));
  EXPECT_THAT(size_mistake("bytes,percent\nMB,%\n0,0\n1000001,100\n"),
              StartsWith(":4:1: error: \"1000001\" is no size"));
  EXPECT_THAT(size_mistake("bytes,percent\nMB,%\n"), StartsWith(":1:1: error: there are no sizes"));
}

TEST(SizeDistribution, PlacesMistakesOfAFile) {
  EXPECT_EQ(size_mistake("percent,bytes\n0,0\n100,10\n"),
            ":1:1: error: the columns are bytes and percent; write \"bytes,percent\" on the first line\n"
            "percent,bytes\n"
            "^");
  EXPECT_THAT(size_mistake("bytes,percent,flows\n0,0,0\n"),
              StartsWith(":1:15: error: the columns are bytes and percent"));
  EXPECT_THAT(size_mistake("bytes\n10\n"), StartsWith(":1:1: error: the columns are bytes and percent"));
  for (const char* bytes : {"x", "-1", "nan", "1.1e12", "", "1kB"}) {
    EXPECT_THAT(size_mistake(std::string("bytes,percent\n0,0\n") + bytes + ",100\n"),
                StartsWith(std::string(":3:1: error: \"") + bytes +
                           "\" is no size; write a number without a unit, from 0 to 1e12 bytes"))
        << bytes;
  }
  for (const char* percent : {"x", "-1", "nan", "100.5", "", "50%"}) {
    EXPECT_THAT(
        size_mistake(std::string("bytes,percent\n0,0\n10,") + percent + "\n"),
        StartsWith(std::string(":3:4: error: \"") + percent + "\" is no percentage; write a number from 0 to 100"))
        << percent;
  }
  EXPECT_THAT(size_mistake("bytes,percent\n0,0\n20,50\n10,100\n"),
              StartsWith(":4:1: error: size 10 is below that of the line before, 20; write the lines by size"));
  EXPECT_THAT(
      size_mistake("bytes,percent\n0,0\n20,60\n30,50\n40,100\n"),
      StartsWith(":4:4: error: percentage 50 is below that of the line before, 60; write how many flows have at most"));
  EXPECT_THAT(size_mistake("bytes percent\n0 0\n10 100\n"), StartsWith(":1:1: error: cells are separated by commas"));
  EXPECT_THAT(size_mistake("bytes,share\n0,0\n10,100\n"), StartsWith(":1:7: error: the columns are bytes and percent"));
  EXPECT_THAT(size_mistake("bytes,percent\n0,0\n0,100\n"), StartsWith(":3:1: error: all flows would be empty"));
  EXPECT_THAT(size_mistake("bytes,percent\n0,100\n10,100\n"),
              StartsWith(":3:1: error: all flows would be empty; write a percentage below"));
  EXPECT_THAT(
      size_mistake("bytes,percent\n0,0\n10,99\n"),
      StartsWith(":3:4: error: the last line has 99 percent, and no flow is larger than its size; write 100, or "));
  EXPECT_THAT(size_mistake("bytes,percent\n10,100\n"), StartsWith(":2:1: error: one size is no distribution"));
  EXPECT_THAT(size_mistake("bytes,percent\n"), StartsWith(":1:1: error: there are no sizes; write a line for each"));
  EXPECT_THAT(size_mistake("bytes,percent\n0,0\n10\n"), StartsWith(":3:1: error: this line has 1 cells"));
  EXPECT_THAT(size_mistake(""), StartsWith(":1:1: error: the distribution of flow sizes is empty"));
}

TEST(SizeDistribution, SaysThatAFileIsMissing) {
  const TestFolder folder;
  const absl::Status status = flows::SizeDistribution::read(folder.file("none.csv")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(message_of(status),
            folder.file("none.csv") + ": error: cannot open the distribution of flow sizes: No such file or directory");
}

}  // namespace
}  // namespace fabrictwin
