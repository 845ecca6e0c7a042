// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// LAMMPS' mesh for long-range forces (PPPM): its halo and its parallel Fourier transforms.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "workloads/skeleton/box_partition.h"
#include "workloads/skeleton/event_list.h"
#include "workloads/skeleton/lammps/grid.h"

namespace fabrictwin::skeleton::lammps {

/// A periodic mesh over a box. Immutable; thread-safe.
class PppmMesh {
 public:
  /// A mesh of `points` in a box with these edges; charges are spread over 5 points, and atoms may be `slack` outside
  /// of their rank's box.
  PppmMesh(const Grid& grid, const Extent& points, const std::array<double, 3>& edges, double slack);

  /// InvalidArgument if a rank's part is so thin that ghost points come from beyond its neighbour.
  absl::Status check() const;

  const Extent& points() const { return points_; }

  /// The partition of the mesh in each stage of a transform.
  enum class Layout : uint8_t { kBrick, kSlab, kPencilY, kPencilZ };
  /// The part of `rank`; it may be empty.
  Box part(Layout layout, uint32_t rank) const;

  /// One message of a change of layout.
  struct Message {
    int32_t rank = 0;
    uint64_t points = 0;
  };
  /// A change of layout on one rank: messages to all and from all, in the order of the calls.
  struct Remap {
    std::vector<Message> receives;
    std::vector<Message> sends;
  };
  Remap remap(Layout from, Layout to, uint32_t rank) const;

  /// Sends charges of ghost points to their owners (z, y, x), one double per point.
  void reverse(EventList& list, uint32_t rank) const;
  /// Sends the field to ghost points (x, y, z), three doubles per point.
  void forward(EventList& list, uint32_t rank) const;

 private:
  /// Own and ghost points along a dimension.
  struct Part {
    int64_t low = 0;
    int64_t high = 0;
    int64_t ghosts_below = 0;
    int64_t ghosts_above = 0;
    int64_t own() const { return high - low; }
    int64_t all() const { return own() + ghosts_below + ghosts_above; }
  };
  struct Swap {
    int32_t to = 0;
    uint64_t sent = 0;
    int32_t from = 0;
    uint64_t received = 0;
  };

  const Part& at(const Extent& coordinates, int dimension) const { return parts_[dimension][coordinates[dimension]]; }
  /// Ghost points of the rank with the coordinates `coordinates` on one side, including those of earlier dimensions.
  uint64_t ghosts(const Extent& coordinates, int dimension, bool above) const;
  /// The messages of reverse(), in order.
  std::vector<Swap> swaps(uint32_t rank) const;

  Grid grid_;
  uint32_t ranks_;
  Extent points_;
  std::array<std::vector<Part>, 3> parts_;
  uint32_t slab_ranks_y_ = 1;
  uint32_t slab_ranks_z_ = 1;
  uint32_t pencil_ranks_1_ = 1;
  uint32_t pencil_ranks_2_ = 1;
};

}  // namespace fabrictwin::skeleton::lammps
