// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A table from handles to values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fabrictwin::recorder {

/// A hash table from handles (not 0) to values, in one array. Pointers to values are valid until the next change.
template <typename Value>
class HandleTable {
 public:
  HandleTable() : slots_(kSmallest) {}

  size_t size() const { return size_; }

  Value* find(uint64_t key) {
    for (size_t i = home(key);; i = next(i)) {
      if (slots_[i].key == key) return &slots_[i].value;
      if (slots_[i].key == 0) return nullptr;
    }
  }
  /// The value of `key`, added if there was none.
  Value& operator[](uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    size_t i = home(key);
    while (slots_[i].key != key && slots_[i].key != 0) i = next(i);
    if (slots_[i].key == 0) {
      slots_[i].key = key;
      slots_[i].value = Value{};
      ++size_;
    }
    return slots_[i].value;
  }
  /// Removes `key`, which must exist.
  void erase(uint64_t key) {
    size_t hole = home(key);
    while (slots_[hole].key != key) hole = next(hole);
    // Entries displaced by the removed one move back.
    for (size_t i = next(hole); slots_[i].key != 0; i = next(i)) {
      if (distance(home(slots_[i].key), i) < distance(hole, i)) continue;
      slots_[hole] = std::move(slots_[i]);
      hole = i;
    }
    slots_[hole] = Slot{};
    --size_;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    Value value{};
  };
  static constexpr size_t kSmallest = 64;

  size_t next(size_t i) const { return (i + 1) & (slots_.size() - 1); }
  size_t distance(size_t from, size_t to) const { return (to - from) & (slots_.size() - 1); }
  size_t home(uint64_t key) const {
    return static_cast<size_t>((key * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.key != 0) (*this)[slot.key] = std::move(slot.value);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace fabrictwin::recorder
