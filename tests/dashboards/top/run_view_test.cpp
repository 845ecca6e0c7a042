// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/run_view.h"

#include <gtest/gtest.h>

#include "tests/dashboards/top/pages.h"

namespace fabrictwin {
namespace {

using dashboards::top::make_view;
using dashboards::top::RunView;
using dashboards::top::Scrape;
using dashboards::top::State;

void expect_near(const std::optional<double>& value, double expected) {
  ASSERT_TRUE(value.has_value());
  EXPECT_NEAR(*value, expected, 1e-9 * std::max(1.0, expected));
}

/// What the page of a moment later says.
PageNumbers later() {
  return {.progress = 0.5,
          .simulated = 0.003,
          .wall = 20,
          .packets = 1500,
          .communication = 0.005,
          .computation = 0.007,
          .link_bytes = 8000,
          .stall = 0.0011,
          .busy = 9,
          .cpu = 17};
}

TEST(RunViewTest, OneScrapeTellsOfTheWholeRun) {
  const Scrape now = scrape_of(page_text({}), 100);
  const RunView view = make_view(now, nullptr);
  EXPECT_EQ(view.experiment, "a \"b\".textproto");
  EXPECT_EQ(view.topology, "torus 2x2x2");
  EXPECT_EQ(view.run, "r1");
  EXPECT_EQ(view.place, "node1");
  EXPECT_EQ(view.state, State::kRunning);
  expect_near(view.progress, 0.25);
  expect_near(view.remaining, 30);
  expect_near(view.slowdown, 10'000);
  expect_near(view.packets_per_second, 100);
  ASSERT_EQ(view.jobs.size(), 1u);
  expect_near(view.jobs[0].ended, 2);
  expect_near(view.jobs[0].communication, 0.25);
  ASSERT_EQ(view.classes.size(), 1u);
  expect_near(view.classes[0].bits_per_second, 8 * 6000 / 0.001 / 2);
  expect_near(view.classes[0].stall, 0.05);
  ASSERT_EQ(view.busiest.size(), 2u) << "an idle link is none of the busiest";
  EXPECT_EQ(view.busiest[0].name, "full");
  expect_near(view.busiest[0].bits_per_second, 8 * 4000 / 0.001);
  ASSERT_EQ(view.waiting.size(), 1u);
  EXPECT_EQ(view.waiting[0].name, "half");
  expect_near(view.waiting[0].stall, 0.1);
  ASSERT_EQ(view.partitions.size(), 2u);
  EXPECT_EQ(view.partitions[0].name, "keen") << "the others wait for it";
  EXPECT_EQ(view.partitions[0].kind, "RTL");
  EXPECT_EQ(view.partitions[0].place, "worker:unix");
  expect_near(view.partitions[0].busy, 0.8);
  expect_near(view.partitions[0].wait, 0.2);
  expect_near(view.partitions[0].events_per_second, 500);
  expect_near(view.partitions[1].wait, 1);
  EXPECT_EQ(view.cpu, std::nullopt);
  expect_near(view.cpu_seconds, 12);
  expect_near(view.resident_bytes, 1048576);
  EXPECT_FALSE(view.study.has_value());
  EXPECT_FALSE(view.service.has_value());
}

TEST(RunViewTest, TwoScrapesTellOfTheTimeBetween) {
  const Scrape before = scrape_of(page_text({}), 100);
  const Scrape now = scrape_of(page_text(later()), 110);
  const RunView view = make_view(now, &before);
  expect_near(view.slowdown, 5000);
  expect_near(view.packets, 1500);
  expect_near(view.packets_per_second, 50);
  expect_near(view.jobs[0].communication, 0.75);
  expect_near(view.classes[0].bits_per_second, 8 * 6000 / 0.002 / 2);
  expect_near(view.busiest[0].bits_per_second, 8 * 4000 / 0.002);
  expect_near(view.waiting[0].stall, 0.5);
  expect_near(view.partitions[0].busy, 0.1);
  expect_near(view.cpu, 0.5);
}

TEST(RunViewTest, AnotherRunBeforeDoesNotCount) {
  PageNumbers other = later();
  other.run = "r0";
  const Scrape now = scrape_of(page_text({}), 110);
  const Scrape before = scrape_of(page_text(other), 100);
  expect_near(make_view(now, &before).packets_per_second, 100);
  // Nor one that was further.
  const Scrape further = scrape_of(page_text(later()), 100);
  expect_near(make_view(now, &further).packets_per_second, 100);
}

TEST(RunViewTest, ARunThatHasEndedIsSeenAsAWhole) {
  PageNumbers end = later();
  end.state = 1;
  const Scrape before = scrape_of(page_text({}), 100);
  const Scrape now = scrape_of(page_text(end), 110);
  const RunView view = make_view(now, &before);
  expect_near(view.packets_per_second, 75);
  EXPECT_EQ(view.whole_state(), State::kComplete);
  end.state = 2;
  EXPECT_EQ(make_view(scrape_of(page_text(end), 110), nullptr).whole_state(), State::kEndedEarly);
  end.state = 7;
  EXPECT_EQ(make_view(scrape_of(page_text(end), 110), nullptr).whole_state(), State::kRunning);
}

TEST(RunViewTest, TheExitCodeIsKnownAtTheEnd) {
  EXPECT_EQ(make_view(scrape_of(page_text({}), 100), nullptr).exit_status, std::nullopt);
  expect_near(make_view(scrape_of(page_text({}) + "fabrictwin_exit_status 130\n", 100), nullptr).exit_status, 130);
}

TEST(RunViewTest, NothingIsKnownOfTimeThatStandsStill) {
  const Scrape before = scrape_of(page_text({}), 100);
  PageNumbers still;
  still.wall = 20;
  const RunView view = make_view(scrape_of(page_text(still), 110), &before);
  EXPECT_EQ(view.slowdown, std::nullopt);
  EXPECT_EQ(view.classes[0].bits_per_second, std::nullopt);
  EXPECT_TRUE(view.busiest.empty());
}

TEST(RunViewTest, AnEndpointMayKnowLittle) {
  const RunView empty = make_view(scrape_of("fabrictwin_other 1\n", 1), nullptr);
  EXPECT_EQ(empty.state, std::nullopt);
  EXPECT_EQ(empty.whole_state(), State::kRunning);
  EXPECT_TRUE(empty.partitions.empty());
  const RunView odd = make_view(scrape_of("fabrictwin_simulated_seconds_total NaN\nfabrictwin_wall_seconds_total +Inf\n"
                                          "fabrictwin_partition_info{partition=\"p\"} 1\n"
                                          "fabrictwin_partition_busy_seconds_total{partition=\"p\"} NaN\n"
                                          "fabrictwin_progress_ratio 7\n",
                                          1),
                                nullptr);
  EXPECT_EQ(odd.simulated, std::nullopt);
  EXPECT_EQ(odd.slowdown, std::nullopt);
  EXPECT_EQ(odd.partitions[0].busy, std::nullopt);
  EXPECT_EQ(odd.progress, 1);
}

TEST(RunViewTest, AStudyEndsWithItsLastRun) {
  const std::string study =
      "fabrictwin_study_info{command=\"run --sweep\",study=\"s1\"} 1\nfabrictwin_study_runs 9\n"
      "fabrictwin_study_runs_ended_total 4\nfabrictwin_study_runs_failed_total 1\n";
  PageNumbers end;
  end.state = 2;
  const RunView view = make_view(scrape_of(page_text(end) + study + "fabrictwin_study_state 0\n", 1), nullptr);
  ASSERT_TRUE(view.study.has_value());
  EXPECT_EQ(view.study->command, "run --sweep");
  EXPECT_EQ(view.study->study, "s1");
  expect_near(view.study->runs, 9);
  expect_near(view.study->ended, 4);
  expect_near(view.study->failed, 1);
  EXPECT_EQ(view.whole_state(), State::kRunning) << "one of its runs has ended early";
  EXPECT_EQ(make_view(scrape_of(study + "fabrictwin_study_state 1\n", 1), nullptr).whole_state(), State::kComplete);
}

TEST(RunViewTest, AServiceIsNoRun) {
  const RunView view = make_view(
      scrape_of("fabrictwin_service_info{service=\"worker\",run=\"r1\"} 1\nfabrictwin_service_runs_total 3\n", 1),
      nullptr);
  ASSERT_TRUE(view.service.has_value());
  EXPECT_EQ(view.service->kind, "worker");
  EXPECT_EQ(view.service->run, "r1");
  expect_near(view.service->runs, 3);
  EXPECT_EQ(view.whole_state(), State::kRunning);
}

}  // namespace
}  // namespace fabrictwin
