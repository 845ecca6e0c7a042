// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/stream_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bridges/conformance/records.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

using link::Record;
using link::RecordKind;

bool is_narrow(const link::Word& word, int32_t bits) {
  return bits == link::kWordBits || (word.hi == 0 && (bits == 64 || word.lo >> bits == 0));
}

/// All credits up to a time.
int64_t credits_at(const std::vector<std::pair<Time, int64_t>>& credits, Time time) {
  const auto after = std::upper_bound(credits.begin(), credits.end(), time,
                                      [](Time at, const auto& credit) { return at < credit.first; });
  return after == credits.begin() ? 0 : std::prev(after)->second;
}

}  // namespace

StreamRules::StreamRules(const ChannelMap& map, Findings& findings, std::string run)
    : map_(map), findings_(findings), run_(std::move(run)), rows_(map.partitions().size()) {
  for (const auto& [id, channel] : map.crossing()) {
    Side& side = sides_[id];
    side.channel = &channel;
    side.flows.resize(static_cast<size_t>(channel.vcs));
    side.credits.resize(static_cast<size_t>(channel.vcs));
  }
}

void StreamRules::fail(const char* check, const std::string& what) {
  findings_.fail(check, fmt::format("{}: {}", run_, what));
}

std::string StreamRules::where(const Record& record) const {
  const Channel* channel = map_.find(record.channel);
  return fmt::format("answer {}, {}: {}", responses_,
                     channel == nullptr ? fmt::format("channel {}", record.channel) : describe(*channel),
                     describe(record));
}

void StreamRules::on_request(const v1::RunRequest& request) {
  requests_ = request.number();
  for (const Record& record : records_of(request.records())) {
    if (const auto side = sides_.find(record.channel); side != sides_.end()) take(side->second, record);
  }
  Told told{request.number(), std::vector<Time>(rows_.size(), Time::never())};
  Time least = Time::never();
  for (const auto& [id, side] : sides_) {
    if (!side.channel->inbound) continue;
    least = std::min(least, side.horizon);
    told.reach[side.channel->partition] = std::min(told.reach[side.channel->partition], side.horizon);
  }
  // Partitions that are linked with each other pass on promises, so each depends on all.
  for (size_t p = 0; p < rows_.size(); ++p) {
    if (map_.partitions()[p].inner) told.reach[p] = least;
  }
  told_.push_back(std::move(told));
}

void StreamRules::on_response(const v1::RunResponse& response) {
  ++responses_;
  if (response.records().size() % sizeof(Record) == 0) {
    findings_.ok("stream.size");
  } else {
    fail("stream.size", fmt::format("answer {} has {} bytes of records, which is no multiple of 64", responses_,
                                    response.records().size()));
  }
  for (const Record& record : records_of(response.records())) {
    if (!check_form(record)) continue;
    Side& side = sides_.at(record.channel);
    check_order(side, record);
    take(side, record);
  }
  for (const v1::SyncRow& row : response.rows()) check_row(row);
  if (response.consumed() < consumed_ || response.consumed() > requests_) {
    fail("stream.answers", fmt::format("answer {} says that request {} is done, after {}, and {} were sent", responses_,
                                       response.consumed(), consumed_, requests_));
  }
  check_reach(response.consumed());
  consumed_ = std::max(consumed_, response.consumed());
}

void StreamRules::check_reach(uint64_t consumed) {
  std::vector<Time> reach;
  while (!told_.empty() && told_.front().number <= consumed) {
    reach = std::move(told_.front().reach);
    told_.pop_front();
  }
  if (reach.empty()) return;
  for (const auto& [id, side] : sides_) {
    const Time until = reach[side.channel->partition];
    if (side.channel->inbound || until.is_never()) continue;
    const Time least = until + side.channel->latency;
    if (side.horizon >= least) {
      findings_.ok("promise.reach");
      continue;
    }
    fail(
        "promise.reach",
        fmt::format("answer {} to request {}, {}: promises {}; all that comes in is promised up to T = {}, so with the "
                    "latency of {} it is {}",
                    responses_, consumed, describe(*side.channel), describe(side.horizon), describe(until),
                    to_string(side.channel->latency), describe(least)));
  }
}

