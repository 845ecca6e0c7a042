// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph/graph_check.h"

#include <boost/pending/disjoint_sets.hpp>
#include <boost/property_map/property_map.hpp>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "cosim/base/suggest.h"
#include "fmt/format.h"

namespace fabrictwin::topology::graph {
namespace {

using experiment::LinkSpec;
using experiment::TopologyReader;

constexpr int32_t kMaxParallel = 32;

/// True for a name such as "hub" or "edge[3]".
bool is_name(std::string_view name) {
  const size_t bracket = name.find('[');
  const std::string_view stem = name.substr(0, bracket);
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (stem.empty() || !letter(stem[0])) return false;
  for (const char c : stem) {
    if (!letter(c) && !digit(c) && c != '_' && c != '-') return false;
  }
  if (bracket == std::string_view::npos) return true;
  const std::string_view number = name.substr(bracket + 1);
  if (number.size() < 2 || number.size() > 8 || number.back() != ']') return false;
  for (const char c : number.substr(0, number.size() - 1)) {
    if (!digit(c)) return false;
  }
  return true;
}

/// One pass over the message of a graph.
class GraphChecker {
 public:
  GraphChecker(const v1::Graph& graph, TopologyReader& reader) : graph_(graph), reader_(reader) {}

  GraphSpec check() {
    link_ = reader_.link("link");
    host_ = reader_.link("host");
    spec_.link_rate = link_.rate;
    if (graph_.router().empty()) {
      reader_.complain("",
                       "the graph has no routers; write router { name: \"a\" } for each, host { router: \"a\" } and "
                       "link { from: \"a\" to: \"b\" }");
      return spec_;
    }
    for (int i = 0; i < graph_.router_size(); ++i) check_router(i);
    for (int i = 0; i < graph_.host_size(); ++i) check_host(i);
    for (int i = 0; i < graph_.link_size(); ++i) check_link(i);
    if (graph_.host().empty())
      reader_.complain("", fmt::format("the graph has no hosts; write host {{ router: \"{}\" }}", spec_.routers[0]));
    check_ports();
    // If names of routers or links are wrong, they are not connected, so the check would mislead.
    if (sound_) check_connected();
    return std::move(spec_);
  }

 private:
  void complain(const std::string& path, std::string_view message) {
    sound_ = false;
    reader_.complain(path, message);
  }

  /// Reads the name of an element, which must be unique.
  std::string take_name(const std::string& path, const std::string& written, const std::string& fallback) {
    const std::string name = written.empty() ? fallback : written;
    if (!is_name(name)) {
      complain(path + ".name", fmt::format("\"{}\" is not a name; write letters, digits, '_' and '-' after a letter, "
                                           "and a number if there are several: \"edge[3]\"",
                                           name));
    } else if (const auto [known, fresh] = taken_.emplace(name, path); !fresh) {
      complain(written.empty() ? path : path + ".name",
               fmt::format("{} has the name \"{}\" already; give each router and host a name of its own", known->second,
                           name));
    }
    return name;
  }

  void check_router(int i) {
    const std::string path = fmt::format("router[{}]", i);
    const std::string name = take_name(path, graph_.router(i).name(), path);
    router_of_.emplace(name, i);
    spec_.routers.push_back(name);
    ports_.emplace_back();
    own_names_.emplace_back(0, 0);
  }

  /// The number of the router that is named at `path`, or -1.
  int32_t find_router(const std::string& path, const std::string& message_path, const std::string& name) {
    if (const auto found = router_of_.find(name); found != router_of_.end()) return found->second;
    if (name.empty()) {
      complain(message_path,
               fmt::format("{} is left out; write the name of a router", path.substr(path.rfind('.') + 1)));
      return -1;
    }
    std::vector<std::string_view> names(spec_.routers.begin(), spec_.routers.end());
    complain(path,
             fmt::format("there is no router \"{}\"{}; write router {{ name: \"{}\" }} or the name of another one",
                         name, did_you_mean(name, names), name));
    return -1;
  }

  /// The name of a router's port: as written, or the next default name of its kind.
  std::string take_port(const std::string& path, int32_t router, const std::string& written, bool host) {
    int32_t& next = host ? own_names_[router].first : own_names_[router].second;
    std::string name = written;
    while (name.empty() || (written.empty() && ports_[router].contains(name)))
      name = fmt::format("{}{}", host ? 'h' : 'p', next++);
    if (!ports_[router].insert(name).second) {
      complain(path, fmt::format("{} has a port \"{}\" already; give each of its ports a name of its own, or none",
                                 spec_.routers[router], name));
    }
    return name;
  }

