// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/rank.h"

#include <utility>

namespace fabrictwin::osu {

Rank::Rank(const OsuSpec& spec, std::vector<Bytes> sizes, int32_t rank, int32_t ranks, std::vector<Time>* elapsed)
    : spec_(spec), sizes_(std::move(sizes)), rank_(rank), ranks_(ranks), elapsed_(elapsed) {
  elapsed_->clear();
}

absl::StatusOr<bool> Rank::next(Time now, trace::format::Event& event) {
  while (stage_ != Stage::kEnd) {
    if (advance(now, event)) return true;
  }
  return false;
}

bool Rank::advance(Time now, trace::format::Event& event) {
  switch (stage_) {
    case Stage::kInit:
      stage_ = Stage::kSize;
      event = osu_call(v1::INIT);
      return true;
    case Stage::kSize:
      return begin_size(event);
    case Stage::kIteration:
      return begin_iteration(event);
    case Stage::kTimed:
      if (call_ == 0) begin_ = now;
      if (call_ < calls_.timed.size()) {
        event = calls_.timed[call_++];
        return true;
      }
      if (iteration_ >= spec_.warmup) sum_ += now - begin_;
      call_ = 0;
      stage_ = Stage::kAfter;
      return false;
    case Stage::kAfter:
      if (call_ < calls_.after.size()) {
        event = calls_.after[call_++];
        return true;
      }
      ++iteration_;
      stage_ = Stage::kIteration;
      return false;
    case Stage::kFinalize:
      stage_ = Stage::kEnd;
      event = osu_call(v1::FINALIZE);
      return true;
    case Stage::kEnd:
      break;
  }
  return false;
}

bool Rank::begin_size(trace::format::Event& event) {
  if (size_ == sizes_.size()) {
    stage_ = Stage::kFinalize;
    return false;
  }
  calls_ = osu_iteration(spec_, sizes_[size_], rank_, ranks_);
  iteration_ = 0;
  together_ = false;
  sum_ = Time::zero();
  stage_ = Stage::kIteration;
  event = osu_call(v1::BARRIER);
  return true;
}

bool Rank::begin_iteration(trace::format::Event& event) {
  if (iteration_ == spec_.warmup + spec_.iterations) {
    elapsed_->push_back(sum_);
    ++size_;
    stage_ = Stage::kSize;
    return false;
  }
  // All pairs start together, so that their bandwidths add up.
  if (spec_.benchmark == v1::Osu::MBW_MR && iteration_ == spec_.warmup && !together_) {
    together_ = true;
    event = osu_call(v1::BARRIER);
    return true;
  }
  call_ = 0;
  stage_ = Stage::kTimed;
  return false;
}

}  // namespace fabrictwin::osu
