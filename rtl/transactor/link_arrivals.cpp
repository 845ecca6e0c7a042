// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/link_arrivals.h"

#include "fmt/format.h"

namespace fabrictwin::rtl {

absl::Status LinkArrivals::take_records(const std::string& element, link::ChannelReceiver& receiver, Time until) {
  const link::ChannelSpec& spec = receiver.spec();
  for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind == link::RecordKind::kBurst) {
      const int64_t slot = receiver.first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & link::kStartOfPacket;
        if (i == record->count - 1) flags |= record->flags & link::kEndOfPacket;
        const int64_t cycle = word_sampler_.sample(spec.word_clock.edge(slot + i + 1) + spec.latency);
        words.push({cycle, record->words[i], record->vc, flags});
      }
    } else if (record->kind == link::RecordKind::kCredit) {
      credits.push({credit_sampler_.sample(record->time()), record->vc, record->count, record->flags});
    } else {
      return absl::DataLossError(
          fmt::format("{} at {}: {} carries a record of kind {}, but a link of words takes only words and credits",
                      element, to_string(record->time()), spec.name, static_cast<int>(record->kind)));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::rtl
