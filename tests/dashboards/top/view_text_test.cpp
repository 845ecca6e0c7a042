// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/view_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cosim/base/text.h"
#include "tests/dashboards/top/pages.h"

namespace fabrictwin {
namespace {

using dashboards::top::make_view;
using dashboards::top::RunView;
using dashboards::top::screen_text;
using dashboards::top::State;
using dashboards::top::view_json;
using dashboards::top::view_text;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kUrl = "http://127.0.0.1:9464/metrics";

void expect_fits(const std::string& text) {
  for (const std::string_view line : split(text, "\n")) EXPECT_LE(line.size(), 80u) << line;
}

TEST(ViewTextTest, IsATableOfEverything) {
  const std::string text = view_text(make_view(scrape_of(page_text({}), 1), nullptr), kUrl);
  EXPECT_EQ(text,
            R"(metrics     http://127.0.0.1:9464/metrics
experiment  a "b".textproto
topology    torus 2x2x2
run         r1 on node1
state       running  [########......................] 25.0 %  0:30 left
simulated   1 ms in 0:10, 1e+04 times slower than real
packets     1000 delivered, 100 /s

MPI job  ranks  ended  events  communicates
job          8      2     100        25.0 %

links    number  mean rate  stalled
network       2  24 Mbit/s    5.0 %

busiest links       rate  stalled
full           32 Mbit/s    0.0 %
half           16 Mbit/s   10.0 %

links that packets wait for       rate  stalled
half                         16 Mbit/s   10.0 %

partition  kind   place          busy    waits  events
keen       RTL    worker:unix  80.0 %   20.0 %  500 /s
lazy       MODEL  inproc        0.0 %  100.0 %       -

process     0:12 CPU time, 1.0 MiB memory
)");
}

TEST(ViewTextTest, TheExitCodeComesLast) {
  RunView view;
  EXPECT_THAT(view_text(view, kUrl), Not(HasSubstr("exit code")));
  EXPECT_FALSE(nlohmann::json::parse(view_json(view, kUrl)).contains("exit_status"));
  view.exit_status = 3;
  EXPECT_TRUE(view_text(view, kUrl).ends_with("exit code   3\n"));
  EXPECT_EQ(nlohmann::json::parse(view_json(view, kUrl))["exit_status"], 3);
}

TEST(ViewTextTest, FitsAndObeysNoNames) {
  RunView view = make_view(scrape_of(page_text({}), 1), nullptr);
  const std::string evil = "\033[2J\n" + std::string(300, 'x') + "\xff\u202e";
  for (std::string* text : {&view.experiment, &view.topology, &view.run, &view.place, &view.jobs[0].name,
                            &view.classes[0].name, &view.busiest[0].name, &view.waiting[0].name,
                            &view.partitions[0].name, &view.partitions[0].kind, &view.partitions[0].place})
    *text = evil;
  view.study = {.command = evil, .study = evil, .state = {}, .runs = 1e6, .ended = 1e6, .failed = 1e6};
  view.service = {.kind = evil, .run = evil, .runs = 1e6};
  view.simulated = 1.23456789e-5;
  view.wall = 1e300;
  view.slowdown = 1.23456e300;
  view.packets = 1e300;
  view.resident_bytes = 1e300;
  view.cpu = 1e300;
  view.jobs[0].events = 1e300;
  view.partitions[0].busy = 1e300;
  view.packets_per_second = 1.23456e30;
  view.busiest[0].bits_per_second = 123456789012;
  view.partitions[0].events_per_second = 1e12;
  const std::string text = view_text(view, evil);
  expect_fits(text);
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_TRUE(is_utf8(text));
  const auto json = nlohmann::json::parse(view_json(view, evil), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["experiment"].get<std::string>().substr(0, 5), "\033[2J\n") << "JSON has escapes of its own";
  EXPECT_THAT(view_json(view, evil), Not(HasSubstr("\033")));
}

TEST(ViewTextTest, LongListsAreCut) {
  RunView view;
  for (int i = 0; i < 20; ++i) {
    view.partitions.push_back({.name = "p" + std::to_string(i), .kind = "RTL", .place = "soft"});
    view.jobs.push_back({.name = "j" + std::to_string(i)});
    view.busiest.push_back({.name = "l" + std::to_string(i)});
  }
  const std::string text = view_text(view, kUrl);
  EXPECT_THAT(text, HasSubstr("p7 "));
  EXPECT_THAT(text, Not(HasSubstr("p8 ")));
  EXPECT_THAT(text, HasSubstr("and 12 more\n"));
  EXPECT_THAT(text, HasSubstr("l4 "));
  EXPECT_THAT(text, Not(HasSubstr("l5 ")));
}

TEST(ViewTextTest, AStudyAndAServiceSayWhatTheyAre) {
  RunView view;
  view.study = {.command = "compare", .study = "s", .state = State::kRunning, .runs = 4, .ended = 3, .failed = 1};
  view.service = {.kind = "worker", .run = "r1", .runs = 2};
  const std::string text = view_text(view, kUrl);
  EXPECT_THAT(text, HasSubstr("study       compare: 3 of 4 runs ended, 1 failed\n"));
  EXPECT_THAT(text, HasSubstr("            running  [#######################.......] 75.0 %\n"));
  EXPECT_THAT(text, HasSubstr("service     worker, 2 runs so far\n            now in run r1\n"));
}

TEST(ViewTextTest, JsonHasNumbersAndLeavesOutWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(view_json(make_view(scrape_of(page_text({}), 1), nullptr), kUrl));
  EXPECT_EQ(json["url"], kUrl);
  EXPECT_EQ(json["state"], "running");
  EXPECT_EQ(json["progress"], 0.25);
  EXPECT_EQ(json["packets_delivered"].dump(), "1000");
  EXPECT_EQ(json["mpi_jobs"][0]["ranks_ended"], 2);
  EXPECT_EQ(json["busiest_links"][0]["name"], "full");
  EXPECT_EQ(json["waiting_links"].size(), 1u);
  EXPECT_EQ(json["partitions"][0]["place"], "worker:unix");
  EXPECT_FALSE(json.contains("cpu_cores"));
  EXPECT_FALSE(json.contains("study"));
}

TEST(ScreenTextTest, TakesThePlaceOfWhatWasThere) {
  EXPECT_EQ(screen_text("one\ntwo\n", 24, 80), "\033[Hone\033[K\ntwo\033[K\n\033[J");
  EXPECT_EQ(screen_text("1\n2\n3\n4\n", 3, 80), "\033[H1\033[K\n2\033[K\n\033[J") << "the last row stays empty";
  EXPECT_EQ(screen_text("0123456789ab\n", 24, 10), "\033[H0123456789\033[K\n\033[J");
}

}  // namespace
}  // namespace fabrictwin
