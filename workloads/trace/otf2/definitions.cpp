// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/definitions.h"

#include <otf2/OTF2_Definitions.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "fmt/format.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::otf2 {
namespace {

constexpr uint64_t kFsPerSecond = 1'000'000'000'000'000;

}  // namespace

void Definitions::add_group(uint32_t self, uint8_t type, bool mpi, bool global_members, std::vector<uint64_t> members) {
  if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    groups_.insert_or_assign(self, Group{type, global_members, std::move(members)});
    return;
  }
  // EZTrace gives the group of the world the same reference.
  groups_.try_emplace(self, Group{type, global_members, members});
  if (mpi) mpi_locations_.push_back(std::move(members));
}

absl::Status Definitions::resolve() {
  if (ticks_per_second_ == 0) return absl::InvalidArgumentError("the definitions say nothing of the clock");
  if (absl::Status status = find_ranks(); !status.ok()) return status;
  // Neither the anchor nor a property names EZTrace, but it defines a region for itself.
  by_eztrace_ = std::any_of(strings_.begin(), strings_.end(),
                            [](const auto& string) { return string.second == "EZTrace finalize"; });
  for (const Location& location : locations_) {
    if (location.thread && !rank_of_location_.contains(location.self)) threads_.push_back(location.self);
  }
  std::vector<uint32_t> all(ranks_.size());
  std::iota(all.begin(), all.end(), 0u);
  for (const Defined& defined : defined_) {
    Communicator communicator = resolve(defined);
    // The world is the first communicator with all ranks in order; others like it are its duplicates.
    if (!has_world_ && !communicator.self && communicator.members == all) {
      has_world_ = true;
      world_ = defined.self;
    }
    if (!communicators_.emplace(defined.self, std::move(communicator)).second)
      return absl::InvalidArgumentError(fmt::format("communicator {} is defined twice", defined.self));
  }
  return absl::OkStatus();
}

absl::Status Definitions::find_ranks() {
  if (mpi_locations_.size() > 1) return absl::InvalidArgumentError("the definitions list the ranks of MPI twice");
  if (!mpi_locations_.empty()) ranks_ = std::move(mpi_locations_.front());
  if (ranks_.empty()) return absl::InvalidArgumentError("the definitions list no ranks: is this a run of MPI?");
  if (ranks_.size() > format::kMaxRanks)
    return absl::InvalidArgumentError(
        fmt::format("a trace has at most {} ranks, not {}", format::kMaxRanks, ranks_.size()));
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const uint64_t location = ranks_[rank];
    if (!event_counts_.contains(location))
      return absl::InvalidArgumentError(fmt::format("location {} of rank {} is not defined", location, rank));
    if (!rank_of_location_.emplace(location, rank).second)
      return absl::InvalidArgumentError(fmt::format("location {} is two ranks", location));
  }
  return absl::OkStatus();
}

Communicator Definitions::resolve(const Defined& defined) const {
  Communicator result;
  const auto name = strings_.find(defined.name);
  if (name != strings_.end()) result.name = name->second;
  const auto group = groups_.find(defined.group);
  if (!defined.one_group) {
    result.problem = "it is between two groups, which is not supported";
  } else if (group == groups_.end()) {
    result.problem = "its group is not defined";
  } else if (group->second.type == OTF2_GROUP_TYPE_COMM_SELF) {
    result.self = true;
  } else if (group->second.type != OTF2_GROUP_TYPE_COMM_GROUP && group->second.type != OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    result.problem = "its group is not one of ranks";
  } else {
    const bool by_location = group->second.global_members || group->second.type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    std::vector<bool> seen(ranks_.size());
    for (const uint64_t member : group->second.members) {
      uint64_t rank = member;
      if (by_location) {
        const auto found = rank_of_location_.find(member);
        rank = found == rank_of_location_.end() ? ranks_.size() : found->second;
      }
      if (rank >= ranks_.size() || seen[rank]) {
        result.members.clear();
        result.problem = "its members are not ranks, or one of them twice";
        return result;
      }
      seen[rank] = true;
      result.members.push_back(static_cast<uint32_t>(rank));
    }
    if (result.members.empty()) result.problem = "it has no members";
  }
  return result;
}

uint64_t Definitions::events(uint64_t location) const {
  const auto found = event_counts_.find(location);
  return found == event_counts_.end() ? 0 : found->second;
}

const Communicator* Definitions::communicator(uint32_t self) const {
  const auto found = communicators_.find(self);
  return found == communicators_.end() ? nullptr : &found->second;
}

const std::string* Definitions::mpi_call(uint32_t region) const {
  static const std::string kOther;
  const auto found = regions_.find(region);
  if (found == regions_.end()) return nullptr;
  if (found->second.name == OTF2_UNDEFINED_STRING && !found->second.mpi) return &kOther;
  const auto name = strings_.find(found->second.name);
  if (name == strings_.end()) return nullptr;
  // The prefix belongs to MPI. EZTrace declares all regions to be the user's, and some have Fortran names: "mpi_send_".
  const bool fortran = by_eztrace_ && name->second.starts_with("mpi_") && name->second.ends_with('_');
  return found->second.mpi || fortran || name->second.starts_with("MPI_") ? &name->second : &kOther;
}

Time Definitions::duration(uint64_t from, uint64_t to) const {
  if (to <= from) return Time::zero();
  using Wide = unsigned __int128;
  const Wide fs = Wide{to - from} * kFsPerSecond / ticks_per_second_;
  constexpr Wide kMost = static_cast<Wide>(std::numeric_limits<int64_t>::max());
  return Time::from_fs(static_cast<int64_t>(std::min(fs, kMost)));
}

}  // namespace fabrictwin::trace::otf2
