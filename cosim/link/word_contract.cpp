// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/word_contract.h"

#include <fmt/format.h>

#include <cstddef>

namespace fabrictwin::link {

WordContract::WordContract(const LinkType& type, int32_t credits)
    : credit_words_(type.credit_words), credits_(credits), vcs_(static_cast<size_t>(type.vcs)) {
  for (Vc& vc : vcs_) vc.credits = credits;
}

std::string WordContract::word_comes(uint8_t number, bool first, bool last) {
  if (number >= vcs_.size()) return fmt::format("a word comes on VC {}, and there are {}", number, vcs_.size());
  Vc& vc = vcs_[number];
  if (first != (vc.received == 0)) return "a packet comes without an end, or without a beginning";
  if (vc.received++ % credit_words_ == 0 && ++vc.owed > credits_)
    return fmt::format("a word comes on VC {} without a credit", number);
  if (last) vc.received = 0;
  return {};
}

std::string WordContract::credits_come(uint8_t number, uint8_t count) {
  if (number >= vcs_.size()) return fmt::format("credits come for VC {}, and there are {}", number, vcs_.size());
  Vc& vc = vcs_[number];
  vc.credits += count;
  if (vc.credits > credits_) return fmt::format("more credits come for VC {} than there are", number);
  return {};
}

std::string WordContract::word_leaves(uint8_t number, bool first, bool last) {
  if (number >= vcs_.size()) return fmt::format("it sends on VC {}, and there are {}", number, vcs_.size());
  Vc& vc = vcs_[number];
  if (first != (vc.sent == 0)) return "it sends a packet without an end, or without a beginning";
  if (vc.sent++ % credit_words_ == 0 && vc.credits-- == 0)
    return fmt::format("it sends on VC {} without a credit", number);
  if (last) vc.sent = 0;
  return {};
}

std::string WordContract::credits_leave(uint8_t number, uint8_t count) {
  if (number >= vcs_.size())
    return fmt::format("it gives back credits of VC {}, and there are {}", number, vcs_.size());
  Vc& vc = vcs_[number];
  vc.owed -= count;
  if (vc.owed < 0) return fmt::format("it gives back more credits of VC {} than were used", number);
  return {};
}

}  // namespace fabrictwin::link
