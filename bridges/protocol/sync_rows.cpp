// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/sync_rows.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::protocol {
namespace {

using State = engine::Foreground::State;

bool equal(const engine::PartitionSnapshot& a, const engine::PartitionSnapshot& b) {
  return a.now == b.now && a.next_event == b.next_event && a.consumed == b.consumed && a.sent == b.sent &&
         a.foreground == b.foreground;
}

void write_foreground(const engine::Foreground& foreground, v1::ForegroundRow& row) {
  row.set_over(foreground.state == State::kOver);
  row.set_end_fs(foreground.end.fs());
  row.set_waits(foreground.state == State::kWaits);
  row.set_moves(foreground.moves);
  row.set_under_way(foreground.under_way);
}

engine::Foreground to_foreground(const v1::ForegroundRow& row) {
  const State state = row.over() ? State::kOver : row.waits() ? State::kWaits : State::kRuns;
  return {state, Time::from_fs(row.end_fs()), row.moves(), row.under_way()};
}

}  // namespace

RowWriter::RowWriter(const engine::SyncTable& table, std::vector<int32_t> partitions)
    : table_(table),
      partitions_(std::move(partitions)),
      told_(partitions_.size()),
      written_(partitions_.size(), false) {}

void RowWriter::write(v1::RunResponse& response) {
  for (size_t i = 0; i < partitions_.size(); ++i) {
    // A row that cannot be read now is sent with the next message; the old one remains valid.
    if (!table_.read(partitions_[i], scratch_) || (written_[i] && equal(scratch_, told_[i]))) continue;
    std::swap(told_[i], scratch_);
    written_[i] = true;
    v1::SyncRow& row = *response.add_rows();
    row.set_partition(partitions_[i]);
    row.set_now_fs(told_[i].now.fs());
    row.set_next_event_fs(told_[i].next_event.fs());
    row.mutable_consumed()->Add(told_[i].consumed.begin(), told_[i].consumed.end());
    row.mutable_sent()->Add(told_[i].sent.begin(), told_[i].sent.end());
    if (told_[i].foreground.state != State::kUnknown) write_foreground(told_[i].foreground, *row.mutable_foreground());
  }
}

bool RowWriter::changed() {
  for (size_t i = 0; i < partitions_.size(); ++i) {
    if (!written_[i]) return true;
    if (table_.read(partitions_[i], scratch_) && !equal(scratch_, told_[i])) return true;
  }
  return false;
}

absl::Status check_row(const std::string& peer, const engine::SyncTable& table, const std::vector<int32_t>& partitions,
                       const v1::SyncRow& row, const engine::PartitionSnapshot& before) {
  const auto broken = [&](const std::string& what) {
    return absl::DataLossError(
        fmt::format("{}: protocol error: the row of partition {} {}", peer, row.partition(), what));
  };
  if (std::find(partitions.begin(), partitions.end(), row.partition()) == partitions.end()) {
    return broken("is not its to tell");
  }
  const size_t inbound = table.inbound(row.partition()).size();
  const size_t outbound = table.outbound(row.partition()).size();
  if (static_cast<size_t>(row.consumed_size()) != inbound || static_cast<size_t>(row.sent_size()) != outbound) {
    return broken(fmt::format("counts {} inbound and {} outbound channels instead of {} and {}", row.consumed_size(),
                              row.sent_size(), inbound, outbound));
  }
  if (row.now_fs() < before.now.fs() || row.next_event_fs() < 0) return broken("has a time that goes backwards");
  for (size_t i = 0; i < before.consumed.size(); ++i) {
    if (row.consumed(static_cast<int>(i)) < before.consumed[i]) return broken("has a count that goes backwards");
  }
  for (size_t i = 0; i < before.sent.size(); ++i) {
    if (row.sent(static_cast<int>(i)) < before.sent[i]) return broken("has a count that goes backwards");
  }
  const engine::Foreground& known = before.foreground;
  const engine::Foreground foreground = to_snapshot(row).foreground;
  constexpr int64_t kMostUnderWay = int64_t{1} << 48;
  if (foreground.end < Time::zero() || foreground.end.is_never() || foreground.moves < known.moves ||
      foreground.under_way > kMostUnderWay || foreground.under_way < -kMostUnderWay)
    return broken("has an end or a count of work that cannot be");
  if (known.state == State::kOver && (foreground.state != State::kOver || foreground.end != known.end))
    return broken("tells of work that goes on after its end");
  return absl::OkStatus();
}

engine::PartitionSnapshot to_snapshot(const v1::SyncRow& row) {
  engine::PartitionSnapshot snapshot;
  snapshot.now = Time::from_fs(row.now_fs());
  snapshot.next_event = Time::from_fs(row.next_event_fs());
  snapshot.consumed.assign(row.consumed().begin(), row.consumed().end());
  snapshot.sent.assign(row.sent().begin(), row.sent().end());
  // Who has nothing that the run waits for need not say so.
  snapshot.foreground =
      row.has_foreground() ? to_foreground(row.foreground()) : engine::Foreground{.state = State::kOver};
  return snapshot;
}

}  // namespace fabrictwin::bridges::protocol
