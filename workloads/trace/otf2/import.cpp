// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/import.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/format/writer.h"
#include "workloads/trace/otf2/archive.h"

namespace fabrictwin::trace::otf2 {
namespace {

// Reads an archive twice, as the sizes of calls such as MPI_Gatherv are in the records of all members together.
class Otf2Importer {
 public:
  Otf2Importer(const Archive& archive, format::Writer& writer)
      : definitions_(archive.definitions()), archive_(archive), writer_(writer) {}

  absl::Status run() {
    if (absl::Status status = archive_.read([&](uint32_t rank, Call& call) { return note(rank, call); }); !status.ok())
      return status;
    positions_.clear();
    if (absl::Status status = archive_.read([&](uint32_t rank, Call& call) { return write(rank, call); }); !status.ok())
      return status;
    return writer_.finish();
  }

 private:
  // A call that needs the sizes of all members.
  struct SharedCall {
    uint8_t operation = 0;
    uint32_t first_rank = 0;
    std::vector<uint64_t> each;
    uint64_t known = 0;
  };
  // The communicators of single ranks share one reference, so the rank is part of the key.
  using Key = std::pair<uint32_t, uint32_t>;

  const Communicator& communicator(uint32_t reference) const { return *definitions_.communicator(reference); }
  Key key(uint32_t rank, uint32_t reference) const { return {reference, communicator(reference).self ? rank : 0}; }
  uint64_t members(uint32_t reference) const {
    return communicator(reference).self ? 1 : communicator(reference).members.size();
  }
  absl::Status error(uint32_t rank, const Call& call, const absl::Status& status) const {
    return absl::Status(status.code(), fmt::format("rank {}, record {} ({}): {}", rank, call.record,
                                                   call.collective ? otf2_collective_name(call.sizes.operation)
                                                                   : format::action_name(call.event.action),
                                                   message_of(status)));
  }
  // The index of the rank among the members. Ranks come one after the other, so results are kept for one of them.
  absl::StatusOr<uint64_t> index_of(uint32_t rank, const Call& call) {
    const Communicator& group = communicator(call.event.communicator);
    if (group.self) return 0;
    if (rank != indexed_rank_) indices_.clear();
    indexed_rank_ = rank;
    const auto known = indices_.find(call.event.communicator);
    if (known != indices_.end()) return known->second;
    const auto found = std::find(group.members.begin(), group.members.end(), rank);
    if (found == group.members.end()) {
      return error(rank, call,
                   absl::InvalidArgumentError(fmt::format("the rank is not a member of communicator {}", group.name)));
    }
    const uint64_t index = static_cast<uint64_t>(found - group.members.begin());
    indices_[call.event.communicator] = index;
    return index;
  }

  // The first pass collects sizes.
  absl::Status note(uint32_t rank, Call& call) {
    if (!call.collective || !needs_all_members(call.sizes.operation)) return absl::OkStatus();
    const absl::StatusOr<uint64_t> me = index_of(rank, call);
    if (!me.ok()) return me.status();
    const uint64_t count = members(call.event.communicator);
    const absl::StatusOr<uint64_t> bytes = contribution(call.sizes, count);
    if (!bytes.ok()) return error(rank, call, bytes.status());
    const Key group = key(rank, call.event.communicator);
    std::vector<SharedCall>& calls = shared_[group];
    const uint64_t position = positions_[{group, rank}]++;
    if (position == calls.size()) calls.push_back({call.sizes.operation, rank, std::vector<uint64_t>(count), 0});
    SharedCall& shared = calls[position];
    if (shared.operation != call.sizes.operation) {
      return error(rank, call,
                   absl::InvalidArgumentError(fmt::format("rank {} calls {} here", shared.first_rank,
                                                          otf2_collective_name(shared.operation))));
    }
    shared.each[*me] = *bytes;
    ++shared.known;
    return absl::OkStatus();
  }

