// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/rtl/apelink/link_pins.h"

namespace fabrictwin::test {

/// A supervised link at its pins: what LinkPins has, and ends and channels that fail.
class SessionPins {
 public:
  virtual ~SessionPins() = default;
  virtual LinkPins& link() = 0;
  virtual void side_reset(int side, bool low) = 0;
  virtual void cut(int channel, bool cut) = 0;
  virtual void darken(int side, bool dark) = 0;
  virtual bool up(int side) const = 0;
  virtual int downs(int side) const = 0;
  virtual int aborted(int side) const = 0;
  virtual int max_payload() const { return 512; }
  /// Words of the input buffers of each VC.
  virtual int buffer() const { return 64; }
};

template <class Model>
class SessionModel : public ModelLink<Model>, public SessionPins {
 public:
  explicit SessionModel(int buffer = 64) : buffer_(buffer) {
    this->model().supervise_i = 1;
    this->reset();
  }
  LinkPins& link() override { return *this; }
  void side_reset(int side, bool low) override { put(this->model().side_reset_i, side, low); }
  void cut(int channel, bool cut) override { put(this->model().cut_i, channel, cut); }
  void darken(int side, bool dark) override { put(this->model().dark_i, side, dark); }
  bool up(int side) const override { return (this->model().link_o >> (2 * side) & 3) == 0; }
  int downs(int side) const override { return static_cast<int>(this->model().downs_o >> (16 * side) & 0xFFFF); }
  int aborted(int side) const override {
    return static_cast<int>(this->model().aborted_packets_o >> (16 * side) & 0xFFFF);
  }
  int buffer() const override { return buffer_; }

 private:
  static void put(uint8_t& port, int bit, bool value) {
    port = static_cast<uint8_t>((port & ~(1U << bit)) | (static_cast<unsigned>(value) << bit));
  }

  int buffer_;
};

/// Chances in percent and cycle; of what fails in 1/10000.
struct SessionPlan {
  int send = 90;   ///< A word is offered.
  int drain = 90;  ///< A word leaves the router's input buffer.
  int reset = 0;   ///< An end is reset.
  int cut = 0;     ///< A channel loses everything for a while.
  int pause = 0;   ///< A router offers nothing for a while.
};

/// Two routers, which are reset with their ends. A packet's words are a function of its number, so a receiver knows
/// whether it is whole.
class SessionBench {
 public:
  struct Totals {
    int good = 0;
    int bad = 0;
    int errors = 0;  ///< Ends with a sticky error.
  };

  SessionBench(std::unique_ptr<SessionPins> pins, uint64_t seed);

  /// More packets of each side and VC.
  void send(int packets);
  /// Packets that have not begun are forgotten.
  void drop_unsent();
  void run(int cycles);
  /// False if it takes longer than `limit` cycles.
  bool run_until(const std::function<bool()>& done, int limit);
  void reset_side(int side);
  void hold_in_reset(int side, bool held);
  void cut(int channel, bool cut) { pins_->cut(channel, cut); }
  void darken(int side, bool dark) { pins_->darken(side, dark); }
  void error_rate(uint32_t rate) { pins_->link().error_rate(rate); }
  /// Ends what fails at random.
  void calm();

  bool up(int side) const { return pins_->up(side); }
  int downs(int side) const { return pins_->downs(side); }
  int used(int side, int vc) const { return pins_->link().used(side, vc); }
  int aborted(int side) const { return pins_->aborted(side); }
  /// A packet has begun to go into, or come out of, a side and is not at its end.
  bool sending(int side) const;
  bool receiving(int side) const;
  /// Nothing is to be sent, nothing is in a buffer, and all credits are here.
  bool settled() const;
  Totals totals() const;
  int words_received() const { return words_received_; }
  /// Packets that began to go in and did not come out, after all have settled.
  int lost() const { return static_cast<int>(next_number_) - 1 - totals_.good - totals_.bad; }

  SessionPlan plan;
  std::map<std::string, int> seen;
  int cycles = 0;

 private:
  struct Vc {
    int to_send = 0;
    std::deque<Word> words;  ///< Words of the packet that goes in.
    size_t words_in_all = 0;
    int credits = 0;
    int held = 0;   ///< Words in the input buffer.
    int freed = 0;  ///< Words whose credits are to be returned.
    bool in_packet = false;
    uint32_t number = 0;  ///< Number of the packet that comes out, or of the last one that did.
    int place = 0;
    int length = 0;
    bool whole = true;
  };
  struct Side {
    std::array<Vc, 2> vc;
    int last_vc = 0;
    bool offering = false;
    bool in_reset = false;
    int paused = 0;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  /// What the packet of a number is.
  int payload_bytes(uint32_t number) const;
  int length_of(uint32_t number) const;
  Word word_of(uint32_t number, int place) const;
  void cycle();
  void fail_at_random();
  void offer(int side);
  void return_credits(int side);
  void receive(int side);
  void take_credits(int side);
  void clear(int side);

  std::unique_ptr<SessionPins> pins_;
  int buffer_;
  std::mt19937_64 random_;
  std::array<Side, 2> sides_;
  std::array<int, 2> cut_left_{};
  std::array<int, 2> reset_left_{};
  uint32_t next_number_ = 1;
  Totals totals_;
  int words_received_ = 0;
};

}  // namespace fabrictwin::test
