// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/memory.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::nic::exanet {

void Memory::read(uint64_t address, int32_t words, std::function<void(const Words*)> done) {
  reads_.push_back({address, words, {}, {}, false, std::move(done), {}, {}});
  start_reads();
}

void Memory::write(uint64_t address, int32_t words, const Words& data, const std::array<uint64_t, 4>& strobes,
                   bool again, std::function<void(bool)> done) {
  writes_.push_back({address, words, data, strobes, again, {}, std::move(done), {}});
  start_writes();
}

void Memory::notify(const Notification& notification, std::function<void(bool)> done) {
  Words data{};
  const bool high = notification.address % link::kWordBytes != 0;
  (high ? data[0].hi : data[0].lo) = notification.data;
  write(notification.address & ~uint64_t{15}, 1, data, {uint64_t{0xff} << (high ? 8 : 0), 0, 0, 0}, false,
        std::move(done));
}

void Memory::start_reads() {
  while (!reads_.empty() && reading_ < context_.timing.bursts) {
    ++reading_;
    Burst burst = std::move(reads_.front());
    reads_.pop_front();
    const Time there = context_.now() + context_.timing.host_latency;
    if (context_.memory == nullptr) {
      finish_read(std::move(burst), there + context_.timing.host_latency);
    } else {
      context_.at(there, [this, burst = std::move(burst)]() mutable { ask(kReads, std::move(burst)); });
    }
  }
}

void Memory::finish_read(Burst burst, Time time) {
  const Clock& clock = context_.timing.clock;
  const int64_t first = std::max(clock.edge_at_or_after(time), read_free_);
  read_free_ = first + burst.words;
  context_.at(clock.edge(read_free_ - 1), [this, burst = std::move(burst)]() mutable {
    const bool found = there(burst.address);
    if (found) {
      context_.client->read_memory(
          burst.address,
          std::as_writable_bytes(std::span(burst.data)).first(static_cast<size_t>(burst.words) * link::kWordBytes));
    }
    --reading_;
    burst.read_done(found ? &burst.data : nullptr);
    start_reads();
  });
}

void Memory::start_writes() {
  while (!writes_.empty() && writing_ < context_.timing.bursts) {
    ++writing_;
    Burst burst = std::move(writes_.front());
    writes_.pop_front();
    send_write(std::move(burst));
  }
}

void Memory::write_pinned(int32_t words, std::function<void()> written, std::function<void()> done) {
  Burst burst;
  burst.words = words;
  burst.written = std::move(written);
  burst.write_done = [done = std::move(done)](bool) { done(); };
  send_write(std::move(burst));
}

void Memory::send_write(Burst burst) {
  const Clock& clock = context_.timing.clock;
  const int64_t first = std::max(clock.edge_at_or_after(context_.now()), write_free_);
  write_free_ = first + burst.words;
  context_.at(clock.edge(write_free_ - 1) + context_.timing.host_latency, [this, burst = std::move(burst)]() mutable {
    if (context_.memory == nullptr) return finish_write(std::move(burst));
    ask(kWrites, std::move(burst));
  });
}

void Memory::finish_write(Burst burst) {
  if (burst.written) {
    burst.written();
    context_.at(context_.now() + context_.timing.host_latency, [done = std::move(burst.write_done)] { done(true); });
    return;
  }
  const bool found = there(burst.address);
  if (found && !burst.again) {
    context_.client->write_memory(
        burst.address, std::as_bytes(std::span(burst.data)).first(static_cast<size_t>(burst.words) * link::kWordBytes),
        burst.strobes);
  }
  context_.at(context_.now() + context_.timing.host_latency, [this, found, done = std::move(burst.write_done)] {
    --writing_;
    done(found);
    start_writes();
  });
}

void Memory::ask(int32_t stream, Burst burst) {
  context_.memory->request(context_.now(), stream, static_cast<uint64_t>(burst.words) * link::kWordBytes, 0);
  asked_[static_cast<size_t>(stream)].push_back(std::move(burst));
}

void Memory::take_answers() {
  if (context_.memory == nullptr) return;
  memory::HostMemory::Done done;
  while (context_.memory->take_done(context_.now(), done)) {
    std::deque<Burst>& asked = asked_[static_cast<size_t>(done.stream)];
    Burst burst = std::move(asked.front());
    asked.pop_front();
    if (done.stream == kReads) {
      finish_read(std::move(burst), context_.now() + context_.timing.host_latency);
    } else {
      finish_write(std::move(burst));
    }
  }
}

}  // namespace fabrictwin::nic::exanet