  void check_host(int i) {
    const v1::GraphHost& host = graph_.host(i);
    const std::string path = fmt::format("host[{}]", i);
    GraphSpec::Host made;
    made.name = take_name(path, host.name(), path);
    TopologyReader reader = reader_.of(host, path);
    made.link = reader.link_or(host_);
    made.router = find_router(path + ".router", path, host.router());
    if (made.router < 0) return;
    made.port = take_port(path + ".port", made.router, host.port(), true);
    spec_.hosts.push_back(std::move(made));
  }

  void check_link(int i) {
    const v1::GraphLink& link = graph_.link(i);
    const std::string path = fmt::format("link[{}]", i);
    TopologyReader reader = reader_.of(link, path);
    const int32_t parallel = reader.number("parallel", 1, kMaxParallel);
    GraphSpec::Link made;
    made.link = reader.link_or(link_);
    made.routers[0] = find_router(path + ".from", path, link.from());
    made.routers[1] = find_router(path + ".to", path, link.to());
    const auto [a, b] = std::minmax(made.routers[0], made.routers[1]);
    if (a < 0) return;
    if (a == b) {
      complain(path + ".to", fmt::format("a link of {} with itself; write another router", link.from()));
      return;
    }
    if (const auto [known, fresh] = linked_.emplace(std::pair(a, b), i); !fresh) {
      complain(path, fmt::format("{} and {} are linked already, by link[{}]; write parallel: 2 there for two links "
                                 "side by side",
                                 spec_.routers[a], spec_.routers[b], known->second));
      return;
    }
    if (parallel > 1 && !(link.from_port().empty() && link.to_port().empty())) {
      complain(path, "links side by side have the default names of ports; leave from_port and to_port out");
      return;
    }
    for (int32_t k = 0; k < parallel; ++k) {
      made.ports[0] = take_port(path + ".from_port", made.routers[0], link.from_port(), false);
      made.ports[1] = take_port(path + ".to_port", made.routers[1], link.to_port(), false);
      spec_.links.push_back(made);
    }
    connected_.union_set(a, b);
  }

  void check_ports() {
    for (size_t r = 0; r < ports_.size(); ++r) {
      reader_.check_ports(fmt::format("router[{}]", r), spec_.routers[r], static_cast<int64_t>(ports_[r].size()),
                          "take hosts or links from it");
    }
  }

  void check_connected() {
    const auto set_of = [this](int32_t router) { return connected_.find_set(router); };
    for (int32_t r = 1; r < graph_.router_size(); ++r) {
      if (set_of(r) == set_of(0)) continue;
      int32_t apart = 0;
      for (int32_t other = 0; other < graph_.router_size(); ++other) apart += set_of(other) == set_of(r) ? 1 : 0;
      complain(
          fmt::format("router[{}]", r),
          fmt::format("the graph falls apart: no links lead from {} to {}{}; write link {{ from: \"{}\" to: \"{}\" "
                      "}} or leave {} out",
                      spec_.routers[0], spec_.routers[r],
                      apart > 1 ? fmt::format(" and {} routers with it", apart - 1) : "", spec_.routers[0],
                      spec_.routers[r], apart > 1 ? "them" : "it"));
      return;
    }
  }

  const v1::Graph& graph_;
  TopologyReader& reader_;
  LinkSpec link_;
  LinkSpec host_;
  GraphSpec spec_;
  std::map<std::string, std::string> taken_;  ///< The element that has each name.
  std::map<std::string, int32_t> router_of_;  ///< The number of the router with each name.
  std::vector<std::set<std::string>> ports_;  ///< For each router, the names of its ports.
  std::vector<std::pair<int32_t, int32_t>>
      own_names_;  ///< For each router, its default port names to hosts and to routers so far.
  std::map<std::pair<int32_t, int32_t>, int> linked_;
  bool sound_ = true;  ///< True if all elements and links are valid.
  boost::disjoint_sets_with_storage<> connected_{
      static_cast<size_t>(graph_.router_size())};  ///< Routers that links join.
};

}  // namespace

GraphSpec check_graph(const v1::Graph& graph, TopologyReader& reader) { return GraphChecker(graph, reader).check(); }

}  // namespace fabrictwin::topology::graph
