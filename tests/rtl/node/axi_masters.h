// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A processor's accesses to the registers of its logic: one at a time in order, with random stalls on every channel.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "tests/rtl/rdma/random_source.h"
#include "tests/rtl/rdma/rdma_transfer.h"

namespace fabrictwin::test {

/// One access. A write of more than one word is a burst.
struct RegisterAccess {
  bool write = false;
  uint32_t address = 0;
  std::vector<Word128> words;
  /// Called with what was read (or written) and whether the answer was an error.
  std::function<void(const std::vector<Word128>& words, bool error)> done;
};

/// What a master drives at an edge.
struct MasterPins {
  bool aw = false, w = false, ar = false, b = false, r = false, last = false;
  uint32_t address = 0;
  Word128 data{};
};

/// What the slave answers before the edge.
struct SlavePins {
  bool aw = false, w = false, ar = false, b = false, r = false, last = true;
  unsigned resp = 0;
  Word128 data{};
};

class RegisterMaster {
 public:
  explicit RegisterMaster(uint64_t seed) : random_(seed) {}

  void push(RegisterAccess access) { accesses_.push_back(std::move(access)); }
  bool idle() const { return accesses_.empty(); }
  void set_stalls(unsigned percent) { stalls_ = percent; }
  /// Cycle at which the last word of the newest write was handed over.
  int64_t written() const { return written_; }

  /// For the next edge. What has been offered stays until it is taken.
  const MasterPins& drive() {
    const RegisterAccess* access = accesses_.empty() ? nullptr : &accesses_.front();
    offer(pins_.aw, access != nullptr && access->write && !addressed_);
    offer(pins_.w, access != nullptr && access->write && beat_ < access->words.size());
    offer(pins_.ar, access != nullptr && !access->write && !addressed_);
    pins_.b = free();
    pins_.r = free();
    if (access == nullptr) return pins_;
    pins_.address = access->address;
    if (pins_.w) pins_.data = access->words[beat_];
    pins_.last = beat_ + 1 == access->words.size();
    return pins_;
  }

  void edge(const SlavePins& slave, int64_t now) {
    if (accesses_.empty()) return;
    RegisterAccess& access = accesses_.front();
    if ((pins_.aw && slave.aw) || (pins_.ar && slave.ar)) {
      addressed_ = true;
      pins_.aw = pins_.ar = false;
    }
    if (pins_.w && slave.w) {
      pins_.w = false;
      if (++beat_ == access.words.size()) written_ = now;
    }
    bool over = slave.b && pins_.b;
    if (slave.r && pins_.r) {
      access.words.push_back(slave.data);
      over = slave.last;
    }
    if (!over) return;
    const RegisterAccess finished = std::move(accesses_.front());
    accesses_.pop_front();
    addressed_ = false;
    beat_ = 0;
    if (finished.done) finished.done(finished.words, slave.resp != 0);
  }

 private:
  bool free() { return !random_.percent(stalls_); }
  void offer(bool& valid, bool wanted) { valid = wanted && (valid || free()); }

  RandomSource random_;
  std::deque<RegisterAccess> accesses_;
  MasterPins pins_;
  bool addressed_ = false;
  size_t beat_ = 0;
  unsigned stalls_ = 0;
  int64_t written_ = -1;
};

}  // namespace fabrictwin::test
