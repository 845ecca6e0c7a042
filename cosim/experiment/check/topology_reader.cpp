// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/topology_reader.h"

#include <fmt/format.h>

#include "cosim/base/clock.h"
#include "cosim/base/text.h"

namespace fabrictwin::experiment {
namespace {

constexpr int32_t kMaxLatencyCycles = 1'000'000;

}  // namespace

int32_t TopologyReader::unchecked_number(std::string_view name) {
  const int32_t value = number_of(name);
  return value == 0 && !has(name) ? default_number(name) : value;
}

Bandwidth TopologyReader::rate(std::string_view name, std::string_view what, std::string_view fallback) {
  return fields_.rate(path_of(name), text_of(name), fallback.empty() ? default_of(name) : std::string(fallback), what,
                      clock_);
}

Time TopologyReader::latency(std::string_view name, std::string_view what) {
  return fields_.latency(path_of(name), text_of(name), default_of(name), what);
}

void TopologyReader::read_cycles(const std::string& latency, Time& time) {
  const std::string name = latency + "_cycles";
  const int32_t cycles = number_of(name);
  if (cycles == 0 && !has(name)) return;
  if (has(latency)) {
    complain(name, fmt::format("{0} and {0}_cycles say the same; leave one of them out", latency));
  } else if (cycles < 1 || cycles > kMaxLatencyCycles) {
    complain(name, fmt::format("{} {}: the latency is the lookahead of the engine, so it is not zero; write 1 to {}",
                               name, cycles, kMaxLatencyCycles));
  } else {
    time = Clock(clock_).edge(cycles);
  }
}

void TopologyReader::check_cycles(const std::string& latency, Time time, std::string_view what) {
  const int64_t cycles = Clock(clock_).edge_at_or_after(time);
  if (cycles <= fields_.most_link_cycles()) return;
  const std::string in_cycles = latency + "_cycles";
  if (has(latency) && has(in_cycles)) return;  // It is not known which of them is meant.
  std::string path = path_of(has(in_cycles) ? in_cycles : latency);
  // If the default takes too many cycles, the fast clock is to blame.
  if (!fields_.locations().has(path) && fields_.locations().has("router.clock")) path = "router.clock";
  fields_.complain(path,
                   fmt::format("the {} latency is {}, {} cycles of the router clock, and links of routers of the "
                               "model {} take {} at most; make it shorter or router.clock slower",
                               what, to_string(time), cycles, fields_.limiting_model(), fields_.most_link_cycles()));
}

LinkSpec TopologyReader::link(std::string_view kind, std::string_view rate_fallback) {
  const std::string latency_field = fmt::format("{}_latency", kind);
  const std::string what = kind == "link" ? "link" : fmt::format("{} link", kind);
  LinkSpec spec;
  spec.rate = rate(fmt::format("{}_rate", kind), what, rate_fallback);
  spec.latency = latency(latency_field, what);
  read_cycles(latency_field, spec.latency);
  check_cycles(latency_field, spec.latency, what);
  return spec;
}

LinkSpec TopologyReader::link_or(const LinkSpec& fallback) {
  LinkSpec spec = fallback;
  if (has("rate")) spec.rate = fields_.rate(path_of("rate"), text_of("rate"), "", "link", clock_);
  if (has("latency")) {
    spec.latency = fields_.latency(path_of("latency"), text_of("latency"), to_string(fallback.latency), "link");
  }
  read_cycles("latency", spec.latency);
  if (has("latency") || has("latency_cycles")) check_cycles("latency", spec.latency, "link");
  return spec;
}

bool TopologyReader::check_ports(std::string_view name, std::string_view what, int64_t ports, std::string_view remedy) {
  if (ports <= kMaxRouterPorts) return true;
  complain(name, fmt::format("{} would have {} ports, and routers have at most {}; {}", what, ports, kMaxRouterPorts,
                             remedy));
  return false;
}

bool TopologyReader::check_nodes(std::string_view name, int64_t hosts, int64_t routers) {
  if (hosts <= kMaxNodes && routers <= kMaxNodes) return true;
  complain(name, fmt::format("{} hosts and {} routers are more than 2^24 = {}, which is what the packet header can "
                             "number; make it smaller",
                             hosts, routers, kMaxNodes));
  return false;
}

}  // namespace fabrictwin::experiment
