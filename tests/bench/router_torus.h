// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A 4x4x4 torus of routers at their pins, for benchmarks: links of fixed latency in cycles, and random traffic at each
// tile. It is the least that an engine must do, so that what is measured is the routers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/link/packet.h"
#include "rtl/transactor/router/model.h"

namespace fabrictwin::bench {

inline constexpr int kSide = 4;
inline constexpr int kRouters = kSide * kSide * kSide;
inline constexpr int kLinkCycles = 19;  ///< 120 ns at 156.25 MHz.
inline constexpr int kRingCycles = 64;  ///< More than twice the link's latency.

/// Who the router at index `router` is.
rtl::router::Identity torus_identity(int router);

/// What surrounds the pins of one router. Cycle k: inputs(k), the clock edge, outputs(k).
class alignas(64) TorusNode {
 public:
  /// Connects node `index` of `nodes`; its tile sends at `load_percent` of one word a cycle.
  void connect(std::vector<TorusNode>& nodes, int index, const rtl::router::Pins& pins, int load_percent);

  void inputs(int64_t cycle);
  void outputs(int64_t cycle);

  /// Words that its tile has received.
  uint64_t received() const { return received_; }

 private:
  struct LinkSlot {
    link::Word word;
    uint8_t valid = 0;
    uint8_t vc = 0;
    uint8_t sop = 0;
    uint8_t eop = 0;
  };
  struct CreditSlot {
    uint8_t valid = 0;
    uint8_t vc = 0;
    uint8_t count = 0;
  };
  /// What arrives at one port, by cycle.
  struct alignas(64) Inbound {
    std::array<LinkSlot, kRingCycles> words;
    std::array<CreditSlot, kRingCycles> credits;
  };

  void inject(int64_t cycle);

  rtl::router::Pins pins_{};
  std::array<Inbound, rtl::router::kRouterPorts> inbound_;
  std::array<Inbound*, rtl::router::kRouterPorts>
      neighbour_{};  ///< The other end of each link; port 0 is the tile's own.
  Inbound tile_;     ///< What arrives at the tile.
  RandomStream random_{0, 0, RandomPurpose::kTest};
  int index_ = 0;
  int load_percent_ = 0;
  std::array<int, 2> room_{64, 64};
  int words_left_ = 0;
  int vc_ = 0;
  int64_t gap_until_ = 0;
  std::array<uint8_t, 2> held_{};
  uint64_t received_ = 0;
  uint64_t sequence_ = 0;
};

/// Words that all tiles have received.
uint64_t received_words(const std::vector<TorusNode>& nodes);

}  // namespace fabrictwin::bench
