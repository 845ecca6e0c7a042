// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The pins of a Target Controller of any shape.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace fabrictwin {

inline constexpr int kMaxPorts = 14;
inline constexpr int kMaxLinks = 6;

struct ControllerShape {
  int intra_ports = 0;
  int links = 0;
  int counter_width = 0;
  int link_counter_width = 16;  ///< As apelink_pkg says.
  int ports() const { return intra_ports + links; }
};

/// What the network IP says.
struct NetworkStatus {
  struct Port {
    bool credit_stall = false;
    bool error = false;
    uint32_t neighbour_health = 0;
    uint32_t route_drops = 0;
    uint32_t disabled_drops = 0;
    uint32_t malformed = 0;
    uint32_t sent = 0;
    uint32_t discarded = 0;
    uint32_t marked = 0;
    std::array<uint32_t, 2> words{};    ///< In the FIFOs of the input, by VC.
    std::array<uint32_t, 2> packets{};  ///< And packets.
  };
  struct Link {
    bool error = false;
    std::array<uint32_t, 2> used{};     ///< By VC.
    std::array<uint32_t, 2> waiting{};  ///< By VC.
    uint32_t corrected = 0;
    uint32_t uncorrectable = 0;
    uint32_t crc_errors = 0;
    uint32_t dropped = 0;
    uint32_t resyncs = 0;
    bool up = false;
    uint32_t downs = 0;
    uint32_t aborted = 0;
  };
  bool idle = false;
  std::array<Port, kMaxPorts> ports{};
  std::array<Link, kMaxLinks> links{};
};

/// What it is told.
struct NetworkSettings {
  bool in_reset = true;
  uint32_t coordinates = 0;
  uint32_t last = 0;
  uint32_t dimension_order = 0;
  bool vc_by_direction = false;
  bool fixed_priority = false;
  uint32_t health = 0;
  bool supervise = false;
  uint32_t tred = 0;
  uint32_t tile_words = 0;
  uint32_t tile_packets = 0;
  uint32_t mark_threshold = 0;
  uint32_t mark_rate = 0;
  uint32_t mark_least = 0;
  bool mark_hosts = false;
  std::array<bool, kMaxPorts> enable{};
  std::array<uint32_t, kMaxPorts> priority{};
  bool operator==(const NetworkSettings&) const = default;
};

struct AxiMasterPins {
  bool awvalid = false;
  uint32_t awaddr = 0;
  bool wvalid = false;
  uint32_t wdata = 0;
  uint32_t wstrb = 0;
  bool bready = false;
  bool arvalid = false;
  uint32_t araddr = 0;
  bool rready = false;
};

struct AxiSlavePins {
  bool awready = false;
  bool wready = false;
  bool bvalid = false;
  uint32_t bresp = 0;
  bool arready = false;
  bool rvalid = false;
  uint32_t rdata = 0;
  uint32_t rresp = 0;
  bool idle = false;  ///< Not a pin of AXI: edges without input change nothing.
};

class ControllerPins {
 public:
  virtual ~ControllerPins() = default;
  virtual ControllerShape shape() const = 0;
  /// One rising edge that sees these inputs.
  virtual void edge(bool reset, const AxiMasterPins& axi, const NetworkStatus& status) = 0;
  /// After the last edge.
  virtual AxiSlavePins axi() const = 0;
  virtual NetworkSettings settings() const = 0;
};

/// Shapes that there are models of.
enum class ControllerVariant { k3x2, k1x2, k8x6 };
std::unique_ptr<ControllerPins> make_controller(ControllerVariant variant);

}  // namespace fabrictwin
