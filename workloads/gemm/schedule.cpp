// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gemm/schedule.h"

#include <algorithm>
#include <bit>
#include <deque>

namespace fabrictwin::gemm {
namespace {

using rtl::accel::gemm::GemmCommand;

constexpr int32_t kColumns = 4;
constexpr int32_t kBeatBytes = 16;
constexpr int64_t kAdderLatency = 6;
constexpr int64_t kMultiplierLatency = 6;
constexpr int32_t kHeldWords = 4;

/// A matrix, and how a command walks over it.
struct Walk {
  uint64_t origin = 0;
  uint64_t stride = 0;
  uint64_t row_step = 0;     ///< To the next row of tiles of C.
  uint64_t column_step = 0;  ///< To the next column of tiles of C.
  uint64_t inner_step = 0;   ///< To the next tile of the inner dimension.
  uint32_t rows = 1;
  uint32_t columns = 1;
  uint32_t depth = 1;
};

/// Bursts of one master and direction, as gemm_bursts. Addresses are always taken at once.
class Bursts {
 public:
  Bursts(const AcceleratorShape& shape, const Walk& walk, int space) : shape_(shape), walk_(walk), space_(space) {
    row_ = column_ = tile_ = line_ = address_ = walk.origin;
    rows_ = walk.rows;
    columns_ = walk.columns;
    depth_ = walk.depth;
    left_ = shape.tile / kColumns;
  }

  /// Beats of the burst that is begun in this cycle; 0 if there is none. It is offered in the next one.
  int32_t begin() const {
    const bool may = active_ && (inside_ || space_ > 0) && bursts_ < shape_.max_bursts;
    const auto boundary = static_cast<int32_t>((4096 - address_ % 4096) / kBeatBytes);
    return may ? std::min({left_, shape_.burst_beats, boundary}) : 0;
  }
  /// The edge. `beats` is what begin() said.
  void edge(int32_t beats, bool space, bool answered) {
    space_ += space ? 1 : 0;
    bursts_ -= answered ? 1 : 0;
    offered_ = beats;
    if (beats == 0) return;
    ++bursts_;
    if (!inside_) --space_;
    inside_ = true;
    left_ -= beats;
    if (left_ > 0) {
      address_ += static_cast<uint64_t>(beats) * kBeatBytes;
    } else {
      end_line();
    }
  }
  int32_t offered() const { return offered_; }
  bool done() const { return !active_; }
  bool idle() const { return bursts_ == 0; }

 private:
  void end_line() {
    left_ = shape_.tile / kColumns;
    if (++lines_ < shape_.tile) {
      line_ += walk_.stride;
    } else {
      lines_ = 0;
      inside_ = false;
      end_tile();
      line_ = tile_;
    }
    address_ = line_;
  }
  void end_tile() {
    if (--depth_ > 0) {
      tile_ += walk_.inner_step;
      return;
    }
    depth_ = walk_.depth;
    if (--columns_ > 0) {
      column_ += walk_.column_step;
    } else {
      columns_ = walk_.columns;
      row_ += walk_.row_step;
      column_ = row_;
      if (--rows_ == 0) active_ = false;
    }
    tile_ = column_;
  }

  AcceleratorShape shape_;
  Walk walk_;
  int space_;
  uint64_t row_, column_, tile_, line_, address_;
  uint32_t rows_, columns_, depth_;
  int32_t left_;
  int32_t lines_ = 0;
  int32_t bursts_ = 0;
  int32_t offered_ = 0;
  bool active_ = true;
  bool inside_ = false;
};

/// A burst in the memory.
struct Pending {
  int32_t beats = 0;
  int64_t ready = 0;
};

/// Reads tiles, as gemm_tile_reader before its memory.
class Reader {
 public:
  Reader(const AcceleratorShape& shape, const Walk& walk)
      : bursts_(shape, walk, 2), latency_(shape.memory_latency), beats_(shape.tile * shape.tile / kColumns) {}

  /// Whether a beat comes in this cycle, if it may.
  bool beat(int64_t now, bool accept) const { return accept && !memory_.empty() && now >= memory_.front().ready; }
  void edge(int64_t now, bool beat, bool space) {
    const int32_t begun = bursts_.begin();
    const int32_t offered = bursts_.offered();
    bool answered = false;
    filled_ = false;
    if (beat) {
      filled_ = ++index_ == beats_;
      if (filled_) {
        index_ = 0;
        ++tile_;
      }
      answered = --memory_.front().beats == 0;
      if (answered) memory_.pop_front();
    }
    if (offered > 0) memory_.push_back({offered, now + latency_});
    bursts_.edge(begun, space, answered);
  }
  bool filled() const { return filled_; }
  int32_t index() const { return index_; }
  int64_t tile() const { return tile_; }
  bool idle() const { return bursts_.idle(); }

 private:
  Bursts bursts_;
  int64_t latency_;
  int32_t beats_;
  std::deque<Pending> memory_;
  int32_t index_ = 0;
  int64_t tile_ = 0;
  bool filled_ = false;
};

/// Writes tiles, as gemm_tile_writer before its memory.
class Writer {
 public:
  Writer(const AcceleratorShape& shape, const Walk& walk)
      : bursts_(shape, walk, 0), latency_(shape.memory_latency), beats_(shape.tile * shape.tile / kColumns) {}

