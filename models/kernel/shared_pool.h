// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A pool of records that never move and that other threads may use.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/base/line_vector.h"

namespace fabrictwin::kernel {

/// A pool for each of several shards, with records of type T, which is trivially destructible and has a member
/// `uint32_t next` that the pool uses while a record is free. Each shard makes its own records, and may use and drop
/// those of all others. Number 0 is never used. Records never move. Numbers have no meaning: which free record comes
/// next may differ from run to run. A shard is used by one thread at a time; it may use another shard's record only
/// after that one has made it, and no two may use the same member of a record at the same time.
template <typename T>
class SharedPool {
 public:
  static constexpr uint32_t kNone = 0;
  static constexpr int kBits = 30;  ///< Bits of a number.

  /// The pools of `count` shards, each with at most 2^30 / count (rounded down to a power of two) records.
  static std::vector<SharedPool> create(int32_t count) {
    auto stores = std::make_shared<std::vector<Store>>(static_cast<size_t>(count));
    std::vector<SharedPool> pools;
    for (int32_t shard = 0; shard < count; ++shard) pools.push_back(SharedPool(stores, static_cast<uint32_t>(shard)));
    return pools;
  }

  uint32_t make() {
    Store& own = *own_;
    if (own.free == kNone && shards_ > 1) own.free = own.returned.exchange(kNone, std::memory_order_acquire);
    const uint32_t id = own.free;
    if (id == kNone) return own_base_ | own.grow();
    own.free = (*this)[id].next;
    return id;
  }
  void drop(uint32_t id) {
    T& record = (*this)[id];
    Store& store = store_of(id);
    if (&store == own_) {
      record.next = store.free;
      store.free = id;
      return;
    }
    record.next = store.returned.load(std::memory_order_relaxed);
    while (!store.returned.compare_exchange_weak(record.next, id, std::memory_order_release, std::memory_order_relaxed))
      ;
  }
  T& operator[](uint32_t id) { return store_of(id).at(id & mask_); }
  const T& operator[](uint32_t id) const { return store_of(id).at(id & mask_); }

 private:
  /// The records of one shard, in chunks each of which is as large as all before it.
  struct Store {
    static constexpr int kFirstBits = 8;
    struct Release {
      size_t count = 0;
      void operator()(T* chunk) const { LineAllocator<T>().deallocate(chunk, count); }
    };

    T& at(uint32_t index) const {
      const uint32_t position = index + (1U << kFirstBits);
      const int bits = std::bit_width(position) - 1;
      return chunks[static_cast<size_t>(bits)][position ^ (1U << bits)];
    }
    uint32_t grow() {
      const uint32_t position = ++made + (1U << kFirstBits);
      const int bits = std::bit_width(position) - 1;
      auto& chunk = chunks[static_cast<size_t>(bits)];
      // Only records in use are written, so the rest is not resident, except for parts of huge pages.
      if (!chunk) chunk = {LineAllocator<T>().allocate(size_t{1} << bits), Release{size_t{1} << bits}};
      std::construct_at(&at(made));
      return made;
    }

    std::array<std::unique_ptr<T[], Release>, kBits + 1> chunks;  ///< By the logarithm of their sizes.
    uint32_t made = 0;
    uint32_t free = kNone;
    alignas(64) std::atomic<uint32_t> returned{kNone};  ///< Dropped by other shards.
  };

  SharedPool(std::shared_ptr<std::vector<Store>> stores, uint32_t shard)
      : stores_(std::move(stores)),
        first_(stores_->data()),
        own_(first_ + shard),
        shards_(static_cast<uint32_t>(stores_->size())),
        shift_(kBits - std::bit_width(shards_ - 1)),
        mask_((1U << shift_) - 1),
        own_base_(shard << shift_) {}
  Store& store_of(uint32_t id) const { return first_[id >> shift_]; }

  std::shared_ptr<std::vector<Store>> stores_;
  Store* first_;
  Store* own_;
  uint32_t shards_;
  int shift_;  ///< The number of the shard is above the number of a record in it.
  uint32_t mask_;
  uint32_t own_base_;
};

}  // namespace fabrictwin::kernel
