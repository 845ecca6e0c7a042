// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/compare.h"

#include <algorithm>
#include <memory>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::trace::tools {
namespace {

// The next event that communicates, without its duration; false at the end.
absl::StatusOr<bool> next_communication(format::EventSource& events, format::Event& event) {
  while (true) {
    absl::StatusOr<bool> more = events.next(event);
    if (!more.ok() || !*more) return more;
    if (event.action == v1::COMPUTE) continue;
    event.duration = Time::zero();
    return true;
  }
}

uint64_t point_to_point_bytes(const format::Event& event) {
  return format::is_send(event.action) ? format::event_bytes(event) : 0;
}

// Counts without a datatype are not sizes: the age of a wait, the number and members of a communicator.
bool same_counts(const format::Event& a, const format::Event& b) {
  return format::action_shape(a.action).datatypes > 0 || (a.count == b.count && a.send_counts == b.send_counts);
}

bool same_shape(const format::Event& a, const format::Event& b) {
  return a.action == b.action && a.peer == b.peer && a.receive_peer == b.receive_peer && a.tag == b.tag &&
         a.communicator == b.communicator && a.datatype == b.datatype && a.receive_datatype == b.receive_datatype &&
         same_counts(a, b);
}

struct RankComparison {
  uint64_t differing = 0;
  bool shape = true;
  std::string first;
};

std::string text_or_end(bool there, const format::Event& event) { return there ? event_text(event) : "its end"; }

absl::StatusOr<RankComparison> compare_rank(format::EventSource& one, format::EventSource& other,
                                            TraceDifference& difference) {
  RankComparison result;
  format::Event a;
  format::Event b;
  bool more_a = true;
  bool more_b = true;
  for (uint64_t number = 0;; ++number) {
    if (more_a) {
      absl::StatusOr<bool> more = next_communication(one, a);
      if (!more.ok()) return more.status();
      more_a = *more;
    }
    if (more_b) {
      absl::StatusOr<bool> more = next_communication(other, b);
      if (!more.ok()) return more.status();
      more_b = *more;
    }
    if (!more_a && !more_b) return result;
    if (more_a) {
      ++difference.events;
      difference.sent_bytes += point_to_point_bytes(a);
    }
    if (more_b) {
      ++difference.other_events;
      difference.other_sent_bytes += point_to_point_bytes(b);
    }
    if (more_a && more_b && a == b) continue;
    if (result.differing++ == 0) {
      result.first = fmt::format("event {} (computations not counted): {} against {}", number, text_or_end(more_a, a),
                                 text_or_end(more_b, b));
    }
    result.shape = result.shape && more_a && more_b && same_shape(a, b);
  }
}

// Only the first few, as an event of thousands of ranks would not fit a line.
std::string counts_text(const std::vector<uint64_t>& counts) {
  constexpr size_t kTold = 8;
  const size_t told = std::min(counts.size(), kTold);
  return fmt::format("{}{}", fmt::join(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(told), ","),
                     told < counts.size() ? ",..." : "");
}

uint64_t mix(uint64_t hash, uint64_t value) { return mix64(hash ^ (value + 0x9e3779b97f4a7c15ull)); }

}  // namespace

absl::StatusOr<TraceDifference> compare_traces(const format::Source& one, const format::Source& other) {
  if (one.ranks() != other.ranks()) {
    return absl::InvalidArgumentError(
        fmt::format("{} has {} ranks, but {} has {}: only traces of as many ranks can be compared", one.name(),
                    one.ranks(), other.name(), other.ranks()));
  }
  TraceDifference difference;
  difference.ranks = one.ranks();
  for (uint32_t rank = 0; rank < one.ranks(); ++rank) {
    const std::unique_ptr<format::EventSource> a = one.rank(rank);
    const std::unique_ptr<format::EventSource> b = other.rank(rank);
    absl::StatusOr<RankComparison> result = compare_rank(*a, *b, difference);
    if (!result.ok()) return result.status();
    difference.differing_events += result->differing;
    difference.equal_ranks += result->differing == 0 ? 1 : 0;
    difference.same_shape_ranks += result->shape ? 1 : 0;
    if (result->differing > 0 && difference.first_differences.size() < kMaxDifferences)
      difference.first_differences.push_back(fmt::format("rank {}, {}", rank, result->first));
  }
  return difference;
}

absl::StatusOr<uint64_t> communication_hash(format::EventSource& events) {
  uint64_t hash = 0;
  format::Event event;
  while (true) {
    absl::StatusOr<bool> more = next_communication(events, event);
    if (!more.ok()) return more.status();
    if (!*more) return hash;
    const format::ActionShape& shape = format::action_shape(event.action);
    hash = mix(hash, static_cast<uint64_t>(event.action));
    if (shape.peers >= 1) hash = mix(hash, static_cast<uint64_t>(event.peer));
    if (shape.peers >= 2) hash = mix(hash, static_cast<uint64_t>(event.receive_peer));
    if (shape.tag) hash = mix(hash, static_cast<uint64_t>(event.tag));
    if (event.communicator != 0) hash = mix(hash, event.communicator);
    if (shape.sent == format::CountForm::kOne || shape.sent == format::CountForm::kListed)
      hash = mix(hash, event.count);
    if (shape.received == format::CountForm::kOne) hash = mix(hash, event.receive_count);
    for (const uint64_t count : event.send_counts) hash = mix(hash, count);
    for (const uint64_t count : event.receive_counts) hash = mix(hash, count);
    if (shape.datatypes >= 1) hash = mix(hash, static_cast<uint64_t>(event.datatype));
    if (shape.datatypes >= 2) hash = mix(hash, static_cast<uint64_t>(event.receive_datatype));
  }
}

std::string event_text(const format::Event& event) {
  const format::ActionShape& shape = format::action_shape(event.action);
  std::string text(shape.name);
  if (shape.peers >= 1) text += fmt::format(" {} {}", shape.collective ? "root" : "peer", event.peer);
  if (shape.peers >= 2) text += fmt::format(" from {}", event.receive_peer);
  if (shape.tag) text += fmt::format(" tag {}", event.tag);
  if (event.communicator != 0) text += fmt::format(" communicator {}", event.communicator);
  if (shape.sent == format::CountForm::kListed)
    text += fmt::format(" {} members {}", event.count, counts_text(event.send_counts));
  if (shape.sent == format::CountForm::kOne) text += fmt::format(" count {}", event.count);
  if (shape.sent == format::CountForm::kEachRank) text += fmt::format(" counts {}", counts_text(event.send_counts));
  if (shape.datatypes >= 1) text += fmt::format(" {}", to_lower(v1::TraceDatatype_Name(event.datatype)));
  if (shape.received == format::CountForm::kOne) text += fmt::format(" receive count {}", event.receive_count);
  if (shape.received == format::CountForm::kEachRank)
    text += fmt::format(" receive counts {}", counts_text(event.receive_counts));
  if (shape.datatypes >= 2) text += fmt::format(" {}", to_lower(v1::TraceDatatype_Name(event.receive_datatype)));
  return text;
}

}  // namespace fabrictwin::trace::tools
