// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/scope.h"

#include <limits>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::trace::dumpi {
namespace {

// DUMPI's numbers for MPI's predefined objects.
constexpr int64_t kWorld = 2;
constexpr int64_t kSelf = 3;
// Each rank has its own communicator under this number.
constexpr std::string_view kSelfName = "self";

}  // namespace

Scope::Scope(uint32_t rank, Communicators& communicators, Sink sink)
    : rank_(rank), communicators_(communicators), sink_(std::move(sink)) {
  names_[kWorld] = Communicators::world();
  names_[kSelf] = kSelfName;
}

absl::StatusOr<bool> Scope::make_communicator(const Call& call, bool emit_event) {
  const bool split = call.name == "MPI_Comm_split";
  if (!split && call.name != "MPI_Comm_dup") return false;
  const absl::StatusOr<int64_t> old = call.integer("oldcomm");
  const absl::StatusOr<int64_t> made = call.integer("newcomm");
  if (!old.ok()) return old.status();
  if (!made.ok()) return made.status();
  const absl::StatusOr<int64_t> color = split ? call.integer("color") : 0;
  const absl::StatusOr<int64_t> key = split ? call.integer("key") : 0;
  if (!color.ok()) return color.status();
  if (!key.ok()) return key.status();
  const auto found = names_.find(*old);
  if (found == names_.end()) return call.error(fmt::format("communicator {} does not exist", *old));
  const std::string parent = *old == kSelf ? fmt::format("{} {}", kSelfName, rank_) : found->second;
  const uint64_t count = made_[parent]++;
  names_.erase(*made);
  if ((*call.field("newcomm"))->label == "MPI_COMM_NULL") return true;
  const std::string name = fmt::format("{}/{}:{}", parent, count, *color);
  names_[*made] = name;
  if (!emit_event) {
    communicators_.join(name, parent, *key, rank_);
    return true;
  }
  const Communicators::Communicator* communicator = communicators_.find(name);
  format::Event event;
  event.action = v1::COMM_CREATE;
  event.count = communicator->number;
  event.send_counts.assign(communicator->members.begin(), communicator->members.end());
  if (absl::Status status = sink_(event); !status.ok()) return status;
  return true;
}

absl::Status Scope::note(const Call& call) {
  if (absl::StatusOr<bool> made = make_communicator(call, false); !made.ok()) return made.status();
  for (const Field& field : call.fields) {
    if (field.name == "comm" && field.label == "MPI_COMM_SELF" && !self_made_) {
      self_made_ = true;
      communicators_.join(std::string(kSelfName), Communicators::world(), 0, rank_);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const Communicators::Communicator*> Scope::communicator(const Call& call, format::Event& event) {
  const absl::StatusOr<int64_t> number = call.integer("comm");
  if (!number.ok()) return number.status();
  const auto name = names_.find(*number);
  const Communicators::Communicator* found = name == names_.end() ? nullptr : communicators_.find(name->second);
  if (found == nullptr) {
    return call.error_at(**call.field("comm"),
                         "this communicator does not exist, or was made by a call that is not supported: "
                         "MPI_Comm_dup and MPI_Comm_split are");
  }
  event.communicator = found->number;
  if (*number != kSelf) return found;
  if (self_.members.empty()) {
    self_ = {found->number, {rank_}};
    format::Event create;
    create.action = v1::COMM_CREATE;
    create.count = found->number;
    create.send_counts = {rank_};
    if (absl::Status status = sink_(create); !status.ok()) return status;
  }
  return &self_;
}

absl::StatusOr<bool> Scope::peer(const Call& call, std::string_view argument, std::string_view tag, bool receive,
                                 format::Event& event) {
  const absl::StatusOr<const Communicators::Communicator*> group = communicator(call, event);
  if (!group.ok()) return group.status();
  const absl::StatusOr<int64_t> other = call.integer(argument);
  if (!other.ok()) return other.status();
  const Field& field = **call.field(argument);
  const absl::StatusOr<int64_t> number = call.integer(tag);
  if (!number.ok()) return number.status();
  const Field& tag_field = **call.field(tag);
  if (receive && tag_field.label == "MPI_ANY_TAG") {
    event.tag = format::kAnyTag;
  } else if (*number < 0 || *number > std::numeric_limits<int32_t>::max()) {
    return call.error_at(tag_field, "tags are not negative");
  } else {
    event.tag = static_cast<int32_t>(*number);
  }
  if (receive && field.label == "MPI_ANY_SOURCE") {
    event.peer = format::kAnySource;
    return true;
  }
  // MPI_PROC_NULL is written as the MPI library's negative number for it.
  if (*other < 0) return false;
  if (static_cast<uint64_t>(*other) >= (*group)->members.size())
    return call.error_at(field, fmt::format("the communicator has {} ranks", (*group)->members.size()));
  event.peer = static_cast<int32_t>((*group)->members[static_cast<size_t>(*other)]);
  return true;
}

absl::Status Scope::read_count(const Call& call, std::string_view argument, std::string_view type,
                               v1::TraceDatatype& datatype, uint64_t& count) const {
  const absl::StatusOr<int64_t> number = call.integer(argument);
  if (!number.ok()) return number.status();
  const absl::StatusOr<Types::Amount> amount = types_.amount(call, type, argument, *number);
  if (!amount.ok()) return amount.status();
  datatype = amount->datatype;
  count = amount->count;
  return absl::OkStatus();
}

absl::Status Scope::read_counts(const Call& call, std::string_view argument, std::string_view type, size_t members,
                                v1::TraceDatatype& datatype, std::vector<uint64_t>& counts) const {
  const absl::StatusOr<std::vector<int64_t>> numbers = call.list(argument);
  if (!numbers.ok()) return numbers.status();
  if (numbers->size() != members) {
    return call.error_at(**call.field(argument), fmt::format("here are {} numbers, but the communicator has {} ranks",
                                                             numbers->size(), members));
  }
  counts.clear();
  for (const int64_t number : *numbers) {
    const absl::StatusOr<Types::Amount> amount = types_.amount(call, type, argument, number);
    if (!amount.ok()) return amount.status();
    datatype = amount->datatype;
    counts.push_back(amount->count);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Scope::free_communicator(const Call& call) {
  if (call.name != "MPI_Comm_free") return false;
  format::Event event;
  const absl::StatusOr<const Communicators::Communicator*> group = communicator(call, event);
  if (!group.ok()) return group.status();
  names_.erase(*call.integer("comm"));
  format::Event freed;
  freed.action = v1::COMM_FREE;
  freed.count = (*group)->number;
  if (absl::Status status = sink_(freed); !status.ok()) return status;
  return true;
}

}  // namespace fabrictwin::trace::dumpi
