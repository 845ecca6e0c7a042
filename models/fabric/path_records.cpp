// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/path_records.h"

#include "fmt/format.h"
#include "models/fabric/record_halves.h"

namespace fabrictwin::fabric {
namespace {

using congestion::Allotment;
using congestion::Hop;
using congestion::PathRecord;
using link::Record;
using link::RecordKind;

/// Record::flags: what a record of a path is.
enum Part : uint8_t { kHead, kHop, kAllotment };

/// No path is longer.
constexpr uint32_t kMostParts = 4096;

uint64_t unsigned_of(int64_t value) { return static_cast<uint64_t>(value); }
int64_t signed_of(uint64_t value) { return static_cast<int64_t>(value); }

Record part(Part flags, uint8_t vc) {
  Record record;
  record.kind = RecordKind::kPath;
  record.vc = vc;
  record.count = 1;
  record.flags = flags;
  return record;
}

Hop hop_of(const Record& record) {
  return {signed_of(record.words[0].lo), record.words[0].hi, signed_of(record.words[1].lo),
          signed_of(record.words[1].hi), low_of(record.words[2].lo)};
}

Allotment allotment_of(const Record& record) {
  const uint32_t signs = high_of(record.words[0].lo);
  return {low_of(record.words[0].lo),
          (signs & 1) != 0,
          (signs & 2) != 0,
          signed_of(record.words[0].hi),
          signed_of(record.words[1].lo),
          signed_of(record.words[1].hi)};
}

}  // namespace

std::vector<Record> path_records(const PathRecord& path, uint8_t vc) {
  std::vector<Record> records;
  const congestion::Allotments& allotments = path.allotments;
  Record& head = records.emplace_back(part(kHead, vc));
  head.words[0] = {unsigned_of(path.sent), unsigned_of(allotments.interval)};
  head.words[1] = {pair_of(static_cast<uint32_t>(path.hops.size()), static_cast<uint32_t>(allotments.outputs.size())),
                   pair_of(allotments.passed, static_cast<uint32_t>(allotments.max_packet))};
  head.words[2].lo = allotments.leaving ? 1 : 0;
  for (const Hop& hop : path.hops) {
    Record& record = records.emplace_back(part(kHop, vc));
    record.words[0] = {unsigned_of(hop.time), hop.sent_bytes};
    record.words[1] = {unsigned_of(hop.queue_bytes), unsigned_of(hop.bits_per_second)};
    record.words[2].lo = hop.output;
  }
  for (const Allotment& output : allotments.outputs) {
    Record& record = records.emplace_back(part(kAllotment, vc));
    const uint32_t signs = (output.limited ? 1U : 0U) | (output.ignored ? 2U : 0U);
    record.words[0] = {pair_of(signs, output.output), unsigned_of(output.rate)};
    record.words[1] = {unsigned_of(output.share), unsigned_of(output.period)};
  }
  return records;
}

absl::StatusOr<PathRecord> take_path(link::ChannelReceiver& receiver) {
  const auto broken = [&](std::string_view what) {
    return absl::DataLossError(fmt::format("{}: protocol error: {}", receiver.spec().name, what));
  };
  const auto next = [&](Part flags) -> const Record* {
    const Record* const front = receiver.front();
    return front != nullptr && front->kind == RecordKind::kPath && front->flags == flags ? front : nullptr;
  };
  const Record* const head = next(kHead);
  if (head == nullptr) return broken("a packet without the record of its path");
  PathRecord path;
  path.sent = signed_of(head->words[0].lo);
  path.allotments.interval = signed_of(head->words[0].hi);
  const uint32_t hops = high_of(head->words[1].lo);
  const uint32_t outputs = low_of(head->words[1].lo);
  path.allotments.passed = high_of(head->words[1].hi);
  path.allotments.max_packet = static_cast<int32_t>(low_of(head->words[1].hi));
  path.allotments.leaving = head->words[2].lo != 0;
  receiver.pop();
  if (hops > kMostParts || outputs > kMostParts || path.allotments.passed > outputs)
    return broken(fmt::format("a path of {} hops and {} outputs", hops, outputs));
  for (uint32_t i = 0; i < hops + outputs; ++i) {
    const Record* const record = next(i < hops ? kHop : kAllotment);
    if (record == nullptr) return broken("a part of the record of a path is missing");
    if (i < hops) {
      path.hops.push_back(hop_of(*record));
    } else {
      path.allotments.outputs.push_back(allotment_of(*record));
    }
    receiver.pop();
  }
  return path;
}

}  // namespace fabrictwin::fabric
