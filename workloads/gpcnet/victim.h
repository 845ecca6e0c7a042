// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of victims: the three tests of GPCNeT.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "workloads/gpcnet/samples.h"
#include "workloads/gpcnet/spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::gpcnet {

/// How long congestors run before the victims begin.
inline constexpr Time kHeadStart = Time::from_us(1000);

/// Runs on `hosts` hosts. Ranks are slices of one rank on each host: rank r is of slice r / hosts, on host r % hosts.
/// Each slice has rings and an allreduce of its own; all begin each test and each order of a ring together.
class VictimProgram final : public mpi::JobProgram {
 public:
  VictimProgram(const GpcnetSpec& spec, int32_t hosts, uint64_t seed);

  std::string name() const override { return "gpcnet"; }
  int32_t ranks() const override { return hosts_ * spec_.ranks_per_host; }
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_rank(int32_t rank) override;
  bool independent_ranks() const override { return true; }
  void report_part(v1::JobPart& part) const override;
  absl::Status add_part(const v1::JobPart& part) override;
  const Samples& samples() const { return samples_; }

 private:
  GpcnetSpec spec_;
  int32_t hosts_;
  uint64_t seed_;
  Samples samples_;
};

/// The neighbours of a rank in a ring of its slice: order number `order` of `test`.
struct Neighbours {
  int32_t left = 0;
  int32_t right = 0;
};
Neighbours neighbours_of(int32_t rank, int32_t hosts, Test test, int32_t order, uint64_t seed);

}  // namespace fabrictwin::gpcnet
