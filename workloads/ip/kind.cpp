// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP in an experiment: docs/models/ip-over-exanet.md.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "models/host/ip/packet.h"
#include "models/host/ip/socket.h"
#include "models/host/workload_kind.h"
#include "workloads/ip/host_profile.h"
#include "workloads/ip/results_text.h"
#include "workloads/ip/spec.h"
#include "workloads/ip/workload.h"

namespace fabrictwin::ip {
namespace {

using experiment::MessageReader;
using host::ip::Costs;
using host::ip::kIpHeader;
using host::ip::kMostUserBytes;
using host::ip::kTcpHeader;
using host::ip::kUdpHeader;

constexpr int kMaxFlows = 4096;
constexpr int32_t kMaxCount = 1'000'000;
constexpr int32_t kMaxTransfers = 1024;
constexpr int64_t kLeastBuffer = 2048;
constexpr int64_t kMostBuffer = int64_t{1} << 30;
constexpr int64_t kMostStream = int64_t{1} << 40;
constexpr Bandwidth kLeastRate{1'000'000};
constexpr Bandwidth kMostRate{100'000'000'000'000};
constexpr Time kMostTime = Time::from_us(1'000'000);

static_assert(kMaxFlows <= host::ip::kMostFlows && kMostStream < static_cast<int64_t>(host::ip::kMostNumber));

/// A size from `least` to `most`, or `fallback` if none is written.
int64_t check_size(const MessageReader& reader, std::string_view name, int64_t least, int64_t most, int64_t fallback) {
  const auto size = reader.quantity<Bytes>(name, parse_bytes, fmt::format("{}B", fallback));
  if (size.count >= least && size.count <= most) return size.count;
  reader.complain_near(name, fmt::format("{} of {}: write {} to {}", name, to_string(size), to_string(Bytes{least}),
                                         to_string(Bytes{most})));
  return fallback;
}

int64_t default_size(const MessageReader& reader, std::string_view name) {
  return parse_bytes(reader.default_of(name)).value_or(Bytes{}).count;
}

Time default_time(const MessageReader& reader, std::string_view name) {
  return parse_time(reader.default_of(name)).value_or(Time::zero());
}

Time check_time(const MessageReader& reader, std::string_view name, Time fallback) {
  const Time time = reader.quantity<Time>(name, parse_time, fmt::format("{}fs", fallback.fs()));
  if (time <= kMostTime) return time;
  reader.complain(name, fmt::format("{} of {} is more than {}, the longest that is allowed", name, to_string(time),
                                    to_string(kMostTime)));
  return fallback;
}

Bandwidth check_rate(const MessageReader& reader, Bandwidth fallback) {
  if (!reader.has("copy_rate")) return fallback;
  const std::optional<Bandwidth> rate = reader.parsed<Bandwidth>("copy_rate", parse_bandwidth);
  if (!rate.has_value()) return fallback;
  if (*rate >= kLeastRate && *rate <= kMostRate) return *rate;
  reader.complain("copy_rate", fmt::format("copy_rate of {}: write {} to {}", to_string(*rate), to_string(kLeastRate),
                                           to_string(kMostRate)));
  return fallback;
}

/// The costs of the profile, and what is written instead.
Costs check_costs(const experiment::Experiment& experiment, const MessageReader& reader) {
  const HostProfile& profile = find_host_profile(experiment.message.host().profile());
  Costs costs;
  costs.passage = check_time(reader, "passage", profile.passage);
  costs.copy_rate = check_rate(reader, profile.copy_rate);
  costs.wake_up = check_time(reader, "wake_up", profile.wake_up);
  const auto arrivals = reader.choice<v1::IpStack::Arrivals>("arrivals");
  if (!v1::IpStack::Arrivals_IsValid(arrivals))
    reader.complain("arrivals", "nobody waits for arrivals in this way; write SLEEP or POLL");
  costs.polls = arrivals == v1::IpStack::POLL;
  costs.transfers = reader.number("transfers", 1, kMaxTransfers);
  costs.mtu = static_cast<int32_t>(
      check_size(reader, "mtu", host::ip::kLeastMtu, host::ip::kMostMtu, default_size(reader, "mtu")));
  costs.socket_buffer =
      check_size(reader, "socket_buffer", kLeastBuffer, kMostBuffer, default_size(reader, "socket_buffer"));
  return costs;
}

/// The ends of a stream or ping; whether such hosts exist is checked when the workload is made.
template <typename Message, typename Spec>
void check_ends(const Message& message, const MessageReader& reader, Spec& spec) {
  spec.source = message.source();
  spec.destination = reader.has("destination") ? message.destination() : reader.default_number("destination");
  for (const auto& [name, host] : {std::pair("source", spec.source), std::pair("destination", spec.destination)}) {
    if (host < 0) reader.complain(name, fmt::format("{} {}: hosts are numbered from 0", name, host));
  }
  if (spec.source == spec.destination) {
    reader.complain_near("destination", fmt::format("from host {} to itself: such packets do not reach its network "
                                                    "interface; write another destination",
                                                    spec.source));
  }
}

int64_t check_window(const MessageReader& reader, const Costs& costs, int32_t datagram) {
  if (datagram > costs.socket_buffer) {
    reader.complain_near("datagram", fmt::format("a segment of {} does not fit into a socket of {}; write a shorter "
                                                 "datagram, or a larger host.ip.socket_buffer",
                                                 to_string(Bytes{datagram}), to_string(Bytes{costs.socket_buffer})));
    return datagram;
  }
  return check_size(reader, "window", datagram, costs.socket_buffer, costs.socket_buffer);
}

StreamSpec check_stream(const v1::IpStream& stream, const Costs& costs, const MessageReader& reader) {
  StreamSpec spec;
  check_ends(stream, reader, spec);
  const auto transport = reader.choice<v1::IpStream::Transport>("transport");
  if (!v1::IpStream::Transport_IsValid(transport))
    reader.complain("transport", "there is no such transport; write UDP or WINDOW");
  const bool windowed = transport == v1::IpStream::WINDOW;
  const int32_t fits = costs.mtu - kIpHeader - (windowed ? kTcpHeader : kUdpHeader);
  spec.bytes = check_size(reader, "bytes", 1, kMostStream, default_size(reader, "bytes"));
  spec.datagram = static_cast<int32_t>(check_size(reader, "datagram", 1, windowed ? fits : kMostUserBytes, fits));
  if (windowed) {
    spec.window = check_window(reader, costs, spec.datagram);
  } else if (reader.has("window")) {
    reader.complain("window", "UDP has no window; write transport: WINDOW, or leave it out");
  }
  spec.start = check_time(reader, "start", Time::zero());
  return spec;
}

PingSpec check_ping(const v1::IpPing& ping, const MessageReader& reader) {
  PingSpec spec;
  check_ends(ping, reader, spec);
  spec.count = reader.number("count", 1, kMaxCount);
  spec.bytes = static_cast<int32_t>(check_size(reader, "bytes", 0, kMostUserBytes, default_size(reader, "bytes")));
  spec.interval = check_time(reader, "interval", default_time(reader, "interval"));
  spec.start = check_time(reader, "start", Time::zero());
  return spec;
}

class Ip final : public host::WorkloadKindOf<v1::Workload::kIp, v1::Ip, IpSpec> {
  IpSpec check(v1::Ip& ip, experiment::Experiment& experiment, const experiment::FileChecker& /*files*/,
               const MessageReader& reader) const override {
    IpSpec spec;
    spec.costs = check_costs(experiment, MessageReader(experiment.message.host().ip(), "host.ip", reader.fields()));
    if (ip.stream_size() + ip.ping_size() == 0)
      reader.complain({}, "nobody sends anything; write stream { } or ping { }, from host 0 to host 1");
    if (ip.stream_size() + ip.ping_size() > kMaxFlows) {
      reader.complain({}, fmt::format("{} streams and pings are more than the {} that are allowed",
                                      ip.stream_size() + ip.ping_size(), kMaxFlows));
      return spec;
    }
    for (int i = 0; i < ip.stream_size(); ++i)
      spec.streams.push_back(
          check_stream(ip.stream(i), spec.costs, reader.of(ip.stream(i), fmt::format("stream[{}]", i))));
    for (int i = 0; i < ip.ping_size(); ++i)
      spec.pings.push_back(check_ping(ip.ping(i), reader.of(ip.ping(i), fmt::format("ping[{}]", i))));
    return spec;
  }
  void add_results(const v1::Report& report, std::string& text) const override { ip::add_results(report, text); }
  std::string text(const IpSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    return fmt::format("IP, packets of up to {}, {} streams, {} pings", to_string(Bytes{spec.costs.mtu}),
                       spec.streams.size(), spec.pings.size());
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const IpSpec& spec, const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    absl::StatusOr<std::unique_ptr<host::Workload>> made = Workload::create(spec, graph.host_count());
    if (!made.ok()) return at_workload(experiment, made.status());
    return made;
  }
};

}  // namespace

const host::WorkloadKind& ip() {
  static const Ip kind;
  return kind;
}

}  // namespace fabrictwin::ip