// Whether the record is one at all; nothing else can be checked otherwise.
bool StreamRules::check_form(const Record& record) {
  const auto side = sides_.find(record.channel);
  if (side == sides_.end() || side->second.channel->inbound) {
    fail("stream.channel", fmt::format("{}: {}", where(record),
                                       side == sides_.end() ? "no channel of the place is in messages by this number"
                                                            : "the channel ends at the place"));
    return false;
  }
  findings_.ok("stream.channel");
  const Channel& channel = *side->second.channel;
  const auto bad = [&](const std::string& what) {
    fail("stream.kind", fmt::format("{}: {}", where(record), what));
    return false;
  };
  if ((record.stamp & Record::kOwnershipBit) != 0) return bad("bit 63 of the stamp is zero in a stream");
  if (!has_plausible_stamp(record)) return bad("no run lasts that long");
  switch (record.kind) {
    case RecordKind::kPromise:
    case RecordKind::kEnd:
    case RecordKind::kHost:
      break;
    case RecordKind::kBurst:
    case RecordKind::kCredit:
      if (record.vc >= channel.vcs) return bad(fmt::format("the link has {} VCs", channel.vcs));
      if (record.count == 0) return bad("a count of 0");
      if (record.kind == RecordKind::kBurst && record.count > link::kRecordWords)
        return bad("a burst has 1 to 3 words");
      break;
    default:
      return bad("the link carries bursts, credits, promises and ends");
  }
  findings_.ok("stream.kind");
  return true;
}

void StreamRules::check_order(Side& side, const Record& record) {
  findings_.expect("stream.end", !side.ended, fmt::format("{}: {}: the channel has ended", run_, where(record)));
  if (record.time() < side.last) {
    fail("stream.order", fmt::format("{}: the record before was at {}", where(record), describe(side.last)));
  } else {
    findings_.ok("stream.order");
  }
  if (record.kind == RecordKind::kPromise || record.kind == RecordKind::kEnd) return;
  if (record.time() < side.horizon) {
    fail("stream.promise", fmt::format("{}: nothing was to come before {}", where(record), describe(side.horizon)));
  } else {
    findings_.ok("stream.promise");
  }
  check_row_time(side, side.records.size(), record);
  if (record.kind == RecordKind::kBurst) check_words(side, record);
  if (record.kind == RecordKind::kCredit) check_credit_returned(side, record);
}

void StreamRules::check_words(Side& side, const Record& record) {
  const Channel& channel = *side.channel;
  const Time leaves = record.time() - channel.latency;
  const int64_t slot = leaves < Time::zero() ? -1 : channel.word_clock.edge_at_or_after(leaves) - 1;
  if (slot < 0 || channel.word_clock.edge(slot + 1) != leaves) {
    fail("stream.slots",
         fmt::format("{}: no word arrives then: a word of slot s arrives at edge(s + 1) of the word clock "
                     "plus the latency, and the next such times are {} and {}",
                     where(record), describe(channel.word_clock.edge(std::max<int64_t>(slot, 1)) + channel.latency),
                     describe(channel.word_clock.edge(std::max<int64_t>(slot, 1) + 1) + channel.latency)));
  } else if (slot <= side.slot) {
    fail("stream.slots", fmt::format("{}: its first word is in slot {}, and slot {} has had a word already",
                                     where(record), slot, side.slot));
  } else {
    findings_.ok("stream.slots");
  }
  bool open = side.flows[record.vc].open;
  for (int i = 0; i < record.count; ++i) {
    const bool header = i == 0 && (record.flags & link::kStartOfPacket) != 0;
    if (header == open) {
      fail("stream.framing", fmt::format("{}: word {} of it is {}", where(record), i,
                                         open ? "a header, and the packet before has had no footer"
                                              : "no header, and no packet is under way"));
    } else {
      findings_.ok("stream.framing");
    }
    open = i + 1 < record.count || (record.flags & link::kEndOfPacket) == 0;
    if (!is_narrow(record.words[i], channel.word_bits)) {
      fail("stream.words", fmt::format("{}: word {} has bits above {}", where(record), i, channel.word_bits - 1));
    } else {
      findings_.ok("stream.words");
    }
  }
}

void StreamRules::check_credit_taken(Side& side, uint8_t vc, Time begins, const Record& record) {
  const Channel& channel = *side.channel;
  const auto back = sides_.find(channel.reverse);
  if (back == sides_.end()) return;
  const int64_t given = channel.credits / channel.credit_words + credits_at(back->second.credits[vc], begins);
  if (side.flows[vc].used <= given) {
    findings_.ok("credits.taken");
    return;
  }
  fail("credits.taken",
       fmt::format("{}: with it VC {} has taken {} credits; {} were there at first, and {} had come back when the word "
                   "was put on the wire at {}",
                   where(record), vc, side.flows[vc].used, channel.credits / channel.credit_words,
                   given - channel.credits / channel.credit_words, describe(begins)));
}

