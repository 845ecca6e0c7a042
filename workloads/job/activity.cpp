// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/activity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace fabrictwin::job {
namespace {

using mpi::protocol::RankActivity;

/// Of rows with few and with many segments: numbers with fewer digits make a smaller page.
constexpr uint32_t kFineTicks = 1'000'000;
constexpr uint32_t kTicks = 50'000;
constexpr size_t kManySegments = 20'000;
constexpr int32_t kLeastSegmentsOfRow = 64;
constexpr int32_t kMostSegmentsOfRow = 2048;

using Ranks = google::protobuf::RepeatedPtrField<v1::RankActivityPart>;

void add_rank(int32_t rank, Time end, const RankActivity& activity, v1::RankActivityPart& part) {
  part.set_rank(rank);
  part.set_end_fs(end.fs());
  for (const RankActivity::Cell& cell : activity.cells()) {
    part.add_cell_bytes(cell.bytes);
    part.add_cell_messages(cell.messages);
  }
  for (const RankActivity::Segment& segment : activity.segments()) {
    part.add_begin_fs(segment.begin.fs());
    part.add_state(static_cast<uint32_t>(segment.state));
  }
  part.set_condensed(activity.condensed());
  for (const Time time : activity.times(Time::zero())) part.add_state_fs(time.fs());
  part.set_last_state(static_cast<uint32_t>(activity.last().state));
  part.set_last_begin_fs(activity.last().begin.fs());
}

std::string name_of(v1::TraceAction state) {
  return state == v1::TRACE_ACTION_UNSPECIFIED ? "ended" : std::string(trace::format::action_name(state));
}

void report_matrix(const Ranks& ranks, int32_t all, int32_t cells, v1::MessageMatrix& matrix) {
  matrix.set_ranks(all);
  matrix.set_cells(cells);
  matrix.mutable_bytes()->Resize(cells * cells, 0);
  matrix.mutable_messages()->Resize(cells * cells, 0);
  for (const v1::RankActivityPart& of : ranks) {
    const auto row = static_cast<int>(RankActivity::cell_of(of.rank(), all, cells)) * cells;
    for (int column = 0; column < of.cell_bytes_size(); ++column) {
      matrix.set_bytes(row + column, matrix.bytes(row + column) + of.cell_bytes(column));
      matrix.set_messages(row + column, matrix.messages(row + column) + of.cell_messages(column));
    }
  }
}

void report_row(const v1::RankActivityPart& of, Time end, uint32_t ticks, v1::RankRow& row) {
  row.set_rank(of.rank());
  const auto tick_of = [&](int64_t time_fs) {
    const double share = std::min(1.0, static_cast<double>(time_fs) / static_cast<double>(end.fs()));
    return static_cast<uint32_t>(std::llround(share * ticks));
  };
  for (int i = 0; i < of.begin_fs_size(); ++i) {
    // A rank that has ended or waits for ever stays as it is.
    const uint32_t until = i + 1 < of.begin_fs_size() ? tick_of(of.begin_fs(i + 1)) : ticks;
    const uint32_t length = until - tick_of(of.begin_fs(i));
    if (length == 0) continue;
    const uint32_t state = of.state(i);
    if (row.states_size() > 0 && row.states(row.states_size() - 1) == state) {
      row.set_ticks(row.ticks_size() - 1, row.ticks(row.ticks_size() - 1) + length);
      continue;
    }
    row.add_states(state);
    row.add_ticks(length);
  }
}

/// Adds the times in each state, and numbers states in the rows by their positions in that list.
void report_states(const Ranks& ranks, Time end, v1::RankTimeline& timeline) {
  std::array<v1::RankStateTime, trace::format::kActions> sums;
  for (const v1::RankActivityPart& of : ranks) {
    for (size_t state = 0; state < sums.size(); ++state) {
      int64_t time_fs = of.state_fs(static_cast<int>(state));
      if (state == of.last_state()) time_fs += std::max<int64_t>(end.fs() - of.last_begin_fs(), 0);
      const double seconds = Time::from_fs(time_fs).seconds();
      if (seconds <= 0) continue;
      v1::RankStateTime& sum = sums[state];
      sum.set_seconds(sum.seconds() + seconds);
      if (seconds <= sum.most_seconds()) continue;
      sum.set_most_seconds(seconds);
      sum.set_most_rank(of.rank());
    }
  }
  std::array<uint32_t, trace::format::kActions> position{};
  for (size_t state = 0; state < sums.size(); ++state) {
    if (sums[state].seconds() <= 0) continue;
    position[state] = static_cast<uint32_t>(timeline.states_size());
    sums[state].set_state(name_of(static_cast<v1::TraceAction>(state)));
    timeline.add_states(sums[state].state());
    *timeline.add_times() = sums[state];
  }
  for (v1::RankRow& row : *timeline.mutable_rows()) {
    for (uint32_t& state : *row.mutable_states()) state = position[state];
  }
}

void report_timeline(const Ranks& ranks, v1::RankTimeline& timeline) {
  Time end;
  size_t segments = 0;
  uint32_t condensed = 0;
  for (const v1::RankActivityPart& of : ranks) {
    end = std::max(end, Time::from_fs(of.end_fs()));
    segments += static_cast<size_t>(of.begin_fs_size());
    condensed += of.condensed() ? 1 : 0;
  }
  if (end == Time::zero()) return;
  timeline.set_end_seconds(end.seconds());
  timeline.set_ticks(segments > kManySegments ? kTicks : kFineTicks);
  timeline.set_condensed_rows(condensed);
  for (const v1::RankActivityPart& of : ranks) {
    if (!of.begin_fs().empty()) report_row(of, end, timeline.ticks(), *timeline.add_rows());
  }
  report_states(ranks, end, timeline);
}

}  // namespace

