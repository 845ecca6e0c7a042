// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

TEST(ListenAddress, TakesIpv4Ipv6AndLocalhost) {
  const auto ipv4 = dashboards::metrics::parse_listen_address("127.0.0.1:9464");
  ASSERT_TRUE(ipv4.ok()) << ipv4.status();
  EXPECT_EQ(ipv4->host, "127.0.0.1");
  EXPECT_EQ(ipv4->port, 9464);
  EXPECT_FALSE(ipv4->ipv6);
  EXPECT_TRUE(ipv4->loopback());
  EXPECT_EQ(ipv4->text(), "127.0.0.1:9464");

  const auto ipv6 = dashboards::metrics::parse_listen_address("[::1]:0");
  ASSERT_TRUE(ipv6.ok()) << ipv6.status();
  EXPECT_TRUE(ipv6->ipv6);
  EXPECT_TRUE(ipv6->loopback());
  EXPECT_EQ(ipv6->text(), "[::1]:0");

  const auto name = dashboards::metrics::parse_listen_address("localhost:65535");
  ASSERT_TRUE(name.ok()) << name.status();
  EXPECT_EQ(name->text(), "127.0.0.1:65535");
}

TEST(ListenAddress, KnowsWhatOtherMachinesCanReach) {
  for (const char* text : {"0.0.0.0:9464", "10.0.0.7:9464", "[::]:9464", "128.0.0.1:1"}) {
    const auto address = dashboards::metrics::parse_listen_address(text);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_FALSE(address->loopback()) << text;
  }
}

TEST(ListenAddress, RefusesWhatCannotBeMeantAndSaysWhatToWrite) {
  const struct {
    const char* text;
    const char* reason;
  } cases[] = {
      {"", "there is no port"},
      {"9464", "there is no port"},
      {"127.0.0.1", "there is no port"},
      {":9464", "there is no address"},
      {"127.0.0.1:", "number from 0 to 65535"},
      {"127.0.0.1:65536", "number from 0 to 65535"},
      {"127.0.0.1:-1", "number from 0 to 65535"},
      {"127.0.0.1:+80", "number from 0 to 65535"},
      {"127.0.0.1: 80", "number from 0 to 65535"},
      {"127.0.0.1:http", "number from 0 to 65535"},
      {"127.0.0.1:99999999999999", "number from 0 to 65535"},
      {"127.0.0.256:80", "not a numeric IP address"},
      {"example.org:80", "not a numeric IP address"},
      {"::1:80", "must stand in brackets"},
      {"[::1:80", "bracket is missing"},
      {"[127.0.0.1]:80", "not a numeric IP address"},
  };
  for (const auto& item : cases) {
    const auto address = dashboards::metrics::parse_listen_address(item.text);
    ASSERT_FALSE(address.ok()) << item.text;
    EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument) << item.text;
    EXPECT_THAT(std::string(address.status().message()), HasSubstr(item.reason)) << item.text;
    EXPECT_THAT(std::string(address.status().message()), HasSubstr("for example 127.0.0.1:9464")) << item.text;
  }
}

TEST(ListenAddress, SaysWhyAnAddressCannotBeHad) {
  // TEST-NET-1 of RFC 5737 belongs to no machine.
  const absl::Status status = dashboards::metrics::check_listen({"192.0.2.1", false, 0});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("this machine does not have that address"));
}

RC_GTEST_PROP(ListenAddress, TextFormParsesToTheSame, (uint8_t a, uint8_t b, uint8_t c, uint8_t d, uint16_t port)) {
  const std::string text = std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c) + "." +
                           std::to_string(d) + ":" + std::to_string(port);
  const auto address = dashboards::metrics::parse_listen_address(text);
  RC_ASSERT(address.ok());
  RC_ASSERT(address->text() == text);
}

RC_GTEST_PROP(ListenAddress, AnyTextIsParsedOrRefused, (const std::string& text)) {
  const auto address = dashboards::metrics::parse_listen_address(text);
  if (address.ok()) RC_ASSERT(dashboards::metrics::parse_listen_address(address->text()).ok());
}

}  // namespace
}  // namespace fabrictwin
