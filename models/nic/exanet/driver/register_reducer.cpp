// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/register_reducer.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

constexpr uint32_t kBase = 0xd0000;
constexpr uint32_t kCommand = kBase + 0x100;  ///< Read: status.
constexpr uint32_t kGroup = kBase + 0x108;
constexpr uint32_t kTimeout = kBase + 0x110;
constexpr uint32_t kTable = kBase + 0x2000;
constexpr size_t kRegisterBytes = 8;
constexpr uint64_t kEnable = uint64_t{1} << 63;
constexpr int kTypeLow = 12;
constexpr int kOperationLow = 16;
constexpr int kLevelsLow = 16;
constexpr int kCodeLow = 4;
constexpr int kCulpritLow = 8;
constexpr uint64_t kCulpritMask = 0x3ff;
constexpr int kRefusalLow = 32;

const char* refusal_text(uint64_t refusal) {
  constexpr const char* kTexts[] = {"no reason",
                                    "an operation is under way",
                                    "it has no group",
                                    "the size of the vector",
                                    "the operation or the type",
                                    "rank or size of the group",
                                    "no such register"};
  return refusal < std::size(kTexts) ? kTexts[refusal] : "an unknown reason";
}

}  // namespace

void RegisterReducer::write(uint32_t address, uint64_t value) {
  port_.write(link::HostRegion::kMessages, address, kRegisterBytes, {value, 0}, [this, address](uint32_t response) {
    if (response == 0) return;
    port_.read(link::HostRegion::kMessages, kCommand, kRegisterBytes,
               [this, address](uint32_t /*response*/, const link::Word& status) {
                 port_.fail(fmt::format("the Allreduce accelerator refuses a write to {:#x} because of {}", address,
                                        refusal_text(status.lo >> kRefusalLow & 7)));
               });
  });
}

// Only entries of ranks with which this one exchanges vectors count in the table.
void RegisterReducer::configure(const allreduce::Group& group) {
  const auto ranks = static_cast<int32_t>(group.nodes.size());
  write(kGroup, kEnable | static_cast<uint64_t>(allreduce::levels_of(group.nodes.size())) << kLevelsLow |
                    static_cast<uint64_t>(group.rank));
  write(kTimeout, group.timeout);
  const auto entry = [&](int32_t rank) {
    write(kTable + static_cast<uint32_t>(rank) * kRegisterBytes, kEnable | group.nodes[static_cast<size_t>(rank)]);
  };
  if (group.rank % kReduceGroup != 0) return entry(group.rank - group.rank % kReduceGroup);
  for (int32_t client = 1; client < kReduceGroup; ++client) entry(group.rank + client);
  for (int32_t distance = kReduceGroup; distance < ranks; distance *= 2) entry(group.rank ^ distance);
}

void RegisterReducer::start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) {
  under_way_ = true;
  bytes_ = vector.size();
  for (size_t at = 0; at < bytes_; at += kRegisterBytes) {
    uint64_t word = 0;
    std::memcpy(&word, &vector[at], std::min(kRegisterBytes, bytes_ - at));
    write(kBase + static_cast<uint32_t>(at), word);
  }
  write(kCommand, static_cast<uint64_t>(operation) << kOperationLow | static_cast<uint64_t>(type) << kTypeLow | bytes_);
}

void RegisterReducer::event() {
  if (!under_way_) return port_.fail("an event of the Allreduce accelerator, which has no operation");
  port_.read(link::HostRegion::kMessages, kCommand, kRegisterBytes, [this](uint32_t response, const link::Word& value) {
    if (response != 0)
      return port_.fail(
          fmt::format("the status of the Allreduce accelerator was answered with {}", axi_response_name(response)));
    take_status(value.lo);
  });
  read_ = 0;
  for (size_t at = 0; at < bytes_; at += kRegisterBytes) {
    port_.read(link::HostRegion::kMessages, kBase + static_cast<uint32_t>(at), kRegisterBytes,
               [this, at](uint32_t /*response*/, const link::Word& value) {
                 std::memcpy(&result_[at], &value.lo, kRegisterBytes);
                 read_ += kRegisterBytes;
                 if (under_way_ && read_ >= bytes_) finish();
               });
  }
}

// Accesses are made in order, so the result follows; without one there is nothing to wait for.
void RegisterReducer::take_status(uint64_t status) {
  const uint64_t code = status >> kCodeLow & 15;
  if (code == 0) return;
  under_way_ = false;
  client_->reduced(
      {static_cast<allreduce::Code>(code), static_cast<int32_t>(status >> kCulpritLow & kCulpritMask), {}});
}

void RegisterReducer::finish() {
  under_way_ = false;
  client_->reduced({allreduce::Code::kDone, 0, std::span(result_).first(bytes_)});
}

}  // namespace fabrictwin::nic::exanet::driver
