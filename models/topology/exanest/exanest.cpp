// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/exanest/exanest.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "fmt/format.h"
#include "models/routing/exanest/routing.h"
#include "models/routing/lattice/torus_routing.h"
#include "models/topology/exanest/host_fields.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::exanest {
namespace {

constexpr int32_t kQfdbsPerBlade = 4;
constexpr int32_t kBladesPerGroup = 4;
constexpr int32_t kMaxBlades = 24;
constexpr int32_t kTileBits = 2;
/// Words that a board link buffers for each VC (rtl/node).
constexpr int32_t kBoardBufferWords = 64;
/// The least that an APElink end may buffer: the largest packet.
constexpr int32_t kLeastLinkWords = 18;
/// RefreshCycles of an APElink (rtl/node).
constexpr int64_t kRefreshCycles = 4096;

int32_t bits_for(int32_t size) { return std::bit_width(static_cast<uint32_t>(size - 1)); }

/// Builds one machine.
class Builder {
 public:
  Builder(const ExanestSpec& spec, const experiment::Experiment& experiment) : spec_(spec) {
    graph_.all_logic = "qfdb[*].*";
    const int32_t groups = std::max(1, spec_.blades / kBladesPerGroup);
    graph_.dims = {spec_.qfdbs, spec_.blades / groups, groups};
    graph_.topology = fmt::format("exanest {}x{}", spec_.blades, spec_.qfdbs);
    graph_.router_clock = Clock(experiment.router.clock);
    graph_.buffer_words = experiment.router.buffer_words;
    graph_.link_rate = spec_.link_rate;
    graph_.tile_bits = kTileBits;
    graph_.x_bits = bits_for(graph_.dims[0]);
    graph_.y_bits = bits_for(graph_.dims[1]);
    host_rate_ = Bandwidth{experiment.router.clock.hertz * link::kWordBits};
    boards_ = spec_.blades * spec_.qfdbs;
    hosts_ = boards_ * kFpgasPerQfdb;
  }

  system::SystemGraph build() {
    for (const bool logic : {false, true}) {
      for (int32_t board = 0; board < boards_; ++board) {
        for (int32_t fpga = 0; fpga < kFpgasPerQfdb; ++fpga) add_element(board, fpga, logic);
      }
    }
    for (int32_t host = 0; host < hosts_; ++host)
      join(host, 0, hosts_ + host, 0, host_rate_, spec_.host_latency, kBoardBufferWords);
    for (int32_t board = 0; board < boards_; ++board) join_board(board);
    int32_t stride = 1;
    for (size_t d = 0; d < graph_.dims.size(); ++d) {
      join_dimension(static_cast<int32_t>(d), stride);
      stride *= graph_.dims[d];
    }
    graph_.build_index();
    return std::move(graph_);
  }

 private:
  void add_element(int32_t board, int32_t fpga, bool logic) {
    system::Element element;
    element.coordinates = routing::lattice::torus_coordinates(graph_.dims, board);
    element.node = board * kFpgasPerQfdb + fpga;
    const auto x = static_cast<uint32_t>(element.coordinates[0]);
    const auto y = static_cast<uint32_t>(element.coordinates[1]);
    const auto z = static_cast<uint32_t>(element.coordinates[2]);
    element.address = (((z << graph_.y_bits | y) << graph_.x_bits | x) << kTileBits) | static_cast<uint32_t>(fpga);
    element.position = fmt::format("{}.{}.{}", board / spec_.qfdbs, board % spec_.qfdbs, fpga);
    element.ports = {"host"};
    if (!logic) {
      element.kind = system::ElementKind::kHost;
      element.name = fmt::format("mpsoc[{}]", element.node);
    } else {
      element.kind = system::ElementKind::kNode;
      element.name =
          fpga == 0 ? fmt::format("qfdb[{}].router", board) : fmt::format("qfdb[{}].switch[{}]", board, fpga);
      for (int32_t other = 0; other < kFpgasPerQfdb; ++other) {
        if (other != fpga) element.ports.push_back(fmt::format("f{}", other + 1));
      }
      if (fpga == 0) element.ports.insert(element.ports.end(), {"x+", "x-", "y+", "y-", "z+", "z-"});
    }
    graph_.elements.push_back(std::move(element));
  }

  void join(system::ElementId a, int32_t port_a, system::ElementId b, int32_t port_b, Bandwidth rate, Time latency,
            int32_t words) {
    graph_.links.push_back({{{a, port_a}, {b, port_b}}, rate, latency, words});
  }

