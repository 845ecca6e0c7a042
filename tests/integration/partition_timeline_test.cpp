// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What partitions do over wall-clock time, of a run that has all kinds of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/dashboards/html/page_data.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;

/// Models and RTL here, RTL in workers through both kinds of transport.
const std::vector<std::string> kMixed = {"--quiet",   "--json",
                                         "--threads", "2",
                                         "--use",     "router[1]=RTL",
                                         "--use",     "router[2]=RTL@worker:shm",
                                         "--use",     "router[3]=RTL@worker:unix"};

class PartitionTimelineOfARun : public ::testing::Test {
 protected:
  nlohmann::json report(std::vector<std::string> more) const {
    more.insert(more.begin(), kMixed.begin(), kMixed.end());
    more.insert(more.begin(), {"run", file_});
    const CliResult result = run_cli(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  const TestFolder folder_;
  const std::string file_ = folder_.write("mixed.textproto",
                                          "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 "
                                          "payload: \"64B\" duration: \"20us\" } }\n");
};

TEST_F(PartitionTimelineOfARun, NamesAllPartitions) {
  const nlohmann::json plain = report({});
  const nlohmann::json watched =
      report({"--html", folder_.file("page.html"), "--perfetto", folder_.file("trace.json")});
  ASSERT_TRUE(plain.is_object() && watched.is_object());
  EXPECT_EQ(plain.at("timing_digest"), watched.at("timing_digest"));
  EXPECT_EQ(plain.at("payload_digest"), watched.at("payload_digest"));
  EXPECT_FALSE(watched.contains("partition_timeline")) << "it is another one each time";

  const nlohmann::json data = page_data(read_file(folder_.file("page.html")));
  const nlohmann::json timeline = page_section(data, "Partitions over wall-clock time");
  std::vector<std::string> labels;
  for (const nlohmann::json& row : timeline.at("rows")) {
    labels.push_back(row.at("label"));
    uint64_t ticks = 0;
    for (const uint64_t each : row.at("ticks")) ticks += each;
    EXPECT_EQ(ticks, timeline.at("ticks").get<uint64_t>()) << row.at("label");
  }
  EXPECT_THAT(labels, ElementsAre("models", "router[1]", "router[2]", "router[3]"));
  EXPECT_THAT(timeline.at("note").get<std::string>(), HasSubstr("other processes"));
  const nlohmann::json table = page_section(data, "Who waits for whom");
  ASSERT_TRUE(table.is_object());
  for (const nlohmann::json& row : table.at("rows"))
    EXPECT_THAT((std::set<std::string>{row[0], row[1]}), IsSubsetOf(labels));

  const nlohmann::json trace = nlohmann::json::parse(read_file(folder_.file("trace.json")));
  std::map<int64_t, std::string> names;
  std::set<std::string> tracks;
  std::set<std::string> busy;
  for (const nlohmann::json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M" && event.at("name") == "thread_name") {
      names[event.at("tid")] = event.at("args").at("name");
      tracks.insert(event.at("args").at("name"));
    } else if (event.at("ph") == "B" && event.at("name") == "busy") {
      busy.insert(names[event.at("tid")]);
    }
  }
  EXPECT_EQ(busy, tracks) << "each was at work at some time";
  for (const char* track :
       {"models (inproc)", "router[1] (inproc)", "router[2] (worker:shm)", "router[3] (worker:unix)"})
    EXPECT_TRUE(tracks.contains(track)) << track;
}

TEST_F(PartitionTimelineOfARun, IsNotThereForOnePartition) {
  ASSERT_EQ(run_cli({"run", file_, "--quiet", "--html", folder_.file("page.html")}).exit_code, 0);
  EXPECT_TRUE(
      page_section(page_data(read_file(folder_.file("page.html"))), "Partitions over wall-clock time").is_null());
}

}  // namespace
}  // namespace fabrictwin