  bool reads() const { return !lengths_.empty() && held_ < kHeldWords; }
  bool begins() const { return reads() && index_ == 0; }
  int32_t index() const { return index_; }
  int64_t tile() const { return tile_; }
  void edge(int64_t now, bool finished) {
    const int32_t begun = bursts_.begin();
    const int32_t offered = bursts_.offered();
    const bool read = reads();
    const bool word = words_ > 0 && !memory_.empty() && now >= memory_.front().ready;
    const bool answered = !answers_.empty() && now >= answers_.front();
    if (answered) answers_.pop_front();
    if (word) {
      --held_;
      --words_;
      if (--memory_.front().beats == 0) {
        answers_.push_back(now + latency_);
        memory_.pop_front();
      }
    }
    if (offered > 0) memory_.push_back({offered, now + 1});
    words_ += read_ ? 1 : 0;
    read_ = read;
    if (read) {
      ++held_;
      if (++index_ == beats_) {
        index_ = 0;
        ++tile_;
      }
      if (++beat_ == lengths_.front()) {
        beat_ = 0;
        lengths_.pop_front();
      }
    }
    if (begun > 0) lengths_.push_back(begun);
    bursts_.edge(begun, finished, answered);
  }
  bool done() const { return bursts_.done() && bursts_.idle(); }
  bool idle() const { return bursts_.idle(); }

 private:
  Bursts bursts_;
  int64_t latency_;
  int32_t beats_;
  std::deque<int32_t> lengths_;  ///< Lengths of bursts whose words are still to be read from the buffer.
  std::deque<Pending> memory_;
  std::deque<int64_t> answers_;
  int32_t held_ = 0;
  int32_t words_ = 0;  ///< That can be offered.
  bool read_ = false;
  int32_t index_ = 0;
  int32_t beat_ = 0;
  int64_t tile_ = 0;
};

/// Decides about pairs of tiles, as gemm_sequencer.
class Sequencer {
 public:
  Sequencer(const AcceleratorShape& shape, uint32_t depth)
      : steps_(int64_t{shape.tile} * shape.tile / kColumns * (shape.tile / shape.lanes)), depth_(depth), left_(depth) {}

  bool running() const { return running_; }
  bool pair_end() const { return running_ && step_ == steps_ - 1; }
  bool tile_end() const { return pair_end() && left_ == 1; }
  void edge(bool a_filled, bool b_filled, bool c_filled) {
    const bool ends = pair_end();
    const int a = a_ - (ends ? 1 : 0);
    const int b = b_ - (ends ? 1 : 0);
    const bool first = ends ? left_ == 1 : left_ == depth_;
    const bool begins = (!running_ || ends) && a > 0 && b > 0 && (!first || c_ > 0);
    if (running_) step_ = ends ? 0 : step_ + 1;
    if (ends) left_ = left_ == 1 ? depth_ : left_ - 1;
    running_ = begins || (running_ && !ends);
    a_ = a + (a_filled ? 1 : 0);
    b_ = b + (b_filled ? 1 : 0);
    c_ += (c_filled ? 1 : 0) - (begins && first ? 1 : 0);
  }

 private:
  int64_t steps_;
  uint32_t depth_;
  uint32_t left_;
  int64_t step_ = 0;
  int a_ = 0;
  int b_ = 0;
  int c_ = 0;
  bool running_ = false;
};

}  // namespace

int64_t accelerator_cycles(const AcceleratorShape& shape, const GemmCommand& command) {
  const uint64_t right = 4 * static_cast<uint64_t>(shape.tile);
  const auto down = [&](uint64_t stride) { return stride * static_cast<uint64_t>(shape.tile); };
  const Walk whole{.rows = command.rows, .columns = command.columns, .depth = command.depth};
  Walk a = whole;
  a.origin = command.a;
  a.stride = command.a_stride;
  a.row_step = down(a.stride);
  a.inner_step = right;
  Walk b = whole;
  b.origin = command.b;
  b.stride = command.b_stride;
  b.column_step = right;
  b.inner_step = down(b.stride);
  Walk c = whole;
  c.origin = command.c;
  c.stride = command.c_stride;
  c.row_step = down(c.stride);
  c.column_step = right;
  c.depth = 1;

  const int64_t levels = std::bit_width(static_cast<uint32_t>(shape.lanes)) - 1;
  // From the last step of a tile to the cycle in which the tile can be written to memory.
  const int64_t finish = 2 + kMultiplierLatency + (levels + 1) * kAdderLatency + 1;
  Reader read_a(shape, a);
  Reader read_b(shape, b);
  Reader read_c(shape, c);
  Writer write_c(shape, c);
  Sequencer sequencer(shape, command.depth);
  std::deque<int64_t> finishes;
  bool ended = false;
  for (int64_t now = 0;; ++now) {
    const int64_t lag = read_c.tile() - write_c.tile();
    const bool accept_c = lag < 2 || (lag == 2 && write_c.index() > read_c.index());
    const bool beat_a = read_a.beat(now, true);
    const bool beat_b = read_b.beat(now, true);
    const bool beat_c = read_c.beat(now, accept_c);
    const bool pair_end = sequencer.pair_end();
    const bool finished = !finishes.empty() && finishes.front() == now;
    // Nothing is added any more when everything is written.
    const bool quiet = read_a.idle() && read_b.idle() && read_c.idle() && write_c.done();
    if (ended && quiet) return now + 1;
    ended = quiet;
    if (finished) finishes.pop_front();
    if (sequencer.tile_end()) finishes.push_back(now + finish);
    const bool begins = write_c.begins();
    sequencer.edge(read_a.filled(), read_b.filled(), read_c.filled());
    read_a.edge(now, beat_a, pair_end);
    read_b.edge(now, beat_b, pair_end);
    read_c.edge(now, beat_c, begins);
    write_c.edge(now, finished);
  }
}

}  // namespace fabrictwin::gemm
