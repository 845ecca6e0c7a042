// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>

#include "cosim/base/text.h"
#include "dashboards/metrics/metrics_server.h"
#include "tests/dashboards/metrics/kept_requests.h"

namespace fabrictwin {
namespace {

using dashboards::metrics::endpoint_url;
using dashboards::metrics::fetch_page;
using dashboards::metrics::gateway_url;
using dashboards::metrics::MetricsServer;
using dashboards::metrics::put_page;
using ::testing::HasSubstr;

std::string url_of(std::string_view text) {
  const absl::StatusOr<std::string> url = endpoint_url(text);
  EXPECT_TRUE(url.ok()) << url.status();
  return url.ok() ? *url : std::string();
}

TEST(EndpointTest, AddressesAndUrlsLeadToThePage) {
  EXPECT_EQ(url_of("127.0.0.1:9464"), "http://127.0.0.1:9464/metrics");
  EXPECT_EQ(url_of("node7:1"), "http://node7:1/metrics");
  EXPECT_EQ(url_of("[::1]:9464"), "http://[::1]:9464/metrics");
  EXPECT_EQ(url_of("http://127.0.0.1:9464"), "http://127.0.0.1:9464/metrics");
  EXPECT_EQ(url_of("http://127.0.0.1:9464/"), "http://127.0.0.1:9464/metrics");
  EXPECT_EQ(url_of("https://cluster/run/3?x=1"), "https://cluster/run/3?x=1");
}

TEST(EndpointTest, MistakesAreNamed) {
  for (const char* text : {"", "127.0.0.1", ":9464", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:0",
                           "::1:9464", "[::1:9464", "127.0.0.1:9464/metrics", "a b:1", "a\n:1", "ü:1", "ftp://a:1/",
                           "http://", "file:///etc/passwd", "http://a:0/", "http://user:word@a:1/"}) {
    const absl::StatusOr<std::string> url = endpoint_url(text);
    EXPECT_TRUE(absl::IsInvalidArgument(url.status())) << text << ": " << (url.ok() ? *url : "");
    EXPECT_THAT(std::string(message_of(url.status())), HasSubstr("write ADDR:PORT or http://ADDR:PORT/metrics"));
  }
}

TEST(GatewayTest, KeepsEachRunInAGroupOfItsOwn) {
  const auto url = [](std::string_view text) { return gateway_url(text, "r1").value_or("refused"); };
  EXPECT_EQ(url("127.0.0.1:9091"), "http://127.0.0.1:9091/metrics/job/fabrictwin/instance/r1");
  EXPECT_EQ(url("http://gateway:9091/"), "http://gateway:9091/metrics/job/fabrictwin/instance/r1");
  EXPECT_EQ(url("https://cluster/push//"), "https://cluster/push/metrics/job/fabrictwin/instance/r1");
  for (const char* text : {"", "9091", "http://a/?b", "http://user@a:1", "ftp://a:1"}) {
    const absl::StatusOr<std::string> refused = gateway_url(text, "r1");
    EXPECT_TRUE(absl::IsInvalidArgument(refused.status())) << text;
    EXPECT_THAT(std::string(message_of(refused.status())),
                HasSubstr("address of a Pushgateway \"" + std::string(text)));
  }
}

TEST(GatewayTest, GetsAPageWhole) {
  const KeptRequests gateway(202);
  const std::string url = "http://127.0.0.1:" + std::to_string(gateway.port()) + "/metrics/job/fabrictwin/instance/r1";
  const std::string page = std::string(100'000, '#') + "\na 1\n";
  EXPECT_TRUE(put_page(url, page, {}).ok());
  ASSERT_EQ(gateway.all().size(), 1u);
  EXPECT_EQ(gateway.all()[0].line, "PUT /metrics/job/fabrictwin/instance/r1 HTTP/1.1");
  EXPECT_THAT(gateway.all()[0].headers, HasSubstr("\r\nContent-Type: text/plain; version=0.0.4"));
  EXPECT_EQ(gateway.all()[0].body, page);
}

TEST(GatewayTest, MayRefuse) {
  const KeptRequests gateway(400);
  const std::string url = "http://127.0.0.1:" + std::to_string(gateway.port()) + "/x";
  const absl::Status status = put_page(url, "a 1\n", {});
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(message_of(status)), HasSubstr(url + " answers with HTTP status 400"));
}

class EndpointPageTest : public ::testing::Test {
 protected:
  EndpointPageTest() {
    auto server = MetricsServer::create("127.0.0.1:0", [] {
      prometheus::MetricFamily family;
      family.name = "fabrictwin_test";
      family.type = prometheus::MetricType::Gauge;
      family.metric.emplace_back().gauge.value = 7;
      return std::vector{family};
    });
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  std::unique_ptr<MetricsServer> server_;
};

TEST_F(EndpointPageTest, ComesWhole) {
  const absl::StatusOr<std::string> page = fetch_page(server_->url(), {});
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_THAT(*page, HasSubstr("fabrictwin_test 7\n"));
}

TEST_F(EndpointPageTest, ErrorsNameThePage) {
  const std::string elsewhere = "http://" + server_->address().text() + "/elsewhere";
  const absl::StatusOr<std::string> missing = fetch_page(elsewhere, {});
  EXPECT_TRUE(absl::IsNotFound(missing.status())) << missing.status();
  EXPECT_THAT(std::string(message_of(missing.status())), HasSubstr(elsewhere + " answers with HTTP status 404"));
  const absl::StatusOr<std::string> long_page = fetch_page(server_->url(), {}, {.bytes = 10});
  EXPECT_TRUE(absl::IsResourceExhausted(long_page.status())) << long_page.status();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(absl::IsCancelled(fetch_page(server_->url(), stop.get_token()).status()));
  const std::string url = server_->url();
  server_.reset();
  const absl::StatusOr<std::string> gone = fetch_page(url, {});
  EXPECT_TRUE(absl::IsUnavailable(gone.status())) << gone.status();
  EXPECT_THAT(std::string(message_of(gone.status())), HasSubstr("nobody answers at " + url));
}

}  // namespace
}  // namespace fabrictwin
