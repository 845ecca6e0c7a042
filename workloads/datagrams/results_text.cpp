// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/datagrams/results_text.h"

#include <vector>

#include "cosim/report/text_table.h"
#include "fmt/format.h"

namespace fabrictwin::datagrams {
namespace {

using report::TextTable;

std::string nanoseconds(double seconds) { return seconds > 0 ? fmt::format("{:.1f}", seconds * 1e9) : "-"; }

std::string streams_table(const v1::NanetReport& nanet) {
  TextTable table({"stream", "direction", "memory", "sent", "received", "damaged", "buffers", "timed out", "Gb/s",
                   "data ns", "event ns least", "mean", "most"});
  table.align_left(1);
  table.align_left(2);
  for (const v1::NanetStreamReport& stream : nanet.streams()) {
    table.add({fmt::format("{}:{}", stream.port(), stream.udp_port()), stream.direction(), stream.memory(),
               fmt::format("{}", stream.datagrams_sent()), fmt::format("{}", stream.datagrams_received()),
               fmt::format("{}", stream.damaged()), fmt::format("{}", stream.buffers()),
               fmt::format("{}", stream.timed_out()), fmt::format("{:.3f}", stream.bytes_per_second() * 8e-9),
               nanoseconds(stream.mean_data_latency_seconds()), nanoseconds(stream.min_latency_seconds()),
               nanoseconds(stream.mean_latency_seconds()), nanoseconds(stream.max_latency_seconds())});
  }
  return table.text();
}

}  // namespace

void add_results(const v1::Report& report, std::string& text) {
  if (!report.has_nanet()) return;
  const v1::NanetReport& nanet = report.nanet();
  text += fmt::format("\ndatagrams: {} misses of the TLB, {} interrupts\n", nanet.tlb_misses(), nanet.interrupts());
  text += streams_table(nanet);
  for (const v1::NanetPortReport& port : nanet.ports()) {
    text += fmt::format("port {}: {} frames to the card, {} from it", port.port(), port.frames_sent(),
                        port.frames_received());
    for (const v1::NanetResult& result : port.results()) text += fmt::format(", {} {}", result.name(), result.count());
    text += "\n";
  }
}

}  // namespace fabrictwin::datagrams
