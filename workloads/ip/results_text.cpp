// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/ip/results_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::ip {
namespace {

using report::seconds_text;
using report::TextTable;

constexpr int kIpRows = 32;
constexpr std::string_view kNoTime = "-";

std::string hosts_text(int32_t source, int32_t destination) { return fmt::format("{} to {}", source, destination); }

void add_rest(int rows, std::string& text) {
  if (rows > kIpRows) text += fmt::format("  ... and {} more\n", rows - kIpRows);
}

void add_streams(const v1::IpReport& ip, std::string& text) {
  TextTable table({"stream, hosts", "transport", "datagram", "sent", "received", "dropped", "throughput"});
  for (int i = 0; i < std::min(ip.streams_size(), kIpRows); ++i) {
    const v1::IpStreamReport& stream = ip.streams(i);
    table.add({hosts_text(stream.source(), stream.destination()), stream.transport(),
               fmt::format("{} B", stream.datagram_bytes()), fmt::format("{}", stream.sent()),
               fmt::format("{}", stream.received()), fmt::format("{}", stream.dropped()),
               stream.bits_per_second() > 0 ? fmt::format("{:.4g} Gb/s", stream.bits_per_second() / 1e9)
                                            : std::string(kNoTime)});
  }
  text += table.text();
  add_rest(ip.streams_size(), text);
}

void add_pings(const v1::IpReport& ip, std::string& text) {
  TextTable table({"ping, hosts", "bytes", "replies", "least", "mean", "p50", "p99", "most"});
  for (int i = 0; i < std::min(ip.pings_size(), kIpRows); ++i) {
    const v1::IpPingReport& ping = ip.pings(i);
    const v1::LatencySeconds& times = ping.round_trip_seconds();
    std::vector<std::string> row = {hosts_text(ping.source(), ping.destination()), fmt::format("{}", ping.bytes()),
                                    fmt::format("{} of {}", times.count(), ping.sent())};
    for (const double seconds : {times.min(), times.mean(), times.p50(), times.p99(), times.max()})
      row.push_back(times.count() > 0 ? seconds_text(seconds) : std::string(kNoTime));
    table.add(std::move(row));
  }
  text += table.text();
  add_rest(ip.pings_size(), text);
}

}  // namespace

void add_results(const v1::Report& report, std::string& text) {
  if (!report.has_ip()) return;
  text += fmt::format("\nIP, packets of up to {} B\n", report.ip().mtu());
  add_streams(report.ip(), text);
  add_pings(report.ip(), text);
}

}  // namespace fabrictwin::ip
