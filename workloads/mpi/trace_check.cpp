// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/trace_check.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"

namespace fabrictwin::mpi {
namespace {

// The next collective of a rank on the world, if there is one.
struct Collective {
  trace::format::Event event;
  uint64_t number = 0;
};

absl::StatusOr<std::optional<Collective>> next_collective(trace::format::RankCursor& cursor) {
  while (true) {
    const uint64_t number = cursor.event();
    absl::StatusOr<std::optional<trace::format::Event>> event = cursor.next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) return std::optional<Collective>();
    if (trace::format::action_shape((*event)->action).collective && (*event)->communicator == 0)
      return std::optional<Collective>({**std::move(event), number});
  }
}

std::string describe(uint32_t rank, const std::optional<Collective>& collective) {
  if (!collective) return fmt::format("no more in rank {}", rank);
  const trace::format::Event& event = collective->event;
  const std::string root =
      trace::format::action_shape(event.action).peers == 1 ? fmt::format(" with root {}", event.peer) : "";
  return fmt::format("{}{} of {} bytes in rank {}, event {}", trace::format::action_name(event.action), root,
                     trace::format::event_bytes(event), rank, collective->number);
}

bool same(const std::optional<Collective>& a, const std::optional<Collective>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (a->event.action != b->event.action) return false;
  if (trace::format::action_shape(a->event.action).peers == 1 && a->event.peer != b->event.peer) return false;
  const bool one_size = trace::format::action_shape(a->event.action).received == trace::format::CountForm::kNone &&
                        trace::format::action_shape(a->event.action).sent == trace::format::CountForm::kOne;
  return !one_size || trace::format::event_bytes(a->event) == trace::format::event_bytes(b->event);
}

absl::Status collectives_differ(const std::shared_ptr<const trace::format::Reader>& reader, uint32_t rank) {
  trace::format::RankCursor first(reader, 0);
  trace::format::RankCursor second(reader, rank);
  for (uint64_t number = 0;; ++number) {
    absl::StatusOr<std::optional<Collective>> a = next_collective(first);
    if (!a.ok()) return a.status();
    absl::StatusOr<std::optional<Collective>> b = next_collective(second);
    if (!b.ok()) return b.status();
    const bool end = !a->has_value() && !b->has_value();
    if (same(*a, *b) && !end) continue;
    const std::string where =
        end ? "their index says so"
            : fmt::format("collective {} is {}, but {}", number, describe(0, *a), describe(rank, *b));
    return absl::InvalidArgumentError(
        fmt::format("{}: ranks 0 and {} do not call the same collectives: {}", reader->name(), rank, where));
  }
}

const v1::PeerSummary* find_peer(const trace::format::RankFacts& facts, uint32_t rank) {
  const auto found = std::lower_bound(facts.peers.begin(), facts.peers.end(), rank,
                                      [](const v1::PeerSummary& peer, uint32_t value) { return peer.rank() < value; });
  return found != facts.peers.end() && found->rank() == rank ? &*found : nullptr;
}

// All bytes sent to `rank`, less those that its receives from named sources take, must equal what its receives from any
// source take.
absl::Status check_receives(const trace::format::Reader& reader, uint32_t rank, uint64_t sent_to_rank) {
  const trace::format::RankFacts& facts = reader.rank(rank);
  uint64_t taken = 0;
  for (const v1::PeerSummary& peer : facts.peers) {
    const v1::PeerSummary* other = find_peer(reader.rank(peer.rank()), rank);
    const uint64_t sends = other == nullptr ? 0 : other->sends();
    taken += peer.receives();
    if (peer.receives() > sends) {
      return absl::InvalidArgumentError(
          fmt::format("{}: rank {} receives {} messages from rank {}, which sends it {}: unmatched receive",
                      reader.name(), rank, peer.receives(), peer.rank(), sends));
    }
  }
  const uint64_t left = sent_to_rank - taken;
  if (facts.wildcard_receives == left) return absl::OkStatus();
  const std::string_view what = facts.wildcard_receives > left ? "unmatched receive" : "unmatched send";
  return absl::InvalidArgumentError(fmt::format("{}: rank {} receives {} messages in all, and {} are sent to it: {}",
                                                reader.name(), rank, taken + facts.wildcard_receives, sent_to_rank,
                                                what));
}

absl::Status check_messages(const trace::format::Reader& reader) {
  std::vector<uint64_t> sent_to(reader.ranks());
  for (uint32_t rank = 0; rank < reader.ranks(); ++rank) {
    for (const v1::PeerSummary& peer : reader.rank(rank).peers) sent_to[peer.rank()] += peer.sends();
  }
  for (uint32_t rank = 0; rank < reader.ranks(); ++rank) {
    if (absl::Status status = check_receives(reader, rank, sent_to[rank]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check_replayable(const std::shared_ptr<const trace::format::Reader>& reader) {
  for (uint32_t rank = 1; rank < reader->ranks(); ++rank) {
    if (reader->rank(rank).collectives_hash != reader->rank(0).collectives_hash)
      return collectives_differ(reader, rank);
  }
  return check_messages(*reader);
}

}  // namespace fabrictwin::mpi
