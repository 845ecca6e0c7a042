// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers that the checks of all topologies share: numbers and links, with the defaults that topology.proto states.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/link_spec.h"

namespace fabrictwin::experiment {

/// The most ports of a router in any topology, limited by routing (RouteOptions::kMax).
inline constexpr int32_t kMaxRouterPorts = 64;
/// The most nodes of a system: node numbers have 24 bits in the packet header.
inline constexpr int64_t kMaxNodes = int64_t{1} << 24;

/// Reads fields of one message of a topology by their names. Mistakes go to the field checker with their source
/// location, and a harmless value is returned.
class TopologyReader : public MessageReader {
 public:
  /// `path` is the path of the message, "topology.fat_tree". All arguments must outlive the reader.
  TopologyReader(const google::protobuf::Message& message, std::string path, Frequency router_clock,
                 FieldChecker& fields)
      : MessageReader(message, std::move(path), fields), clock_(router_clock) {}

  /// A reader of a message inside this one, `name` from here: "link[3]".
  TopologyReader of(const google::protobuf::Message& message, std::string_view name) const {
    return {message, path_of(name), clock_, fields_};
  }

  /// A whole number as it is written, or its default; not checked.
  int32_t unchecked_number(std::string_view name);
  /// A rate and a latency of links, called `what` in messages. The default is `fallback` if that is given.
  Bandwidth rate(std::string_view name, std::string_view what, std::string_view fallback = {});
  Time latency(std::string_view name, std::string_view what);
  /// Reads the fields KIND_rate, KIND_latency and KIND_latency_cycles.
  LinkSpec link(std::string_view kind, std::string_view rate_fallback = {});
  /// Reads the fields rate, latency and latency_cycles; `fallback` has the defaults.
  LinkSpec link_or(const LinkSpec& fallback);

  /// True if a router may have so many ports; otherwise adds a diagnostic at a field, with what to do.
  bool check_ports(std::string_view name, std::string_view what, int64_t ports, std::string_view remedy);
  /// True if a system may have so many hosts and routers; otherwise adds a diagnostic at a field.
  bool check_nodes(std::string_view name, int64_t hosts, int64_t routers);

 private:
  /// Replaces `time` by the latency in cycles if that is given.
  void read_cycles(const std::string& latency, Time& time);
  /// Adds a diagnostic if a latency is too long for the model of the routers.
  void check_cycles(const std::string& latency, Time time, std::string_view what);

  Frequency clock_;
};

}  // namespace fabrictwin::experiment
