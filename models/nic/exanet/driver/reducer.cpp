// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/reducer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "cosim/base/random.h"
#include "fmt/format.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

uint64_t hash_bytes(uint64_t hash, std::span<const std::byte> bytes) {
  for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[i], std::min(sizeof word, bytes.size() - i));
    hash = mix64(hash ^ word);
  }
  return hash;
}

}  // namespace

void Reducer::take(const OutgoingMessage& message) {
  if (port_ == nullptr) return config_.fail("a reduction, but the node has no Allreduce accelerator");
  if (message.envelope.bytes % element_bytes(message.reduction.type) != 0)
    return config_.fail(fmt::format("a reduction of {} bytes, which is no whole vector", message.envelope.bytes));
  messages_.push_back(message);
  config_.wake();
}

void Reducer::work() {
  while (!messages_.empty() && !under_way_) {
    if (!messages_.front().reduction.configure) return start_block();
    configure(messages_.front());
    messages_.pop_front();
  }
}

void Reducer::configure(const OutgoingMessage& message) {
  allreduce::Group group;
  group.rank = message.reduction.rank;
  group.timeout = config_.timeout;
  for (const int32_t host : *message.reduction.hosts)
    group.nodes.push_back((*config_.nodes)[static_cast<size_t>(host)]);
  port_->configure(group);
}

uint64_t Reducer::bytes_of_block() const {
  return std::min(kMaxReduceBytes, messages_.front().envelope.bytes - offset_);
}

void Reducer::start_block() {
  const OutgoingMessage& message = messages_.front();
  const Reduction& reduction = message.reduction;
  std::array<std::byte, kMaxReduceBytes> vector{};
  const std::span<std::byte> block = std::span(vector).first(bytes_of_block());
  make_operand(reduction.type, message.envelope.payload_key, reduction.rank, offset_ / element_bytes(reduction.type),
               block);
  under_way_ = true;
  port_->start(reduction.operation, reduction.type, block);
}

void Reducer::reduced(const allreduce::Result& result) {
  if (!under_way_) return config_.fail("the Allreduce accelerator ended an operation that nobody has started");
  under_way_ = false;
  if (result.code != allreduce::Code::kDone) {
    return config_.fail(fmt::format("the Allreduce accelerator gave up, because of rank {}: {}", result.culprit,
                                    allreduce::code_text(result.code)));
  }
  const OutgoingMessage& message = messages_.front();
  const Reduction& reduction = message.reduction;
  std::array<std::byte, kMaxReduceBytes> vector{};
  const std::span<std::byte> expected = std::span(vector).first(bytes_of_block());
  make_reduced(reduction.operation, reduction.type, message.envelope.payload_key,
               static_cast<int32_t>(reduction.hosts->size()), offset_ / element_bytes(reduction.type), expected);
  intact_ = intact_ && std::ranges::equal(expected, result.vector);
  hash_ = hash_bytes(hash_, result.vector);
  offset_ += expected.size();
  if (offset_ < message.envelope.bytes) return config_.wake();
  end(message);
}

void Reducer::end(const OutgoingMessage& message) {
  const IncomingMessage result{message.destination, message.envelope, hash_, intact_};
  const uint64_t blocks = (message.envelope.bytes + kMaxReduceBytes - 1) / kMaxReduceBytes;
  messages_.pop_front();
  offset_ = 0;
  hash_ = 0;
  intact_ = true;
  config_.done(result, blocks);
  config_.wake();
}

}  // namespace fabrictwin::nic::exanet::driver
