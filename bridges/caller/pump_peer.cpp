// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/pump_peer.h"

#include <algorithm>
#include <utility>

#include "bridges/protocol/plan_config.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::caller {
namespace {

// Beyond this size, records of partitions stay in their rings. Records that only pass through from another place are
// always taken; otherwise, two places that send to each other through this process could block each other.
constexpr size_t kMaxBlobBytes = size_t{4} << 20;
// A batch of this size is sent even if the place cannot act on it yet, so that it is received while this process
// produces more.
constexpr size_t kBatchBytes = size_t{128} << 10;

}  // namespace

PumpPeer::PumpPeer(std::string name, const system::Plan& plan, int32_t place, run::RunMemory& memory,
                   std::unique_ptr<RunStream> stream, std::string run_id)
    : name_(std::move(name)),
      place_(place),
      shared_(plan.places[place].transport == system::Transport::kShm),
      table_(memory.table()),
      run_id_(std::move(run_id)),
      partitions_(protocol::partitions_at(plan, place)),
      inbound_(protocol::channels_into(plan, place, memory).positions),
      needs_(partitions_.size()),
      encoder_(shared_ ? std::vector<protocol::BlobChannel>() : protocol::channels_into(plan, place, memory).channels),
      decoder_(name_, shared_ ? std::vector<protocol::BlobChannel>()
                              : protocol::channels_out_of(plan, place, memory).channels),
      rows_(partitions_.size()),
      tags_{Tag{this, Operation::kStart}, Tag{this, Operation::kRead}, Tag{this, Operation::kWrite},
            Tag{this, Operation::kWritesDone}, Tag{this, Operation::kFinish}},
      stream_(std::move(stream)) {
  const bool internal =
      std::any_of(table_.channels().begin(), table_.channels().end(), [&](const engine::SyncChannel& channel) {
        return plan.partitions[channel.source].place == place && plan.partitions[channel.target].place == place;
      });
  for (size_t i = 0; i < partitions_.size(); ++i) {
    rows_[i].consumed.resize(table_.inbound(partitions_[i]).size());
    rows_[i].sent.resize(table_.outbound(partitions_[i]).size());
  }
  for (size_t c = 0; c < encoder_.channels(); ++c) {
    const int32_t target = table_.channels()[inbound_[c]].target;
    const auto partition =
        static_cast<size_t>(std::find(partitions_.begin(), partitions_.end(), target) - partitions_.begin());
    const auto positions = table_.inbound(target);
    const auto at = std::find(positions.begin(), positions.end(), inbound_[c]) - positions.begin();
    consumer_.emplace_back(partition, static_cast<size_t>(at));
    // Partitions of one place that are linked to each other pass on their promises, so each depends on all inbound
    // channels.
    for (size_t i = 0; i < partitions_.size(); ++i) {
      if (internal || i == partition) needs_[i].push_back(c);
    }
  }
}

void* PumpPeer::tag(Operation operation) {
  ++pending_;
  return &tags_[static_cast<size_t>(operation)];
}

void PumpPeer::start(grpc::CompletionQueue& queue) { stream_->start(queue, tag(Operation::kStart)); }

void PumpPeer::read() {
  reading_ = true;
  stream_->read(&response_, tag(Operation::kRead));
}

void PumpPeer::finish() {
  finishing_ = true;
  stream_->finish(&status_, tag(Operation::kFinish));
}

absl::StatusOr<bool> PumpPeer::on_event(Operation operation, bool ok) {
  --pending_;
  switch (operation) {
    case Operation::kStart:
      started_ = ok;
      if (ok) {
        read();
        if (closing_) close();
      } else {
        finish();
      }
      return false;
    case Operation::kWrite:
      writing_ = false;
      // A failed write is followed by a failed read, which gives the reason.
      if (closing_) close();
      return false;
    case Operation::kWritesDone:
      return false;
    case Operation::kRead:
      reading_ = false;
      if (!ok) {
        finish();
        return false;
      }
      if (closing_) {
        read();
        return false;
      }
      if (absl::Status status = check_response(); !status.ok()) return status;
      backlog_ = true;
      return take_over();
    case Operation::kFinish:
      ended_ = true;
      return true;
  }
  return false;
}

absl::Status PumpPeer::check_response() {
  if (response_.error_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(response_.error_code()),
                        fmt::format("{}: {}", name_, response_.error_message()));
  }
  if (response_.consumed() < answered_ || response_.consumed() > sent_) {
    return absl::DataLossError(fmt::format("{}: protocol error: answers message {} after {}, but {} were sent", name_,
                                           response_.consumed(), answered_, sent_));
  }
  counters_.messages.add(1);
  counters_.bytes.add(response_.records().size());
  counters_.records.add(response_.records().size() / sizeof(link::Record));
  return decoder_.start(std::move(*response_.mutable_records()));
}

