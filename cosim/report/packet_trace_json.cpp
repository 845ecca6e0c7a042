// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/packet_trace_json.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cosim/report/message_json.h"

namespace fabrictwin::report {
namespace {

std::string quoted(const std::string& text) { return json_text(text); }

/// Writes the events of one trace.
class Writer {
 public:
  explicit Writer(const system::SystemGraph& graph) : graph_(graph) {
    for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
      channels_.push_back(quoted(graph.channel_name(channel)));
    for (const system::Element& element : graph.elements) {
      if (element.kind != system::ElementKind::kHost) continue;
      hosts_.resize(std::max(hosts_.size(), static_cast<size_t>(element.node) + 1));
      hosts_[element.node] = element.name;
    }
    named_.resize(hosts_.size());
  }

  void add(const observe::PacketTrace::Packet& packet, int32_t track) {
    process_ = packet.key.source + 1;
    track_ = track;
    const std::string& source = hosts_[packet.key.source];
    const std::string name =
        fmt::format("{} to {}, number {}", source, hosts_[packet.key.destination], packet.key.sequence);
    if (!named_[packet.key.source]) describe("process_name", source);
    named_[packet.key.source] = true;
    describe("thread_name", name);
    begin(packet.created, "packet", quoted(name), packet.created, packet.arrived,
          fmt::format(",\"source\":{},\"destination\":{},\"number\":{},\"flits\":{}", packet.key.source,
                      packet.key.destination, packet.key.sequence, packet.flits));
    Time here = packet.created;
    for (const observe::PacketTrace::Hop& hop : packet.hops) {
      const system::Element& element = graph_.elements[graph_.channel_source(hop.channel).element];
      slice("wait", here, hop.left, [&] { return quoted("wait in " + element.name); });
      slice("move", hop.left, hop.arrives, [&] { return channels_[hop.channel]; });
      here = hop.arrives;
    }
    slice("move", here, packet.arrived, [&] { return quoted("rest of the packet"); });
    end(packet.arrived);
  }

  std::string finish() { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + text_ + "\n]}\n"; }

 private:
  /// The time in microseconds, with all digits of a femtosecond.
  static std::string microseconds(Time time) {
    return fmt::format("{}.{:09}", time.fs() / 1'000'000'000, time.fs() % 1'000'000'000);
  }

  void open(std::string_view phase) {
    fmt::format_to(std::back_inserter(text_), "{}{{\"ph\":\"{}\",\"pid\":{},\"tid\":{}", text_.empty() ? "" : ",\n",
                   phase, process_, track_);
  }
  void describe(std::string_view what, const std::string& name) {
    open("M");
    fmt::format_to(std::back_inserter(text_), ",\"name\":\"{}\",\"args\":{{\"name\":{}}}}}", what, quoted(name));
  }
  void begin(Time time, std::string_view category, const std::string& name, Time from, Time to,
             const std::string& more = {}) {
    open("B");
    fmt::format_to(std::back_inserter(text_), ",\"ts\":{},\"cat\":\"{}\",\"name\":{},\"args\":{{\"fs\":{}{}}}}}",
                   microseconds(time), category, name, (to - from).fs(), more);
  }
  void end(Time time) {
    open("E");
    fmt::format_to(std::back_inserter(text_), ",\"ts\":{}}}", microseconds(time));
  }
  template <typename Name>
  void slice(std::string_view category, Time from, Time to, const Name& name) {
    if (from == to) return;
    begin(from, category, name(), from, to);
    end(to);
  }

  const system::SystemGraph& graph_;
  std::vector<std::string> channels_;  ///< The quoted names of channels.
  std::vector<std::string> hosts_;
  std::vector<bool> named_;  ///< For each host, true if its process has been named.
  int32_t process_ = 0;
  int32_t track_ = 0;
  std::string text_;
};

}  // namespace

std::string packet_trace_json(const observe::PacketTrace& trace, const system::SystemGraph& graph) {
  Writer writer(graph);
  int32_t track = 0;
  for (const observe::PacketTrace::Packet* packet : trace.finished()) writer.add(*packet, ++track);
  return writer.finish();
}

}  // namespace fabrictwin::report
