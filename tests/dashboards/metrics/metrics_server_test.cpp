// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metrics_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "dashboards/metrics/listen_address.h"
#include "tests/dashboards/metrics/http_get.h"
#include "tests/dashboards/metrics/promtool.h"
#include "tests/dashboards/metrics/small_run.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class MetricsServerTest : public ::testing::Test {
 protected:
  std::unique_ptr<dashboards::metrics::MetricsServer> serve(std::string_view address = "127.0.0.1:0") {
    auto server = dashboards::metrics::MetricsServer::create(address, [this] { return run_.families(); });
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() ? *std::move(server) : nullptr;
  }

  SmallRun run_;
};

TEST_F(MetricsServerTest, ReportsThePortThatItGot) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  EXPECT_NE(server->address().port, 0);
  EXPECT_EQ(server->url(), "http://127.0.0.1:" + std::to_string(server->address().port) + "/metrics");
}

TEST_F(MetricsServerTest, ReadsTheCountersAtEachScrape) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  const std::string series = "fabrictwin_link_packets_total{link=\"host[0].tile->router[0].tile\"} ";
  EXPECT_THAT(http_get(server->address().port, "/metrics"), HasSubstr(series + "0\n"));
  run_.links[0].packets.set(1234567);
  EXPECT_THAT(http_get(server->address().port, "/metrics"), HasSubstr(series + "1234567\n"));
}

// A thread of the HTTP server has 100 KiB, and other processes are asked by gRPC.
TEST_F(MetricsServerTest, ASourceHasTheStackOfOtherThreads) {
  const auto server = dashboards::metrics::MetricsServer::create("127.0.0.1:0", [this] {
    volatile char stack[256 * 1024];
    for (size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 1;
    return run_.families();
  });
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_THAT(http_get((*server)->address().port, "/metrics"), HasSubstr("fabrictwin_run_info"));
}

TEST_F(MetricsServerTest, LingersUntilTheFinalValuesAreScraped) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  EXPECT_FALSE(http_get(server->address().port, "/metrics").empty());
  // A scrape before the end is none of the final values.
  EXPECT_FALSE(server->linger(std::chrono::milliseconds(0), {}));
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(server->linger(std::chrono::hours(1), stopped.get_token()));
  std::jthread scraper([&] { http_get(server->address().port, "/metrics"); });
  EXPECT_TRUE(server->linger(std::chrono::hours(1), {}));
}

TEST_F(MetricsServerTest, WhoHasSeenTheEndNeedNotComeAgain) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  run_.sample.state = run::RunState::kEndedEarly;
  run_.exit_status = 1;
  EXPECT_THAT(http_get(server->address().port, "/metrics"), HasSubstr("\nfabrictwin_exit_status 1\n"));
  EXPECT_TRUE(server->linger(std::chrono::hours(1), {}));
}

// A run has ended before its results are written, on which depends how its command ends.
TEST_F(MetricsServerTest, APageWithoutTheExitCodeIsNotTheLastOne) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  run_.sample.state = run::RunState::kComplete;
  EXPECT_THAT(http_get(server->address().port, "/metrics"), Not(HasSubstr("\nfabrictwin_exit_status ")));
  EXPECT_FALSE(server->linger(std::chrono::milliseconds(0), {}));
}

TEST_F(MetricsServerTest, CountersMayGrowWhileTheyAreScraped) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  std::jthread simulation([this](std::stop_token stop) {
    while (!stop.stop_requested()) run_.links[1].words.add(1);
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_THAT(http_get(server->address().port, "/metrics"), HasSubstr("fabrictwin_run_info{"));
}

TEST_F(MetricsServerTest, PassesPromtool) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  // Twice: the server's own metrics have values from the second scrape on.
  http_get(server->address().port, "/metrics");
  const std::string scrape = http_get(server->address().port, "/metrics");
  for (const metric::Metric* metric : metric::catalogue())
    EXPECT_THAT(scrape, HasSubstr(std::string("# TYPE ") + std::string(metric->name()) + " "));

  EXPECT_THAT(promtool_complaints(scrape), IsEmpty());
}

TEST_F(MetricsServerTest, APortThatIsTakenIsRefusedWithAdvice) {
  const auto server = serve();
  ASSERT_NE(server, nullptr);
  const auto second = dashboards::metrics::MetricsServer::create(
      server->address().text(), [] { return std::vector<prometheus::MetricFamily>(); });
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("in use; choose another port"));
}

TEST_F(MetricsServerTest, SaysThatALibraryHasNoIpv6) {
  const std::string address = "[::1]:0";
  const auto made =
      dashboards::metrics::MetricsServer::create(address, [] { return std::vector<prometheus::MetricFamily>(); });
  const auto parsed = dashboards::metrics::parse_listen_address(address);
  ASSERT_TRUE(parsed.ok());
  if (made.ok() || !dashboards::metrics::check_listen(*parsed).ok()) GTEST_SKIP() << "IPv6 works, or is not there";
  EXPECT_THAT(std::string(made.status().message()), HasSubstr("built without IPv6"));
}

TEST_F(MetricsServerTest, TheSamePortCanBeTakenAgainAfterwards) {
  std::string address;
  {
    const auto server = serve();
    ASSERT_NE(server, nullptr);
    address = server->address().text();
    http_get(server->address().port, "/metrics");
  }
  EXPECT_NE(serve(address), nullptr);
}

TEST_F(MetricsServerTest, ABadAddressIsRefused) {
  const auto server =
      dashboards::metrics::MetricsServer::create("9464", [] { return std::vector<prometheus::MetricFamily>(); });
  EXPECT_EQ(server.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(MetricsServerTest, WarnsOnlyWhereOtherMachinesCanRead) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  EXPECT_NE(serve("127.0.0.1:0"), nullptr);
  EXPECT_THAT(log.str(), IsEmpty());
  EXPECT_NE(serve("0.0.0.0:0"), nullptr);
  EXPECT_THAT(log.str(), HasSubstr("every machine that reaches this address"));
  spdlog::set_default_logger(before);
}

}  // namespace
}  // namespace fabrictwin