// Rows are published after the records that they count; both wait while a ring is full, and no further message is read
// until they are done.
absl::StatusOr<bool> PumpPeer::take_over() {
  const absl::StatusOr<size_t> moved = decoder_.push();
  if (!moved.ok()) return moved.status();
  if (!decoder_.done()) return *moved > 0;
  for (const v1::SyncRow& row : response_.rows()) {
    const auto at = std::find(partitions_.begin(), partitions_.end(), row.partition());
    engine::PartitionSnapshot none;
    engine::PartitionSnapshot& known =
        at == partitions_.end() ? none : rows_[static_cast<size_t>(at - partitions_.begin())];
    if (absl::Status status = protocol::check_row(name_, table_, partitions_, row, known); !status.ok()) return status;
    engine::PartitionSnapshot snapshot = protocol::to_snapshot(row);
    if (absl::Status status = check_consumed(row.partition(), snapshot); !status.ok()) return status;
    known = std::move(snapshot);
    together_ = together_ || row.has_foreground();
    table_.publish(row.partition(), known.now, known.next_event, known.consumed, known.sent, known.foreground);
  }
  answered_ = response_.consumed();
  backlog_ = false;
  read();
  return true;
}

absl::Status PumpPeer::check_consumed(int32_t partition, const engine::PartitionSnapshot& snapshot) const {
  for (size_t c = 0; c < encoder_.channels(); ++c) {
    const auto [local, at] = consumer_[c];
    if (partitions_[local] != partition || snapshot.consumed[at] <= encoder_.records(c)) continue;
    return absl::DataLossError(fmt::format("{}: protocol error: has consumed {} records of {}, but {} were sent", name_,
                                           snapshot.consumed[at], encoder_.channel(c).name, encoder_.records(c)));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> PumpPeer::advance(const engine::Lookahead& lookahead) {
  if (!started_ || closing_ || ended_) return false;
  bool moved = false;
  if (backlog_) {
    absl::StatusOr<bool> taken = take_over();
    if (!taken.ok()) return taken;
    moved = *taken;
  }
  if (shared_) {
    if (sent_ == 0) send();
    return moved;
  }
  if (encoder_.collect(kMaxBlobBytes) > 0) moved = true;
  if (writing_) return moved;
  // Records that a full ring held back follow with the next call, and two small messages cost more than a large one.
  if (encoder_.found_full() && encoder_.bytes() < kBatchBytes) return moved;
  raise_promises(lookahead);
  if (together_) end_ = std::max({end_, table_.runs_until(), lookahead.runs_until()});
  const uint64_t unanswered = sent_ - answered_;
  bool now = sent_ == 0;
  if (encoder_.has_records()) {
    now = now || unanswered == 0 || (unanswered < kMaxUnanswered && (encoder_.bytes() >= kBatchBytes || useful(true)));
  } else {
    now = now || (unanswered == 0 && useful(false));
  }
  if (!now) return moved;
  send();
  return true;
}

void PumpPeer::raise_promises(const engine::Lookahead& lookahead) {
  for (size_t c = 0; c < encoder_.channels(); ++c) {
    if (encoder_.records(c) >= lookahead.sent(inbound_[c])) {
      encoder_.raise_promise(c, lookahead.arrival_bound(inbound_[c]));
    }
  }
}

// A partition can do something that the lookahead does not know yet only if its new promises exceed those already sent
// and reach beyond its next action.
bool PumpPeer::useful(bool records) const {
  // Where partitions end together, all come to the end of the run, those of boards and of places
  // without hosts, too.
  const Time end = table_.foreground_over() ? table_.runs_until() : Time::zero();
  for (size_t i = 0; i < partitions_.size(); ++i) {
    Time acts = rows_[i].next_event;
    Time told = Time::never();
    Time promised = Time::never();
    for (const size_t c : needs_[i]) {
      told = std::min(told, encoder_.told(c));
      promised = std::min(promised, encoder_.promise(c));
      acts = std::min(acts, encoder_.first_unsent(c));
      // A record is in flight to the partition, which acts when the record arrives.
      const auto [partition, at] = consumer_[c];
      if (!records && rows_[partition].consumed[at] < encoder_.records(c)) acts = rows_[i].now;
    }
    // What the run does not wait for goes no further than the run.
    if (together_ && rows_[i].foreground.state == engine::Foreground::State::kOver) {
      told = std::min(told, told_end_);
      promised = std::min(promised, end_);
    }
    if (rows_[i].now < end) acts = rows_[i].now;
    if (promised > told && promised > acts) return true;
  }
  return false;
}

void PumpPeer::send() {
  request_.Clear();
  request_.set_number(++sent_);
  if (together_) {
    told_end_ = end_;
    request_.set_runs_until_fs(end_.fs());
  }
  if (sent_ == 1) request_.set_run_id(run_id_);
  encoder_.finish(*request_.mutable_records());
  counters_.messages.add(1);
  counters_.bytes.add(request_.records().size());
  counters_.records.add(request_.records().size() / sizeof(link::Record));
  writing_ = true;
  stream_->write(request_, tag(Operation::kWrite));
}

void PumpPeer::close() {
  closing_ = true;
  if (!started_ || writing_ || closed_ || finishing_) return;
  closed_ = true;
  stream_->writes_done(tag(Operation::kWritesDone));
  // A held-back message is of no use any more, and only a pending read sees the end of the stream.
  backlog_ = false;
  if (!reading_) read();
}

Time PumpPeer::simulated() const {
  Time least = Time::never();
  for (const int32_t partition : partitions_) least = std::min(least, table_.now(partition));
  return least;
}

}  // namespace fabrictwin::bridges::caller
