// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/activity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace fabrictwin::job {
namespace {

using mpi::RankActivity;

/// Of rows with few and with many segments: numbers with fewer digits make a smaller page.
constexpr uint32_t kFineTicks = 1'000'000;
constexpr uint32_t kTicks = 50'000;
constexpr size_t kManySegments = 20'000;
constexpr int32_t kLeastSegmentsOfRow = 64;
constexpr int32_t kMostSegmentsOfRow = 2048;

/// A rank that is followed.
struct Followed {
  int32_t rank = 0;
  Time end;
  const RankActivity* activity = nullptr;
};

std::vector<Followed> followed(const std::vector<mpi::JobState>& jobs) {
  std::vector<Followed> all;
  for (const mpi::JobState& job : jobs) {
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (!engine || engine->activity() == nullptr) continue;
      // A rank that has not ended may be in a computation, which counts from its beginning.
      const Time end = engine->finished() ? engine->finish_time() : std::max(engine->now(), engine->totals().compute);
      all.push_back({job.first_rank + engine->options().costs.rank, end, engine->activity()});
    }
  }
  return all;
}

std::string name_of(v1::TraceAction state) {
  return state == v1::TRACE_ACTION_UNSPECIFIED ? "ended" : std::string(trace::format::action_name(state));
}

void report_matrix(const std::vector<Followed>& ranks, int32_t all, int32_t cells, v1::MessageMatrix& matrix) {
  matrix.set_ranks(all);
  matrix.set_cells(cells);
  matrix.mutable_bytes()->Resize(cells * cells, 0);
  matrix.mutable_messages()->Resize(cells * cells, 0);
  for (const Followed& of : ranks) {
    const auto row = static_cast<int>(RankActivity::cell_of(of.rank, all, cells)) * cells;
    const std::vector<RankActivity::Cell>& sent = of.activity->cells();
    for (int column = 0; column < static_cast<int>(sent.size()); ++column) {
      const RankActivity::Cell& cell = sent[static_cast<size_t>(column)];
      matrix.set_bytes(row + column, matrix.bytes(row + column) + cell.bytes);
      matrix.set_messages(row + column, matrix.messages(row + column) + cell.messages);
    }
  }
}

void report_row(const Followed& of, Time end, uint32_t ticks, v1::RankRow& row) {
  row.set_rank(of.rank);
  const auto tick_of = [&](Time time) {
    return static_cast<uint32_t>(std::llround(static_cast<double>(time.fs()) / static_cast<double>(end.fs()) * ticks));
  };
  const std::vector<RankActivity::Segment>& segments = of.activity->segments();
  for (size_t i = 0; i < segments.size(); ++i) {
    // A rank that has ended or waits for ever stays as it is.
    const uint32_t until = i + 1 < segments.size() ? tick_of(segments[i + 1].begin) : ticks;
    const uint32_t length = until - tick_of(segments[i].begin);
    if (length == 0) continue;
    const auto state = static_cast<uint32_t>(segments[i].state);
    if (row.states_size() > 0 && row.states(row.states_size() - 1) == state) {
      row.set_ticks(row.ticks_size() - 1, row.ticks(row.ticks_size() - 1) + length);
      continue;
    }
    row.add_states(state);
    row.add_ticks(length);
  }
}

/// Adds the times in each state, and numbers states in the rows by their places in that list.
void report_states(const std::vector<Followed>& ranks, Time end, v1::RankTimeline& timeline) {
  std::array<v1::RankStateTime, trace::format::kActions> sums;
  for (const Followed& of : ranks) {
    const auto times = of.activity->times(std::max(of.end, end));
    for (size_t state = 0; state < times.size(); ++state) {
      const double seconds = times[state].seconds();
      if (seconds <= 0) continue;
      v1::RankStateTime& sum = sums[state];
      sum.set_seconds(sum.seconds() + seconds);
      if (seconds <= sum.most_seconds()) continue;
      sum.set_most_seconds(seconds);
      sum.set_most_rank(of.rank);
    }
  }
  std::array<uint32_t, trace::format::kActions> place{};
  for (size_t state = 0; state < sums.size(); ++state) {
    if (sums[state].seconds() <= 0) continue;
    place[state] = static_cast<uint32_t>(timeline.states_size());
    sums[state].set_state(name_of(static_cast<v1::TraceAction>(state)));
    timeline.add_states(sums[state].state());
    *timeline.add_times() = sums[state];
  }
  for (v1::RankRow& row : *timeline.mutable_rows()) {
    for (uint32_t& state : *row.mutable_states()) state = place[state];
  }
}

void report_timeline(const std::vector<Followed>& ranks, v1::RankTimeline& timeline) {
  Time end;
  size_t segments = 0;
  uint32_t condensed = 0;
  for (const Followed& of : ranks) {
    end = std::max(end, of.end);
    segments += of.activity->segments().size();
    condensed += of.activity->condensed() ? 1 : 0;
  }
  if (end == Time::zero()) return;
  timeline.set_end_seconds(end.seconds());
  timeline.set_ticks(segments > kManySegments ? kTicks : kFineTicks);
  timeline.set_condensed_rows(condensed);
  for (const Followed& of : ranks) {
    if (!of.activity->segments().empty()) report_row(of, end, timeline.ticks(), *timeline.add_rows());
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

void Activity::report(const std::vector<mpi::JobState>& jobs, v1::Report& report) const {
  const std::vector<Followed> ranks = followed(jobs);
  if (ranks.empty()) return;
  if (matrix_) report_matrix(ranks, ranks_, cells_, *report.mutable_message_matrix());
  if (timeline_) report_timeline(ranks, *report.mutable_rank_timeline());
}

}  // namespace fabrictwin::job
