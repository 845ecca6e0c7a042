// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/process.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "fmt/format.h"
#include "workloads/mpi/collectives/algorithms.h"

namespace fabrictwin::exchange {

Process::Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest)
    : HostProcess(node), state_(std::move(state)), digest_(digest) {}

std::vector<int32_t> Process::neighbours() const {
  std::vector<int32_t> all;
  int32_t stride = 1;
  for (const int32_t size : state_->dims) {
    const int32_t here = node() / stride % size;
    for (const int32_t step : {1, size - 1}) {
      const int32_t other = node() + ((here + step) % size - here) * stride;
      if (other != node() && std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
    }
    stride *= size;
  }
  return all;
}

void Process::begin() {
  start_exchange();
  decide();
}

void Process::start_exchange() {
  reducing_ = false;
  const std::vector<int32_t> all = neighbours();
  neighbours_ = static_cast<int32_t>(all.size());
  for (const int32_t other : all) post(other, static_cast<uint64_t>(state_->spec.bytes.count));
}

void Process::post(int32_t destination, uint64_t bytes) {
  nic::OutgoingMessage message;
  message.destination = destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(destination), sequence_);
  message.envelope.bytes = bytes;
  message.envelope.user[0] = tag();
  message.envelope.user[1] = sequence_++;
  message.cookie = 1;
  bytes_sent_ += bytes;
  ++leaving_;
  send(message);
}

void Process::on_message(const nic::IncomingMessage& message) {
  const auto source = static_cast<uint64_t>(message.source);
  const auto self = static_cast<uint64_t>(node());
  const uint64_t sequence = message.envelope.user[1];
  if (!message.intact || message.envelope.payload_key != nic::payload_key(source, self, sequence)) {
    if (failure_.empty())
      failure_ = fmt::format("host {}: message {} from host {} has a wrong byte", self, sequence, source);
    return;
  }
  const std::array<uint64_t, 5> facts = {source, self, sequence, message.envelope.bytes, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  arrivals_.push_back({message.source, static_cast<uint32_t>(message.envelope.user[0])});
}

void Process::decide() {
  while (!finished()) {
    if (!reducing_) {
      if (!exchanged()) return;
      reducing_ = true;
      // There are a send, a receive and a wait for each step, one of them with the ranks beyond a power of two.
      // Reserving avoids reallocations, whose left-over memory matters at machine scale.
      ops_.reserve(3 * (static_cast<size_t>(std::bit_width(static_cast<uint32_t>(state_->hosts))) + 1));
      mpi::collectives::OpList list(node(), state_->hosts, ops_);
      mpi::collectives::allreduce_recursive_doubling(list, static_cast<uint64_t>(state_->spec.allreduce.count));
    }
    if (!reduced()) return;
    ops_.clear();
    op_ = started_ = 0;
    ++iteration_;
    state_->iterations.fetch_add(1, std::memory_order_relaxed);
    finish_time_ = now();
    if (!finished()) start_exchange();
  }
}

// Messages from all neighbours are consumed at once, so that none of this iteration is left.
bool Process::exchanged() {
  const auto mine = [this](const Arrival& arrival) { return arrival.tag == tag(); };
  if (leaving_ > 0 || std::count_if(arrivals_.begin(), arrivals_.end(), mine) < neighbours_) return false;
  std::erase_if(arrivals_, mine);
  return true;
}

bool Process::reduced() {
  while (op_ < ops_.size()) {
    size_t end = op_;
    while (ops_[end].kind != mpi::collectives::CollectiveOp::Kind::kWait) ++end;
    for (; started_ < end; ++started_) {
      if (ops_[started_].kind == mpi::collectives::CollectiveOp::Kind::kSend)
        post(ops_[started_].peer, ops_[started_].bytes);
    }
    for (; op_ < end; ++op_) {
      if (ops_[op_].kind == mpi::collectives::CollectiveOp::Kind::kReceive && !take(ops_[op_].peer)) return false;
    }
    if (leaving_ > 0) return false;
    op_ = started_ = end + 1;
  }
  return true;
}

bool Process::take(int32_t source) {
  const auto found = std::find_if(arrivals_.begin(), arrivals_.end(), [&](const Arrival& arrival) {
    return arrival.source == source && arrival.tag == tag();
  });
  if (found == arrivals_.end()) return false;
  arrivals_.erase(found);
  return true;
}

std::string Process::waits_for() const {
  if (finished()) return {};
  return fmt::format("host {} waits in iteration {}, {}", node(), iteration_,
                     leaving_ > 0 ? fmt::format("for {} messages to leave", leaving_)
                     : reducing_  ? fmt::format("step {} of the allreduce", op_)
                                  : fmt::format("for {} of its {} neighbours",
                                                neighbours_ - static_cast<int32_t>(arrivals_.size()), neighbours_));
}

}  // namespace fabrictwin::exchange
