// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/interrupts.h"

#include <algorithm>

namespace fabrictwin::nic::exanet {

void Interrupts::event(int64_t edge, int32_t interface) {
  const uint64_t bit = uint64_t{1} << interface;
  last_event_ = edge;
  last_interface_ = interface;
  if ((enabled_ & bit) != 0) {
    if (!armed()) {
      start_ = edge;
      events_ = 0;
      enough_.reset();
    }
    if (events_ < InterruptSettings::kMostMessages) ++events_;
    if (events_ == settings_.messages && !enough_.has_value()) enough_ = edge;
  }
  pending_ |= bit;
}

void Interrupts::clear(int64_t edge, uint64_t bits) {
  pending_ &= ~bits;
  start_ = edge;
  events_ = 0;
  enough_.reset();
  // What comes at the same edge stays, and is the first of those that follow.
  if (last_event_ == edge) event(edge, last_interface_);
}

std::optional<int64_t> Interrupts::raised() const {
  if (!armed()) return std::nullopt;
  const int64_t late = start_ + 1 + settings_.delay;
  return enough_.has_value() ? std::min(late, *enough_ + 1) : late;
}

}  // namespace fabrictwin::nic::exanet
