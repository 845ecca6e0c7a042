// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where packets of the input-queued network go next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/iq_packet.h"

namespace fabrictwin {

/// What the routing stage says of a packet.
struct IqRoute {
  int32_t port = 0;
  uint32_t vcs = 0;  ///< Mask of the VCs of that port that the packet may use.
};

/// A routing function for all routers of a network. Immutable; thread-safe.
class IqRouting {
 public:
  virtual ~IqRouting() = default;
  virtual IqRoute route(int32_t router, const IqPacket& packet) const = 0;
};

/// Dimension-ordered routing on a k-ary n-cube, X first, with the ports of TorusRouting. The class of VCs that a packet
/// uses in a dimension is fixed when it enters the dimension: the upper half of the VCs if its way round the ring goes
/// over the link between the last and the first position (the dateline), the lower half if not. Neither class can wait
/// for itself in a circle, as no packet goes more than half round. At the destination, all VCs. Nothing is remembered:
/// in dimension order, a packet enters a dimension at its source's coordinate.
class IqTorusRouting final : public IqRouting {
 public:
  /// `vcs` is even, 2 to 32.
  IqTorusRouting(std::vector<int32_t> dims, int32_t vcs);
  IqRoute route(int32_t router, const IqPacket& packet) const override;

 private:
  int32_t coordinate(int32_t node, size_t dimension) const { return coordinates_[node * dims_.size() + dimension]; }

  std::vector<int32_t> dims_;
  std::vector<uint8_t> coordinates_;  ///< By node and dimension.
  uint32_t lower_ = 0;
  uint32_t upper_ = 0;
};

}  // namespace fabrictwin