  void join_board(int32_t board) {
    const system::ElementId first = hosts_ + board * kFpgasPerQfdb;
    // The port of FPGA `a` that leads to `b`: the others in rising order, from 1.
    const auto port = [](int32_t a, int32_t b) { return b < a ? b + 1 : b; };
    for (int32_t a = 0; a < kFpgasPerQfdb; ++a) {
      for (int32_t b = a + 1; b < kFpgasPerQfdb; ++b)
        join(first + a, port(a, b), first + b, port(b, a), spec_.board_rate, spec_.link_latency, kBoardBufferWords);
    }
  }

  void join_dimension(int32_t dimension, int32_t stride) {
    const int32_t size = graph_.dims[dimension];
    if (size < 2) return;
    const int32_t plus =
        routing::lattice::TorusRouting::plus_port(dimension) + routing::exanest::NetworkFpgaRouting::kBoardPorts;
    const int32_t minus =
        routing::lattice::TorusRouting::minus_port(dimension) + routing::exanest::NetworkFpgaRouting::kBoardPorts;
    for (int32_t board = 0; board < boards_; ++board) {
      const int32_t here = board / stride % size;
      const int32_t next = board + ((here + 1) % size - here) * stride;
      join(hosts_ + board * kFpgasPerQfdb, plus, hosts_ + next * kFpgasPerQfdb, minus, spec_.link_rate,
           spec_.link_latency, spec_.link_buffer_words);
      graph_.links.back().refresh = graph_.router_clock.edge(kRefreshCycles);
    }
  }

  const ExanestSpec& spec_;
  system::SystemGraph graph_;
  Bandwidth host_rate_;
  int32_t boards_ = 0;
  int32_t hosts_ = 0;
};

class Exanest final : public TopologyOf<v1::Topology::kExanest, v1::Exanest, ExanestSpec> {
  ExanestSpec check(const v1::Exanest& /*message*/, const experiment::RouterSpec& /*router*/,
                    experiment::TopologyReader& reader) const override {
    ExanestSpec spec;
    const int32_t blades = reader.unchecked_number("blades");
    if (blades < 1 || blades > kMaxBlades || (blades > kBladesPerGroup && blades % kBladesPerGroup != 0)) {
      reader.complain("blades", fmt::format("blades {}: blades come as 1 to {} or in whole groups of {}, up to {}",
                                            blades, kBladesPerGroup, kBladesPerGroup, kMaxBlades));
    } else {
      spec.blades = blades;
    }
    const int32_t qfdbs = reader.unchecked_number("qfdbs");
    if (qfdbs < 1 || qfdbs > kQfdbsPerBlade) {
      reader.complain("qfdbs", fmt::format("qfdbs {}: a blade has 1 to {} boards; write more blades for more boards",
                                           qfdbs, kQfdbsPerBlade));
    } else {
      spec.qfdbs = qfdbs;
    }
    spec.link_rate = reader.rate("link_rate", "link");
    spec.board_rate = reader.rate("board_rate", "board link");
    spec.link_latency = reader.latency("link_latency", "link");
    spec.host_latency = reader.latency("host_latency", "host port");
    const int32_t words = reader.unchecked_number("link_buffer_words");
    if (words < kLeastLinkWords || words > kMostLinkWords) {
      reader.complain("link_buffer_words",
                      fmt::format("link_buffer_words {}: a link holds at least the largest packet; write {} to {}, for "
                                  "RTL 128 or {}",
                                  words, kLeastLinkWords, kMostLinkWords, kMostLinkWords));
    } else {
      spec.link_buffer_words = words;
    }
    return spec;
  }
  absl::StatusOr<system::SystemGraph> build(const ExanestSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return Builder(spec, experiment).build();
  }
  experiment::TopologyTraits traits(const v1::Topology& /*topology*/) const override { return {.nodes = true}; }
  std::vector<experiment::HostField> host_fields() const override { return exanest::host_fields(); }
  void check_host(experiment::Experiment& experiment, experiment::FieldChecker& fields) const override {
    exanest::check_host(experiment, fields);
  }
  double nodes(const ExanestSpec& spec) const override { return 1.0 * kFpgasPerQfdb * spec.blades * spec.qfdbs; }
  bool routed_by_coordinates(const ExanestSpec& /*spec*/) const override { return true; }
};

}  // namespace

const Topology& exanest() {
  static const Exanest topology;
  return topology;
}

}  // namespace fabrictwin::topology::exanest