void StreamRules::check_credit_returned(Side& side, const Record& record) {
  const auto words = sides_.find(side.channel->reverse);
  if (words == sides_.end()) return;
  const std::vector<Time>& taken = words->second.flows[record.vc].taken;
  const Time leaves = record.time() - side.channel->latency;
  const auto there = std::upper_bound(taken.begin(), taken.end(), leaves) - taken.begin();
  const auto& credits = side.credits[record.vc];
  const int64_t returned = (credits.empty() ? 0 : credits.back().second) + record.count;
  if (returned <= there) {
    findings_.ok("credits.returned");
    return;
  }
  fail("credits.returned", fmt::format("{}: with it VC {} has returned {} credits, and words for {} had arrived by {}",
                                       where(record), record.vc, returned, there, describe(leaves)));
}

// The row and the record may come in either order.
void StreamRules::check_row_time(Side& side, size_t index, const Record& record) {
  const ChannelMap::Partition& partition = map_.partitions()[side.channel->partition];
  const Row& known = rows_[side.channel->partition];
  if (!known.there) return;
  const auto at = std::find(partition.outbound.begin(), partition.outbound.end(), side.channel->id);
  const auto position = static_cast<int>(at - partition.outbound.begin());
  if (position >= known.row.sent_size() || index < known.row.sent(position)) return;
  const Time leaves = record.time() - side.channel->latency;
  const Time now = Time::from_fs(known.row.now_fs());
  if (leaves < now) {
    fail("rows.now",
         fmt::format("{}: leaves at {}; the row of {} says that it acts no more before {}, with {} records "
                     "sent here",
                     where(record), describe(leaves), partition.name, describe(now), known.row.sent(position)));
  } else {
    findings_.ok("rows.now");
  }
  if (partition.inner) return;
  const Time next = std::min(Time::from_fs(known.row.next_event_fs()), first_uncounted(partition, known.row));
  if (leaves < next) {
    fail("rows.next_event",
         fmt::format(
             "{}: leaves at {}; the row of {} says that it does not act before {}, and the first record that the "
             "row does not count comes at {}",
             where(record), describe(leaves), partition.name, describe(Time::from_fs(known.row.next_event_fs())),
             describe(first_uncounted(partition, known.row))));
  } else {
    findings_.ok("rows.next_event");
  }
}

Time StreamRules::first_uncounted(const ChannelMap::Partition& partition, const v1::SyncRow& row) const {
  Time first = Time::never();
  for (size_t k = 0; k < partition.inbound.size() && k < static_cast<size_t>(row.consumed_size()); ++k) {
    const auto side = sides_.find(partition.inbound[k]);
    if (side == sides_.end()) continue;
    const std::vector<Time>& records = side->second.records;
    const uint64_t consumed = row.consumed(static_cast<int>(k));
    if (consumed < records.size()) first = std::min(first, records[consumed]);
  }
  return first;
}

void StreamRules::check_row(const v1::SyncRow& row) {
  const ChannelMap::Partition* partition = map_.partition(row.partition());
  const std::string at = fmt::format("answer {}, row of partition {}", responses_, row.partition());
  if (partition == nullptr || static_cast<size_t>(row.consumed_size()) != partition->inbound.size() ||
      static_cast<size_t>(row.sent_size()) != partition->outbound.size()) {
    return fail(
        "rows.shape",
        partition == nullptr
            ? fmt::format("{}: the place has no such partition", at)
            : fmt::format("{}: {} counts of consumed and {} of sent; {} has {} channels that end there and {} that "
                          "begin there",
                          at, row.consumed_size(), row.sent_size(), partition->name, partition->inbound.size(),
                          partition->outbound.size()));
  }
  findings_.ok("rows.shape");
  Row& known = rows_[static_cast<size_t>(partition - map_.partitions().data())];
  if (row.next_event_fs() < 0 || row.now_fs() < 0)
    return fail("rows.shape", fmt::format("{}: times are never negative", at));
  bool monotone = !known.there || row.now_fs() >= known.row.now_fs();
  const auto count = [&](const std::vector<uint32_t>& channels, const auto& counts, const auto& before,
                         const char* check, const char* what) {
    for (int k = 0; k < counts.size(); ++k) {
      monotone = monotone && (!known.there || counts[k] >= before[k]);
      const auto side = sides_.find(channels[static_cast<size_t>(k)]);
      if (side == sides_.end()) continue;
      findings_.expect(check, counts[k] <= side->second.records.size(),
                       fmt::format("{}: {}: {}: {} records {}, and there were {}", run_, at,
                                   describe(*side->second.channel), counts[k], what, side->second.records.size()));
    }
  };
  count(partition->inbound, row.consumed(), known.row.consumed(), "rows.consumed", "consumed");
  count(partition->outbound, row.sent(), known.row.sent(), "rows.sent", "sent");
  findings_.expect("rows.monotone", monotone,
                   fmt::format("{}: {}: now {} fs or a count is less than in the row before, whose now was {} fs", run_,
                               at, row.now_fs(), known.row.now_fs()));
  known.there = true;
  known.row = row;
  for (size_t k = 0; k < partition->outbound.size(); ++k) {
    const auto side = sides_.find(partition->outbound[k]);
    if (side == sides_.end()) continue;
    for (size_t i = row.sent(static_cast<int>(k)); i < side->second.records.size(); ++i) {
      Record late;
      late.channel = side->first;
      late.kind = RecordKind::kHost;
      late.set_time(side->second.records[i]);
      check_row_time(side->second, i, late);
    }
  }
}

