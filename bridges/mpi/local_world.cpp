// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/local_world.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {

class LocalWorlds::Rank final : public World {
 public:
  Rank(LocalWorlds& all, int rank) : all_(all), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(all_.queues_.size()); }

  absl::Status send(int to, int tag, std::string bytes) override {
    const std::lock_guard lock(all_.mutex_);
    if (absl::Status status = alive(); !status.ok()) return status;
    if (to < 0 || to >= size()) return absl::UnavailableError(fmt::format("there is no rank {}", to));
    all_.queues_[static_cast<size_t>(to)].push_back({rank_, tag, std::move(bytes)});
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<Message>> receive(int from, int tag) override {
    const std::lock_guard lock(all_.mutex_);
    if (absl::Status status = alive(); !status.ok()) return status;
    std::deque<Message>& queue = all_.queues_[static_cast<size_t>(rank_)];
    const auto first = std::find_if(queue.begin(), queue.end(), [&](const Message& message) {
      return (from == kAny || message.from == from) && (tag == kAny || message.tag == tag);
    });
    if (first == queue.end()) return std::nullopt;
    std::optional<Message> received(std::move(*first));
    queue.erase(first);
    return received;
  }

  absl::Status poll() override {
    const std::lock_guard lock(all_.mutex_);
    return alive();
  }
  std::string processor_name() const override { return "here"; }
  void abort(int, const std::string& message) override {
    const std::lock_guard lock(all_.mutex_);
    all_.aborted_ = message;
  }

 private:
  absl::Status alive() const {
    return all_.aborted_.empty() ? absl::OkStatus() : absl::UnavailableError(all_.aborted_);
  }

  LocalWorlds& all_;
  const int rank_;
};

LocalWorlds::LocalWorlds(int size) : queues_(static_cast<size_t>(size)) {
  for (int rank = 0; rank < size; ++rank) ranks_.push_back(std::make_unique<Rank>(*this, rank));
}

LocalWorlds::~LocalWorlds() = default;

World& LocalWorlds::at(int rank) { return *ranks_.at(static_cast<size_t>(rank)); }

size_t LocalWorlds::unreceived() const {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const std::deque<Message>& queue : queues_) count += queue.size();
  return count;
}

std::string LocalWorlds::aborted() const {
  const std::lock_guard lock(mutex_);
  return aborted_;
}

}  // namespace fabrictwin::bridges::mpi