Activity::Activity(const experiment::StatisticsSpec& statistics, int32_t ranks)
    : ranks_(ranks),
      matrix_(statistics.message_matrix),
      timeline_(statistics.rank_timeline),
      cells_(std::min(ranks, kMostCells)),
      rows_(std::min(ranks, kMostRows)) {}

std::unique_ptr<RankActivity> Activity::follow(int32_t first_rank, int32_t rank) const {
  if (!matrix_ && !timeline_) return nullptr;
  RankActivity::Options options;
  options.first_rank = first_rank;
  options.ranks = ranks_;
  options.cells = matrix_ ? cells_ : 0;
  // Of more ranks than rows, those are shown with which a row begins.
  const int64_t shown = int64_t{first_rank + rank} * rows_ % ranks_;
  if (timeline_ && shown < rows_) {
    options.most_segments =
        static_cast<size_t>(std::clamp(kMostSegments / rows_, kLeastSegmentsOfRow, kMostSegmentsOfRow));
  }
  return std::make_unique<RankActivity>(options);
}

v1::ActivityPart Activity::part(const std::vector<mpi::JobState>& jobs) const {
  v1::ActivityPart part;
  for (const mpi::JobState& job : jobs) {
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (!engine || engine->activity() == nullptr) continue;
      add_rank(job.first_rank + engine->options().costs.rank, engine->ran_until(), *engine->activity(),
               *part.add_ranks());
    }
  }
  return part;
}

void Activity::report(v1::ActivityPart part, v1::Report& report) const {
  Ranks& ranks = *part.mutable_ranks();
  if (ranks.empty()) return;
  std::sort(ranks.begin(), ranks.end(),
            [](const v1::RankActivityPart& a, const v1::RankActivityPart& b) { return a.rank() < b.rank(); });
  report.clear_message_matrix();
  report.clear_rank_timeline();
  if (matrix_) report_matrix(ranks, ranks_, cells_, *report.mutable_message_matrix());
  if (timeline_) report_timeline(ranks, *report.mutable_rank_timeline());
}

bool Activity::fits(const v1::ActivityPart& part) const {
  return std::all_of(part.ranks().begin(), part.ranks().end(), [this](const v1::RankActivityPart& of) {
    const auto is_state = [](uint32_t state) { return state < trace::format::kActions; };
    return of.rank() >= 0 && of.rank() < ranks_ && of.cell_bytes_size() == (matrix_ ? cells_ : 0) &&
           of.cell_messages_size() == of.cell_bytes_size() && of.begin_fs_size() == of.state_size() &&
           of.end_fs() >= 0 && std::is_sorted(of.begin_fs().begin(), of.begin_fs().end()) &&
           (of.begin_fs().empty() || of.begin_fs(0) >= 0) &&
           std::all_of(of.state().begin(), of.state().end(), is_state) &&
           of.state_fs_size() == static_cast<int>(trace::format::kActions) && is_state(of.last_state());
  });
}

}  // namespace fabrictwin::job
