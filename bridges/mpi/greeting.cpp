// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/greeting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bridges/mpi/messages.h"
#include "bridges/protocol/backoff.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::bridges::mpi {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Fields have no line ends in them.
constexpr char kEnd = '\n';

std::string on_one_line(std::string text) {
  std::ranges::replace(text, kEnd, ' ');
  return text;
}

std::string to_text(const Identity& identity, const std::string& machine) {
  return fmt::format("{}", fmt::join({identity.version, identity.commit, identity.experiment,
                                      on_one_line(identity.changes), on_one_line(identity.failure), machine},
                                     std::string_view(&kEnd, 1)));
}

/// The fields of to_text().
std::array<std::string, 6> fields_of(const std::string& text) {
  std::array<std::string, 6> fields;
  size_t at = 0;
  for (std::string& field : fields) {
    const size_t end = std::min(text.find(kEnd, at), text.size());
    field = text.substr(std::min(at, text.size()), end - std::min(at, text.size()));
    at = end + 1;
  }
  return fields;
}

/// Waits for a message, from any rank or with any tag if these are World::kAny; DeadlineExceeded if none comes until
/// `deadline`.
absl::StatusOr<Message> wait_for(World& world, int from, int tag,
                                 SteadyClock::time_point deadline = SteadyClock::time_point::max()) {
  protocol::Backoff backoff;
  while (true) {
    absl::StatusOr<std::optional<Message>> message = world.receive(from, tag);
    if (!message.ok()) return message.status();
    if (message->has_value()) return **std::move(message);
    if (SteadyClock::now() >= deadline) return absl::DeadlineExceededError("a rank does not answer");
    backoff.wait();
  }
}

/// What is wrong with a rank that says `text`, as rank 0 sees it; empty if nothing is.
std::string difference(const Identity& own, int rank, const std::string& text) {
  const auto& [version, commit, experiment, changes, failure, machine] = fields_of(text);
  const std::string who = fmt::format("rank {} ({})", rank, machine);
  if (!failure.empty()) return fmt::format("{}: {}", who, failure);
  if (version != own.version)
    return fmt::format("{} is fabrictwin {} and rank 0 is {}; start the same version in all ranks", who, version,
                       own.version);
  if (commit != own.commit) {
    const auto name = [](const std::string& of) { return of.empty() ? "sources without a commit" : of; };
    return fmt::format("{} was built from {} and rank 0 from {}; start the same program in all ranks", who,
                       name(commit), name(own.commit));
  }
  const std::string own_changes = on_one_line(own.changes);
  if (changes != own_changes) {
    const auto name = [](const std::string& of) { return of.empty() ? "none" : of; };
    return fmt::format(
        "{} changes the experiment by other arguments than rank 0: {}, and not {}; give all ranks the same", who,
        name(changes), name(own_changes));
  }
  if (experiment == own.experiment) return {};
  return experiment.empty()
             ? fmt::format("{} cannot read the experiment; give it a file that all ranks have under this name", who)
             : fmt::format("{} has another text in the file of the experiment than rank 0; give all ranks the same",
                           who);
}

absl::StatusOr<std::string> compare(World& world, const Identity& identity) {
  std::vector<std::string> differences;
  for (int rank = 1; rank < world.size(); ++rank) {
    const absl::StatusOr<Message> message = wait_for(world, rank, kGreeting);
    if (!message.ok()) return message.status();
    std::string found = difference(identity, rank, message->bytes);
    if (!found.empty()) differences.push_back(std::move(found));
  }
  if (!identity.failure.empty()) return fmt::format("rank 0: {}", identity.failure);
  return fmt::format("{}", fmt::join(differences, "\n"));
}

}  // namespace

absl::Status greet(World& world, const Identity& identity) {
  std::string verdict;
  if (world.rank() == 0) {
    absl::StatusOr<std::string> compared = compare(world, identity);
    if (!compared.ok()) return compared.status();
    verdict = *std::move(compared);
    for (int rank = 1; rank < world.size(); ++rank) {
      if (absl::Status status = world.send(rank, kGreeting, verdict); !status.ok()) return status;
    }
  } else {
    const std::string text = to_text(identity, world.processor_name());
    if (absl::Status status = world.send(0, kGreeting, text); !status.ok()) return status;
    absl::StatusOr<Message> message = wait_for(world, 0, kGreeting);
    if (!message.ok()) return message.status();
    verdict = std::move(message->bytes);
  }
  return verdict.empty() ? absl::OkStatus() : absl::FailedPreconditionError(verdict);
}

void dismiss(World& world, std::chrono::milliseconds patience) {
  absl::Status status;
  for (int rank = 1; rank < world.size() && status.ok(); ++rank) status = world.send(rank, kBye, {});
  const auto deadline = SteadyClock::now() + patience;
  // Whatever else still comes, of a run that has failed, has to be taken: a rank does not end before it is gone.
  for (int left = world.size() - 1; left > 0 && status.ok();) {
    const absl::StatusOr<Message> message = wait_for(world, World::kAny, World::kAny, deadline);
    status = message.status();
    if (message.ok() && message->tag == kBye) --left;
  }
  if (!status.ok()) world.abort(1, fmt::format("the ranks are ended: {}", message_of(status)));
}

}  // namespace fabrictwin::bridges::mpi
