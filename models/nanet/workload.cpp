// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/workload.h"

#include <string>
#include <utility>

#include "cosim/metric/metric.h"
#include "fabrictwin/v1/nanet.pb.h"
#include "fmt/format.h"

namespace fabrictwin::nanet {
namespace {

const metric::Counter kSent{{.name = "fabrictwin_nanet_datagrams_sent_total",
                             .help = "Datagrams of a stream that were sent",
                             .labels = {"stream"},
                             .order = 397,
                             .in_report = false}};
const metric::Counter kReceived{
    {.name = "fabrictwin_nanet_datagrams_received_total",
     .help = "Datagrams of a stream in buffers that the card has handed over, or at the end of the line",
     .labels = {"stream"},
     .order = 398,
     .in_report = false}};
const metric::Counter kBytes{
    {.name = "fabrictwin_nanet_received_bytes_total",
     .unit = "bytes",
     .help = "Bytes of a stream in buffers that the card has handed over, or at the end of the line",
     .labels = {"stream"},
     .order = 399,
     .in_report = false}};
const metric::Counter kBuffers{{.name = "fabrictwin_nanet_buffers_total",
                                .help = "Buffers of a stream that the card has handed over",
                                .labels = {"stream"},
                                .order = 399,
                                .in_report = false}};

void report_stream(const StreamSpec& spec, const Results::Stream& result, v1::NanetStreamReport& out) {
  out.set_port(spec.port);
  out.set_udp_port(spec.udp_port);
  out.set_direction(spec.received() ? "RECEIVE" : "SEND");
  out.set_memory(spec.gpu ? "GPU" : "CPU");
  out.set_datagrams_sent(result.sent.size());
  out.set_bytes_sent(result.bytes_sent);
  out.set_datagrams_received(result.datagrams);
  out.set_bytes_received(result.bytes);
  out.set_buffers(result.buffers);
  out.set_timed_out(result.timed_out);
  out.set_damaged(result.damaged);
  if (result.last_event > result.first_event) {
    out.set_bytes_per_second(static_cast<double>(result.bytes_after_first) /
                             (result.last_event - result.first_event).seconds());
  }
  if (result.event.count > 0) {
    out.set_mean_latency_seconds(result.event.sum.seconds() / static_cast<double>(result.event.count));
    out.set_min_latency_seconds(result.event.least.seconds());
    out.set_max_latency_seconds(result.event.most.seconds());
  }
  if (result.data.count == 0) return;
  out.set_mean_data_latency_seconds(result.data.sum.seconds() / static_cast<double>(result.data.count));
  out.set_min_data_latency_seconds(result.data.least.seconds());
  out.set_max_data_latency_seconds(result.data.most.seconds());
}

/// A warning about what begins to be sent at `start`, before the card is set up; empty if it is not before that.
std::string too_early(std::string_view what, int32_t port, Time start, Time ready) {
  if (start >= ready || ready.is_never()) return {};
  constexpr int64_t kMicrosecond = Time::from_us(1).fs();
  return fmt::format(
      "{} of port {} starts at {}, before the driver has set it up, and the card loses what comes until then; write "
      "start: \"{}us\" or later",
      what, port, to_string(start), (ready.fs() + kMicrosecond - 1) / kMicrosecond);
}

}  // namespace

Workload::Workload(DatagramsSpec spec, int32_t ports) : spec_(std::move(spec)) {
  results_.streams.resize(spec_.streams.size());
  results_.ports.resize(static_cast<size_t>(ports));
}

void Workload::measure(metric::Sink& sink) const {
  for (size_t i = 0; i < results_.streams.size(); ++i) {
    const Results::Stream& stream = results_.streams[i];
    const std::string name = fmt::format("{}:{}", spec_.streams[i].port, spec_.streams[i].udp_port);
    sink.add(kSent, static_cast<double>(stream.sent.size()), {name});
    sink.add(kReceived, static_cast<double>(stream.datagrams), {name});
    sink.add(kBytes, static_cast<double>(stream.bytes), {name});
    sink.add(kBuffers, static_cast<double>(stream.buffers), {name});
  }
}

void Workload::report(v1::Report& report) const {
  v1::NanetReport& out = *report.mutable_nanet();
  uint64_t datagrams = 0;
  uint64_t bytes = 0;
  for (size_t i = 0; i < results_.streams.size(); ++i) {
    report_stream(spec_.streams[i], results_.streams[i], *out.add_streams());
    datagrams += results_.streams[i].datagrams;
    bytes += results_.streams[i].bytes;
  }
  for (size_t p = 0; p < results_.ports.size(); ++p) {
    v1::NanetPortReport& port = *out.add_ports();
    port.set_port(static_cast<int32_t>(p));
    port.set_frames_sent(results_.ports[p].frames_sent);
    port.set_frames_received(results_.ports[p].frames_received);
    for (const auto& [name, count] : results_.ports[p].counters) {
      v1::NanetResult& result = *port.add_results();
      result.set_name(name);
      result.set_count(count);
    }
  }
  warn(report);
  out.set_tlb_misses(results_.tlb_misses);
  out.set_interrupts(results_.interrupts);
  report.set_packets_delivered(datagrams);
  report.set_bytes_delivered(bytes);
  report.set_simulated_fs(results_.finish.fs());
}

void Workload::warn(v1::Report& report) const {
  const auto add = [&](std::string warning) {
    if (!warning.empty()) report.add_warnings(std::move(warning));
  };
  for (const StreamSpec& stream : spec_.streams) {
    // The driver begins with what it sends when the card is set up.
    if (stream.received() && stream.generated())
      add(too_early(fmt::format("the stream for UDP port {}", stream.udp_port), stream.port, stream.start,
                    results_.ports[static_cast<size_t>(stream.port)].ready));
  }
  for (const CaptureSpec& capture : spec_.captures)
    add(too_early("the capture", capture.port, capture.start, results_.ports[static_cast<size_t>(capture.port)].ready));
}

double Workload::done() const {
  return results_.frames_to_send == 0
             ? 1
             : static_cast<double>(results_.frames.get()) / static_cast<double>(results_.frames_to_send);
}

}  // namespace fabrictwin::nanet
