// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/sharded/sharded_network.h"

#include <algorithm>
#include <utility>

#include "cosim/link/record.h"
#include "fmt/format.h"

namespace fabrictwin::router::packet::sharded {

absl::StatusOr<std::unique_ptr<ShardedNetwork>> ShardedNetwork::create(const Network::Config& config,
                                                                       std::vector<uint8_t> shard_of,
                                                                       std::span<fabric::Client* const> clients) {
  absl::StatusOr<std::shared_ptr<Tables>> tables = Tables::create(config);
  if (!tables.ok()) return tables.status();
  (*tables)->split(std::move(shard_of));
  return std::unique_ptr<ShardedNetwork>(new ShardedNetwork(config, *tables, clients));
}

ShardedNetwork::ShardedNetwork(const Network::Config& config, const std::shared_ptr<Tables>& tables,
                               std::span<fabric::Client* const> clients)
    : config_(config),
      graph_(*config.graph),
      vcs_(config.vcs),
      tables_(tables),
      clients_(clients.begin(), clients.end()),
      states_(clients.size()),
      team_(
          static_cast<int>(clients.size()), [this](int index) { work(static_cast<size_t>(index)); },
          [this] { return decide(); }) {
  const size_t shards = 1 + size_t{*std::max_element(tables->shard_of.begin(), tables->shard_of.end())};
  for (fabric::Client* client : clients) {
    Network::Config own = config;
    own.client = client;
    shards_.push_back(std::make_unique<Network>(own, tables, shards));
    shards_.back()->schedule_faults(static_cast<uint8_t>(shards_.size() - 1));
  }
  if (shards_.size() == 1) shards_[0]->count_set_aside(set_aside_);
}

void ShardedNetwork::join(std::vector<run::CutPort> ports, fabric::ForeignMessages& messages) {
  set_aside_.keep();
  tables_->apart = true;
  cut_ = std::make_unique<CutLinks>(config_, *tables_, std::move(ports), *shards_[0], messages);
}

Time ShardedNetwork::now() const {
  Time latest;
  for (const auto& shard : shards_) latest = std::max(latest, shard->now());
  return latest;
}

int64_t ShardedNetwork::next() const {
  int64_t next = event::Queue::kNever;
  for (const auto& shard : shards_) {
    if (!shard->next_time().is_never()) next = std::min(next, shard->next_time().fs());
    for (size_t to = 0; to < shards_.size(); ++to) next = std::min(next, shard->outbox(to).first);
  }
  return next;
}

Time ShardedNetwork::next_time() const {
  const int64_t time = next();
  return time == event::Queue::kNever ? Time::never() : Time::from_fs(time);
}

void ShardedNetwork::run(Time until) {
  if (shards_.size() == 1) {
    shards_[0]->run(until.fs());
    return count_set_aside();
  }
  until_ = until.fs();
  if (const auto& failure = team_.run(); failure.has_value()) return fail(*failure);
  for (const auto& shard : shards_) shard->turn();
  // Outboxes are empty between two calls; otherwise next_time() would depend on the number of shards.
  for (size_t index = 0; index < shards_.size(); ++index) {
    take_boxes(index, end_);
    shards_[index]->find_next();
  }
  count_set_aside();
}

// Counts what has been set aside and released up to now in all shards.
void ShardedNetwork::count_set_aside() {
  for (const auto& shard : shards_) {
    std::vector<buffer::SetAsideChange>& changes = shard->set_aside_changes();
    changes_.insert(changes_.end(), changes.begin(), changes.end());
    changes.clear();
  }
  if (!changes_.empty()) set_aside_.add(changes_);
}

void ShardedNetwork::fail(const engine::LockStep::Failure& failure) {
  if (failure.thread == engine::LockStep::Failure::kDecision)
    return broken_.add(0, 0, fmt::format("packet network at {}: {}", to_string(now()), failure.what));
  const auto shard = static_cast<size_t>(failure.thread);
  const std::vector<uint8_t>& shard_of = tables_->shard_of;
  const auto first = std::find(shard_of.begin() + tables_->hosts, shard_of.end(), shard) - shard_of.begin();
  const auto last = shard_of.rend() - std::find(shard_of.rbegin(), shard_of.rend(), shard) - 1;
  const Time at = shards_[shard]->now();
  broken_.add(
      0, static_cast<uint32_t>(first),
      fmt::format("router[{}] to router[{}] and their hosts, thread {} of {}, at {}: {}", first - tables_->hosts,
                  last - tables_->hosts, shard, shards_.size(), to_string(at), failure.what));
}

void ShardedNetwork::take_boxes(size_t index, int64_t begin) {
  for (const auto& other : shards_) {
    if (other != shards_[index]) shards_[index]->take_from(*other, index, begin);
  }
}

void ShardedNetwork::work(size_t index) {
  shards_[index]->turn();
  take_boxes(index, begin_);
  shards_[index]->run(end_);
  states_[index].over = clients_[index]->stopped();
}

// Runs between two steps. Its decision must not depend on the number of shards.
bool ShardedNetwork::decide() {
  const bool client_failed =
      std::any_of(clients_.begin(), clients_.end(), [](const fabric::Client* client) { return client->failed(); });
  if (failed() || client_failed || stopped_) return false;
  if (sets_aside()) count_set_aside();
  const int64_t window = tables_->window;
  const bool over = std::all_of(states_.begin(), states_.end(), [](const State& state) { return state.over; });
  // As in a single shard, the run does not end before the end of a window.
  if (over && stop_at_ == event::Queue::kNever) stop_at_ = (end_ + window - 1) / window * window;
  const int64_t first = next();
  stopped_ = first >= stop_at_ && stop_at_ != event::Queue::kNever;
  if (stopped_ || first >= until_) return false;
  begin_ = end_;
  end_ = std::min(until_, (first / window + 1) * window);
  return true;
}

SentCounters ShardedNetwork::sent(int32_t element, int32_t port) const {
  return shard_at(static_cast<size_t>(element)).sent(element, port, now());
}

void ShardedNetwork::update_counters(Time time, std::span<link::LinkCounters> counters) const {
  const Time at =
      together_ && time > Time::zero() && !time.is_never() ? std::max(now(), time - Time::from_fs(1)) : now();
  const int64_t cycle = graph_.router_clock.period().fs();
  for (int32_t channel = 0; channel < graph_.channel_count(); ++channel) {
    const system::LinkEnd& from = graph_.channel_source(channel);
    // Who has the elements of other partitions counts for them, perhaps in the same place.
    if (tables_->shard_of[static_cast<size_t>(from.element)] >= shards_.size()) continue;
    const SentCounters sent = shard_at(static_cast<size_t>(from.element)).sent(from.element, from.port, at);
    counters[channel].words.set(sent.bytes / Tables::kWordBytes);
    counters[channel].packets.set(sent.packets);
    counters[channel].credit_stall_cycles.set(static_cast<uint64_t>(sent.stalled.fs() / cycle));
  }
}

void ShardedNetwork::count_buffers() {
  const int32_t hosts = graph_.host_count();
  std::vector<int64_t> words(graph_.elements.size() - static_cast<size_t>(hosts));
  for (const system::Link& link : graph_.links) {
    for (const system::LinkEnd& end : link.ends) {
      if (end.element >= hosts) words[static_cast<size_t>(end.element - hosts)] += int64_t{vcs_} * link.buffer_words;
    }
  }
  capacity_ = words.empty() ? 0 : *std::max_element(words.begin(), words.end());
  held_.assign(words.size(), 0);
  for (const auto& shard : shards_) {
    meters_.push_back(std::make_unique<BufferMeter>(routers()));
    shard->count_buffers(*meters_.back());
  }
}

observe::BufferFill ShardedNetwork::count() {
  std::fill(held_.begin(), held_.end(), 0);
  for (const auto& meter : meters_) meter->count(held_);
  // Rounding the times of words can make one that goes straight through seem to leave before it has come.
  return observe::BufferFill::of(routers(), [this](int32_t router) {
    return std::max<int64_t>(held_[static_cast<size_t>(router)], 0) / link::kWordBytes;
  });
}

// Words of a packet come and leave although nothing else happens.
void ShardedNetwork::sample_buffers(observe::OccupancySeries& series, Time until) {
  const auto choose = [&] {
    for (const auto& meter : meters_) meter->choose(series.next().fs());
  };
  for (choose(); series.next() <= until && !series.next().is_never(); choose()) {
    fill_ = count();
    const bool moving = std::any_of(meters_.begin(), meters_.end(), [](const auto& meter) { return meter->moving(); });
    series.add(fill_, moving ? series.next() : until);
  }
}

uint64_t ShardedNetwork::packet_hops() const {
  uint64_t hops = 0;
  for (const auto& shard : shards_) hops += shard->packet_hops();
  return hops;
}

// A packet sent by one shard may have left the network in another one.
uint64_t ShardedNetwork::packets_in_flight() const {
  uint64_t packets = 0;
  for (const auto& shard : shards_) packets += shard->packets_in_flight();
  return packets;
}

uint64_t ShardedNetwork::pauses() const {
  uint64_t pauses = 0;
  for (const auto& shard : shards_) pauses += shard->pauses();
  return pauses;
}

int64_t ShardedNetwork::longest_queue() const {
  int64_t longest = 0;
  for (size_t port = tables_->first_router_port; port < tables_->queues.size(); ++port)
    longest = std::max(longest, tables_->queues[port].bytes);
  return longest;
}

kernel::QueueTotals ShardedNetwork::queue_totals(Time at) const {
  kernel::QueueTotals totals;
  for (size_t port = tables_->first_router_port; port < tables_->queues.size(); ++port) {
    const auto output = static_cast<uint32_t>(port);
    // Of an active fault, the longest queue is counted apart.
    totals.take(output, tables_->queues[port], shards_[0]->most_queued(output), at);
  }
  if (totals.mean_at(at) == 0) return totals;
  const int64_t* lengths = tables_->queue_times.of(tables_->queues[totals.mean_queue].times);
  totals.times.assign(lengths, lengths + kernel::QueueTimes::kBuckets);
  return totals;
}

ShardedNetwork::Queues ShardedNetwork::queues(Time at) const {
  const kernel::QueueTotals totals = queue_totals(at);
  return {totals.at(at), end_of(totals.most_queue), end_of(totals.mean_queue)};
}

std::pair<int64_t, int64_t> ShardedNetwork::pauses_of_outputs() const {
  std::pair<int64_t, int64_t> sum;
  for (const auto& shard : shards_) {
    const int64_t over = shard->paused(0);
    sum.first += over;
    sum.second += shard->paused(1) - over;
  }
  return sum;
}

std::vector<FailedOutput> ShardedNetwork::failed_outputs() const {
  std::vector<FailedOutput> outputs;
  for (size_t shard = 0; shard < shards_.size(); ++shard) {
    for (FailedOutput& output : shards_[shard]->failed_outputs(static_cast<uint8_t>(shard)))
      outputs.push_back(std::move(output));
  }
  return outputs;
}

Time ShardedNetwork::paused(Time at) const {
  int64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->paused(at.fs());
  // What has happened after `at` counts negatively.
  return Time::from_fs(std::max<int64_t>(sum, 0));
}

ShardedNetwork::Output ShardedNetwork::output(uint32_t port) const {
  // That of its input, which is the same link, never changes.
  const LinkKind& link = tables_->links[tables_->buffers[static_cast<size_t>(port) << tables_->vc_shift].link];
  return {link.rate, !tables_->queues.empty() && tables_->queues[port].congested};
}

bool ShardedNetwork::failed() const {
  return !broken_.empty() ||
         std::any_of(shards_.begin(), shards_.end(), [](const auto& shard) { return !shard->failure().empty(); });
}

fabric::EarliestFailure ShardedNetwork::failure() const {
  if (!broken_.empty()) return broken_;
  fabric::EarliestFailure first;
  for (const auto& shard : shards_) first.add(shard->failure());
  return first;
}

}  // namespace fabrictwin::router::packet::sharded