void StreamRules::take(Side& side, const Record& record) {
  side.last = std::max(side.last, record.time());
  side.horizon = record.kind == RecordKind::kEnd ? Time::never() : std::max(side.horizon, record.time());
  side.ended = side.ended || record.kind == RecordKind::kEnd;
  if (!is_counted(record)) return;
  side.records.push_back(record.time());
  if (record.kind == RecordKind::kHost || record.vc >= side.flows.size()) return;
  if (record.kind == RecordKind::kCredit) {
    auto& credits = side.credits[record.vc];
    credits.emplace_back(record.time(), (credits.empty() ? 0 : credits.back().second) + record.count);
    return;
  }
  const Channel& channel = *side.channel;
  const Time leaves = std::max(Time::zero(), record.time() - channel.latency);
  const int64_t first = std::max<int64_t>(0, channel.word_clock.edge_at_or_after(leaves) - 1);
  Flow& flow = side.flows[record.vc];
  for (int i = 0; i < record.count; ++i) {
    if (!flow.open) flow.words = 0;
    flow.open = true;
    const int64_t slot = first + i;
    if (flow.words++ % channel.credit_words == 0) {
      ++flow.used;
      flow.taken.push_back(channel.inbound ? channel.word_clock.edge(slot + 1) + channel.latency
                                           : channel.word_clock.edge(slot));
      if (!channel.inbound) check_credit_taken(side, record.vc, flow.taken.back(), record);
    }
    if (i + 1 == record.count && (record.flags & link::kEndOfPacket) != 0) flow.open = false;
    ++side.sent.words;
    if (!flow.open) ++side.sent.packets;
    side.slot = std::max(side.slot, slot);
  }
}

void StreamRules::on_end() {
  findings_.expect(
      "stream.answers", consumed_ == requests_,
      fmt::format("{}: {} requests were sent, and the stream ended after an answer to {}", run_, requests_, consumed_));
}

void StreamRules::on_rest() {
  for (const auto& [id, side] : sides_) {
    const auto back = sides_.find(side.channel->reverse);
    if (!side.channel->inbound || back == sides_.end()) continue;
    for (size_t vc = 0; vc < side.flows.size(); ++vc) {
      const auto& credits = back->second.credits[vc];
      const int64_t returned = credits.empty() ? 0 : credits.back().second;
      findings_.expect("credits.all", returned == side.flows[vc].used,
                       fmt::format("{}: {}: the words on VC {} took {} credits, and {} have come back", run_,
                                   describe(*side.channel), vc, side.flows[vc].used, returned));
    }
  }
  for (size_t p = 0; p < rows_.size(); ++p) {
    const ChannelMap::Partition& partition = map_.partitions()[p];
    if (!rows_[p].there) {
      fail("rows.rest", fmt::format("{} has never told a row", partition.name));
      continue;
    }
    const v1::SyncRow& row = rows_[p].row;
    bool all = true;
    const auto count = [&](const std::vector<uint32_t>& channels, const auto& counts) {
      for (int k = 0; k < counts.size(); ++k) {
        const auto side = sides_.find(channels[static_cast<size_t>(k)]);
        all = all && (side == sides_.end() || counts[k] == side->second.records.size());
      }
    };
    count(partition.inbound, row.consumed());
    count(partition.outbound, row.sent());
    findings_.expect("rows.rest", all && row.next_event_fs() == Time::never().fs(),
                     fmt::format("{}: the last row of {} {}; nothing is left to do, and everything has been answered",
                                 run_, partition.name,
                                 all ? fmt::format("waits for {}", describe(Time::from_fs(row.next_event_fs())))
                                     : "does not count all records"));
  }
}

StreamRules::Sent StreamRules::sent(uint32_t channel) const {
  const auto side = sides_.find(channel);
  return side == sides_.end() ? Sent{} : side->second.sent;
}

}  // namespace fabrictwin::bridges::conformance
