// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a packet may go next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fabrictwin::routing {

/// One possible next hop of a packet.
struct RouteOption {
  int16_t port = 0;
  bool escape = false;  ///< Taken only if no other option has free space; escapes keep the network free of deadlock
                        ///< (Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", 1993).
  uint32_t vcs = 0;     ///< Mask of the VCs of that port that the packet may use; never empty.
};

/// The options of one packet in one router; escapes come last. The capacity is fixed, so that routing allocates
/// nothing.
class RouteOptions {
 public:
  static constexpr size_t kMax = 64;

  void clear() { size_ = 0; }
  /// Options beyond kMax are ignored; routers have no more ports.
  void add(const RouteOption& option) {
    if (size_ < kMax) options_[size_++] = option;
  }
  /// Keeps those for which `keep` is true, in their order.
  template <typename Keep>
  void keep(const Keep& keep) {
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i) {
      if (keep(options_[i])) options_[kept++] = options_[i];
    }
    size_ = kept;
  }
  std::span<const RouteOption> all() const { return {options_.data(), size_}; }
  const RouteOption& operator[](size_t index) const { return options_[index]; }
  size_t size() const { return size_; }

 private:
  std::array<RouteOption, kMax> options_{};
  size_t size_ = 0;
};

}  // namespace fabrictwin::routing
