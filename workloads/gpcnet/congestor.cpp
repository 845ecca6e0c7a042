// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/congestor.h"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "workloads/gpcnet/calls.h"

namespace fabrictwin::gpcnet {
namespace {

using trace::format::Event;

constexpr int32_t kTag = 987;  ///< That of the tool.
/// Iterations of a congestor until it ends, and begins anew after a barrier.
constexpr int32_t kIterations = 256;

/// The calls of an iteration of a rank, again and again.
class Congestor final : public mpi::RankProgram {
 public:
  explicit Congestor(std::vector<Event> calls) : calls_(std::move(calls)) {}

  absl::StatusOr<bool> next(Time /*now*/, Event& event) override {
    if (call_ == calls_.size()) {
      call_ = 0;
      ++iteration_;
    }
    if (iteration_ == kIterations) return false;
    event = calls_[call_++];
    return true;
  }

 private:
  std::vector<Event> calls_;
  size_t call_ = 0;
  int32_t iteration_ = 0;
};

/// Calls of rank `index` of `hosts` in a slice whose ranks begin with `first`.
std::vector<Event> alltoall_calls(int32_t index, int32_t hosts, int32_t first, uint64_t bytes) {
  std::vector<Event> calls;
  const bool power = std::has_single_bit(static_cast<uint32_t>(hosts));
  for (int32_t i = 1; i < hosts; ++i) {
    const int32_t to = power ? index ^ i : (index + i) % hosts;
    const int32_t from = power ? to : (index - i + hosts) % hosts;
    Event event = message(v1::SENDRECV, first + to, kTag, bytes);
    event.receive_peer = first + from;
    event.receive_count = bytes;
    calls.push_back(event);
  }
  return calls;
}

std::vector<Event> incast_calls(int32_t index, int32_t hosts, int32_t first, uint64_t bytes) {
  if (index > 0) return {message(v1::SEND, first, kTag, bytes)};
  std::vector<Event> calls;
  for (int32_t i = 1; i < hosts; ++i) calls.push_back(message(v1::IRECV, first + i, kTag, bytes));
  calls.push_back(call(v1::WAITALL));
  calls.back().count = static_cast<uint64_t>(hosts - 1);
  return calls;
}

class CongestorProgram final : public mpi::JobProgram {
 public:
  using Calls = std::vector<Event> (*)(int32_t index, int32_t hosts, int32_t first, uint64_t bytes);

  CongestorProgram(std::string name, const GpcnetSpec& spec, int32_t hosts, Calls calls)
      : name_(std::move(name)), spec_(spec), hosts_(hosts), calls_(calls) {}

  std::string name() const override { return name_; }
  int32_t ranks() const override { return hosts_ * spec_.ranks_per_host; }
  bool independent_ranks() const override { return true; }
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> make_rank(int32_t rank) override {
    return std::make_unique<Congestor>(
        calls_(rank % hosts_, hosts_, rank / hosts_ * hosts_, static_cast<uint64_t>(spec_.congestor_bytes.count)));
  }

 private:
  std::string name_;
  GpcnetSpec spec_;
  int32_t hosts_;
  Calls calls_;
};

}  // namespace

std::unique_ptr<mpi::JobProgram> make_alltoall(const GpcnetSpec& spec, int32_t hosts) {
  return std::make_unique<CongestorProgram>("alltoall", spec, hosts, alltoall_calls);
}

std::unique_ptr<mpi::JobProgram> make_incast(const GpcnetSpec& spec, int32_t hosts) {
  return std::make_unique<CongestorProgram>("incast", spec, hosts, incast_calls);
}

}  // namespace fabrictwin::gpcnet
