// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/ip/workload.h"

#include <algorithm>

#include "cosim/observe/latency_report.h"
#include "cosim/observe/pack_latencies.h"
#include "fmt/format.h"
#include "workloads/ip/process.h"

namespace fabrictwin::ip {
namespace {

absl::Status check_hosts(std::string_view what, int32_t source, int32_t destination, int32_t hosts) {
  const int32_t most = std::max(source, destination);
  if (most < hosts) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{} from host {} to host {}: the system has {} hosts; write 0 to {}",
                                                what, source, destination, hosts, hosts - 1));
}

void report_stream(const StreamSpec& spec, const StreamResult& result, v1::IpStreamReport& report) {
  report.set_source(spec.source);
  report.set_destination(spec.destination);
  report.set_transport(spec.window > 0 ? "window" : "udp");
  report.set_datagram_bytes(static_cast<uint64_t>(spec.datagram));
  report.set_sent(result.sent);
  report.set_received(result.received);
  report.set_dropped(result.dropped);
  report.set_bytes_received(result.bytes);
  if (result.received == 0) return;
  const double seconds = (result.last - spec.start).seconds();
  report.set_seconds(seconds);
  if (seconds > 0) report.set_bits_per_second(8 * static_cast<double>(result.bytes) / seconds);
}

void report_ping(const PingSpec& spec, const PingResult& result, v1::IpPingReport& report) {
  report.set_source(spec.source);
  report.set_destination(spec.destination);
  report.set_bytes(static_cast<uint64_t>(spec.bytes));
  report.set_sent(result.sent);
  observe::report_latencies(result.round_trips, false, *report.mutable_round_trip_seconds());
}

}  // namespace

absl::StatusOr<std::unique_ptr<host::Workload>> Workload::create(const IpSpec& spec, int32_t hosts) {
  absl::Status status;
  for (const StreamSpec& stream : spec.streams)
    status.Update(check_hosts("a stream", stream.source, stream.destination, hosts));
  for (const PingSpec& ping : spec.pings) status.Update(check_hosts("a ping", ping.source, ping.destination, hosts));
  if (!status.ok()) return status;
  return std::unique_ptr<host::Workload>(new Workload(spec));
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  auto process = std::make_unique<Process>(node, state_, digest);
  if (!process->takes_part()) return nullptr;
  return process;
}

void Workload::report(v1::Report& report) const {
  v1::IpReport& ip = *report.mutable_ip();
  ip.set_mtu(state_->spec.costs.mtu);
  for (size_t i = 0; i < state_->streams.size(); ++i)
    report_stream(state_->spec.streams[i], state_->streams[i], *ip.add_streams());
  for (size_t i = 0; i < state_->pings.size(); ++i)
    report_ping(state_->spec.pings[i], state_->pings[i], *ip.add_pings());
}

bool Workload::report_part(v1::WorkloadPart& part) const {
  v1::IpPart& ip = *part.mutable_ip();
  for (const StreamResult& result : state_->streams) {
    v1::IpStreamPart& stream = *ip.add_streams();
    stream.set_sent(result.sent);
    stream.set_received(result.received);
    stream.set_dropped(result.dropped);
    stream.set_bytes_received(result.bytes);
    stream.set_last_fs(result.last.fs());
  }
  for (const PingResult& result : state_->pings) {
    v1::IpPingPart& ping = *ip.add_pings();
    ping.set_sent(result.sent);
    observe::pack_latencies(result.round_trips, *ping.mutable_round_trips());
  }
  return true;
}

absl::Status Workload::add_part(const v1::WorkloadPart& part) {
  const v1::IpPart& ip = part.ip();
  const auto sound = [](const v1::IpPingPart& ping) { return observe::is_sound(ping.round_trips()); };
  if (static_cast<size_t>(ip.streams_size()) != state_->streams.size() ||
      static_cast<size_t>(ip.pings_size()) != state_->pings.size() ||
      !std::all_of(ip.pings().begin(), ip.pings().end(), sound)) {
    return absl::DataLossError("what a place tells of streams and pings does not fit the experiment");
  }
  for (size_t i = 0; i < state_->streams.size(); ++i) {
    const v1::IpStreamPart& stream = ip.streams(static_cast<int>(i));
    StreamResult& result = state_->streams[i];
    result.sent += stream.sent();
    result.received += stream.received();
    result.dropped += stream.dropped();
    result.bytes += stream.bytes_received();
    result.last = std::max(result.last, Time::from_fs(stream.last_fs()));
  }
  for (size_t i = 0; i < state_->pings.size(); ++i) {
    const v1::IpPingPart& ping = ip.pings(static_cast<int>(i));
    state_->pings[i].sent += ping.sent();
    observe::unpack_latencies(ping.round_trips(), state_->pings[i].round_trips);
  }
  return absl::OkStatus();
}

// Hosts of other places tell how far they are there.
double Workload::done() const {
  uint64_t all = 0;
  for (const StreamSpec& stream : state_->spec.streams) all += stream.datagrams();
  for (const PingSpec& ping : state_->spec.pings) all += static_cast<uint64_t>(ping.count);
  return static_cast<double>(state_->ended.load(std::memory_order_relaxed)) /
         static_cast<double>(std::max<uint64_t>(all, 1));
}

}  // namespace fabrictwin::ip
