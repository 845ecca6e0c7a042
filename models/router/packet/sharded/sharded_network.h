// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A packet network on several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/engine/lock_step.h"
#include "models/fabric/fabric.h"
#include "models/kernel/queue_times.h"
#include "models/router/packet/network.h"
#include "models/router/packet/sharded/cut_links.h"

namespace fabrictwin::router::packet::sharded {

/// The shards of a Network, with one thread each. Whatever a router does reaches other shards no earlier than one link
/// latency later, so all shards simulate a window no longer than the minimum link latency and exchange what they have
/// sent at its end. Results do not depend on the speed or the number of shards; a single shard needs neither other
/// threads nor outboxes. Used by one thread, which is that of shard 0.
class ShardedNetwork final : public fabric::PacketFabric {
 public:
  /// `shard_of` comes from split_network(). `clients` are the hosts of each shard. The graph and they outlive the
  /// network; the client of `config` is not used. Several shards only if Tables::by_owner(). Errors are those of
  /// Tables::create().
  static absl::StatusOr<std::unique_ptr<ShardedNetwork>> create(const Network::Config& config,
                                                                std::vector<uint8_t> shard_of,
                                                                std::span<fabric::Client* const> clients);

  /// Joins the network to those of other partitions, before the first run(): elements whose shard is CutLinks::kRemote
  /// are there. There must be one client. `messages` outlive the network.
  void join(std::vector<run::CutPort> ports, fabric::ForeignMessages& messages);
  /// Takes what comes from other partitions before `until`. Call it before the calls of run() up to `until`.
  absl::Status receive(Time until) { return cut_ == nullptr ? absl::OkStatus() : cut_->receive(until); }
  /// Sends what is for other partitions. Call it after them.
  void send() {
    if (cut_ != nullptr) cut_->send();
  }

  /// Packets that have come from links of words, but not all of their words.
  size_t packets_coming() const { return cut_ != nullptr ? cut_->packets_coming() : 0; }

  /// For a network that is joined to others: Network::end_with_client(), which may have stopped() it.
  void end_with_hosts() { shards_[0]->end_with_client(); }
  /// For such a network: all partitions end at the same time, up to which counters count.
  void end_together() { together_ = true; }
  Time stops() const { return shards_[0]->stops(); }
  void go_on() { shards_[0]->go_on(); }

  /// For the hosts of a shard. The shard must not be running.
  Network& shard(size_t index) { return *shards_[index]; }

  /// When something last happened.
  Time now() const;
  Time next_time() const override;
  void run(Time until) override;
  bool stopped() const override { return shards_.size() == 1 ? shards_[0]->stopped() : stopped_; }
  /// Counts from now on what is in buffers of routers: to be called before run() if they are to be sampled.
  void count_buffers();
  int32_t routers() const override { return static_cast<int32_t>(held_.size()); }
  int64_t buffer_capacity() const override { return capacity_; }
  observe::BufferFill buffer_fill() const override { return fill_; }
  void sample_buffers(observe::OccupancySeries& series, Time until) override;
  /// See Network::sent().
  SentCounters sent(int32_t element, int32_t port) const;
  /// Counts up to now(), whatever `time`, unless all partitions end together.
  void update_counters(Time time, std::span<link::LinkCounters> counters) const override;
  uint64_t packet_hops() const override;
  uint64_t events() const override { return packet_hops(); }
  uint64_t packets_in_flight() const override;
  /// The earliest failure of all shards. An exception thrown by a shard is reported with its first router as the
  /// element.
  fabric::EarliestFailure failure() const override;
  /// Whether what waits for outputs of routers is counted, and whether routers pause their senders.
  bool counts_queues() const { return !tables_->queues.empty(); }
  bool pausing() const { return !tables_->memories.empty(); }
  uint64_t pauses() const;
  /// Whether inputs set queues aside, and those of the whole network until now.
  bool sets_aside() const { return tables_->input_queues != nullptr && tables_->input_queues->sets_aside(); }
  const buffer::SetAsideCount& set_aside() const { return set_aside_; }
  /// Bytes in the longest queue of an output of a router now.
  int64_t longest_queue() const;
  /// The longest queue that there was, and the one that was longest in the mean over time until `at`. Of several the
  /// first.
  struct Queues : kernel::QueueSummary {
    system::LinkEnd most_at;
    system::LinkEnd mean_at;
  };
  Queues queues(Time at) const;
  /// What of the outputs here that is made of, which may be some of a network; outputs have numbers by element and
  /// port.
  kernel::QueueTotals queue_totals(Time at) const;
  system::LinkEnd end_of(uint32_t output) const {
    const PortRecord& port = tables_->ports[output];
    return {static_cast<system::ElementId>(port.element), port.index};
  }
  /// For how long outputs have been paused until `at`, all together.
  Time paused(Time at) const;