  // The second pass writes events.
  absl::Status write(uint32_t rank, Call& call) {
    if (call.communicates || call.event.action == v1::COMM_FREE) {
      if (definitions_.communicator(call.event.communicator) == nullptr)
        return error(rank, call, absl::InvalidArgumentError("the communicator is not defined"));
    }
    if (call.collective) {
      if (absl::Status status = fill(rank, call); !status.ok()) return status;
    }
    if (call.communicates) {
      const absl::StatusOr<uint32_t> number = use(rank, call);
      if (!number.ok()) return number.status();
      call.event.communicator = *number;
    } else if (call.event.action == v1::COMM_FREE) {
      // A communicator that was never used does not exist in the trace.
      const auto made = numbers_.find(call.event.communicator);
      if (made == numbers_.end() || !known_.erase({rank, made->second})) return absl::OkStatus();
      call.event.count = made->second;
      call.event.communicator = 0;
    }
    if (absl::Status status = writer_.append(rank, call.event); !status.ok())
      return absl::Status(status.code(), fmt::format("{} (record {})", message_of(status), call.record));
    return call.event.action == v1::FINALIZE ? writer_.flush(rank) : absl::OkStatus();
  }

  absl::Status fill(uint32_t rank, Call& call) {
    const absl::StatusOr<uint64_t> me = index_of(rank, call);
    if (!me.ok()) return me.status();
    const uint64_t count = members(call.event.communicator);
    std::vector<uint64_t> each;
    if (needs_all_members(call.sizes.operation)) {
      const Key group = key(rank, call.event.communicator);
      const SharedCall& shared = shared_[group][positions_[{group, rank}]++];
      if (shared.known != count) {
        return error(rank, call,
                     absl::InvalidArgumentError(fmt::format("only {} of {} members call it", shared.known, count)));
      }
      each = shared.each;
    }
    if (absl::Status status = fill_collective(call.sizes, *me, count, each, call.event); !status.ok())
      return error(rank, call, status);
    if (!call.blocks) {
      call.event.action = static_cast<v1::TraceAction>(call.event.action - v1::BARRIER + v1::IBARRIER);
    }
    return absl::OkStatus();
  }

  // The number of the communicator in the trace; it is created for a rank at its first use.
  absl::StatusOr<uint32_t> use(uint32_t rank, const Call& call) {
    const uint32_t reference = call.event.communicator;
    if (definitions_.is_world(reference)) return 0;
    const auto [entry, fresh] = numbers_.emplace(reference, static_cast<uint32_t>(numbers_.size()) + 1);
    const uint32_t number = entry->second;
    if (number > format::kMaxCommunicator) {
      return error(
          rank, call,
          absl::UnimplementedError(fmt::format("a trace has at most {} communicators", format::kMaxCommunicator)));
    }
    if (known_.insert({rank, number}).second) {
      format::Event create;
      create.action = v1::COMM_CREATE;
      create.count = number;
      const Communicator& group = communicator(reference);
      create.send_counts.assign(group.members.begin(), group.members.end());
      if (group.self) create.send_counts = {rank};
      if (absl::Status status = writer_.append(rank, create); !status.ok()) return error(rank, call, status);
    }
    return number;
  }

  const Definitions& definitions_;
  const Archive& archive_;
  format::Writer& writer_;
  std::map<Key, std::vector<SharedCall>> shared_;
  std::map<std::pair<Key, uint32_t>, uint64_t> positions_;
  std::map<uint32_t, uint64_t> indices_;  // By communicator: the index of indexed_rank_.
  uint32_t indexed_rank_ = 0;
  std::map<uint32_t, uint32_t> numbers_;
  std::set<std::pair<uint32_t, uint32_t>> known_;
};

}  // namespace

absl::Status import_otf2(const std::string& path, const std::string& out) {
  absl::StatusOr<std::unique_ptr<Archive>> archive = Archive::open(path);
  if (!archive.ok()) return archive.status();
  format::Info info;
  info.ranks = static_cast<uint32_t>((*archive)->definitions().ranks().size());
  std::error_code code;
  info.application = std::filesystem::absolute(path, code).parent_path().filename().string();
  info.source = "OTF2 archive";
  absl::StatusOr<std::unique_ptr<format::Writer>> writer = format::Writer::create(out, info);
  if (!writer.ok()) return writer.status();
  return Otf2Importer(**archive, **writer).run();
}

}  // namespace fabrictwin::trace::otf2