  /// A congested output of a router.
  struct TreeOutput {
    system::LinkEnd end;
    int64_t bytes = 0;  ///< Its queue.
    int32_t next = -1;  ///< The output at the other end of its link that most of its bytes there wait for.
  };
  /// The outputs of routers that more bytes wait for than half of the longest queue, and those that Network::held_up(),
  /// by element and port; then those that they wait for. To be called when all before `at` has been simulated, where
  /// queues are counted.
  std::vector<TreeOutput> congested(Time at) const;
  /// Where others have a part of the network: what those of its outputs that are here have queued, and for outputs that
  /// lead here, which output most of their bytes here wait for.
  struct TreeState {
    struct Queue {
      uint32_t output = 0;
      int64_t bytes = 0;
      bool held_up = false;
    };
    std::vector<Queue> queues;                         ///< That are not empty, by output.
    std::vector<std::pair<uint32_t, uint32_t>> leads;  ///< From one output to another.
  };
  TreeState tree_state(Time at) const;
  /// Whether all elements are here.
  bool whole() const { return cut_ == nullptr; }
  /// Whether an element is here, and not in another partition.
  bool is_here(size_t element) const { return tables_->shard_of[element] < shards_.size(); }
  /// The network is simulated in windows of so many femtoseconds.
  int64_t window() const { return tables_->window; }
  /// For how long outputs that have been paused were so, and how many still are.
  std::pair<int64_t, int64_t> pauses_of_outputs() const;

  /// What an output, of a host or a router, carries.
  struct Output {
    int64_t bits_per_second = 0;
    bool congested = false;  ///< See QueueRecord::congested.
  };
  /// See Network::flow_route().
  FlowRoute flow_route(int32_t source, int32_t port, int32_t destination, uint32_t queue_pair) const {
    return shards_[0]->flow_route(source, port, destination, queue_pair);
  }
  Output output(uint32_t port) const;
  /// How many outputs there are.
  size_t output_count() const { return tables_->ports.size(); }

  /// What came of the faults of the configuration so far, and the outputs that have failed now.
  std::vector<FaultOutcome> fault_outcomes() const { return shards_[0]->fault_outcomes(); }
  std::vector<FailedOutput> failed_outputs() const;

  bool failed() const override;

 private:
  /// What a thread reports for the decision at the end of a window.
  struct alignas(64) State {
    bool over = false;  ///< The client says that there is nothing left to simulate.
  };

  /// The shard of an element. Any shard knows what the records of elements of other partitions say, which is nothing.
  const Network& shard_at(size_t element) const {
    return *shards_[std::min<size_t>(tables_->shard_of[element], shards_.size() - 1)];
  }
  /// The shard of the element of an output.
  const Network& owner(uint32_t out) const { return shard_at(tables_->ports[out].element); }
  ShardedNetwork(const Network::Config& config, const std::shared_ptr<Tables>& tables,
                 std::span<fabric::Client* const> clients);
  void work(size_t index);
  /// Records that a shard cannot go on.
  void fail(const engine::LockStep::Failure& failure);
  /// Takes what the other shards put into their outboxes for this shard before the last turn, all of it at or after
  /// `begin`.
  void take_boxes(size_t index, int64_t begin);
  bool decide();
  int64_t next() const;
  void count_set_aside();
  /// What is in the buffers at the time that the meters have chosen.
  observe::BufferFill count();

  const Network::Config config_;
  const system::SystemGraph& graph_;
  int32_t vcs_;
  std::shared_ptr<Tables> tables_;
  std::vector<fabric::Client*> clients_;
  std::vector<std::unique_ptr<Network>> shards_;
  std::vector<State> states_;
  int64_t until_ = 0;                       ///< Argument of run().
  int64_t begin_ = 0;                       ///< The end of the previous step.
  int64_t end_ = 0;                         ///< The end of the current step.
  int64_t stop_at_ = event::Queue::kNever;  ///< The end of the window in which the last host has finished.
  bool stopped_ = false;
  bool together_ = false;           ///< See end_together().
  fabric::EarliestFailure broken_;  ///< An exception, which takes precedence over all failures of packets or hosts.
  std::vector<std::unique_ptr<BufferMeter>> meters_;  ///< By shard, if buffers are counted.
  std::vector<int64_t> held_;                         ///< Bytes by router, for count().
  int64_t capacity_ = 0;
  observe::BufferFill fill_;  ///< At the last sample.
  buffer::SetAsideCount set_aside_;
  std::vector<buffer::SetAsideChange> changes_;  ///< For count_set_aside().
  std::unique_ptr<CutLinks> cut_;                ///< Null if all elements are here.
  engine::LockStep team_;
};

}  // namespace fabrictwin::router::packet::sharded
