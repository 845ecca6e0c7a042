// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at a rank from outside: how far it is, and what it waits for.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "fmt/format.h"
#include "workloads/mpi/protocol/request_text.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin::mpi {

Time RankEngine::computes_until() const {
  return state() == v1::COMPUTE && !main_.busy_until.is_never() ? std::max(now_, main_.busy_until) : now_;
}

Time RankEngine::ran_until() const { return finished_ ? finish_time_ : std::min(computes_until(), options_.limit); }

Time RankEngine::computed() const {
  if (finished_) return totals_.compute;
  const Time end = ran_until();
  // The end of a computation with shared memory is not known: it counts as far as it has come.
  const bool open = state() == v1::COMPUTE && main_.busy_until.is_never();
  const Time all = open ? totals_.compute + (now_ - computes_since_) : totals_.compute;
  return std::min(end, all - (computes_until() - end));
}

Time RankEngine::waited() const {
  // Software that is being run has no part in the time until the last decide().
  const bool in_software =
      !finished_ && main_.busy_until > now_ && !main_.busy_until.is_never() && state() != v1::COMPUTE;
  const Time software = in_software ? totals_.software - (main_.busy_until - now_) : totals_.software;
  return std::max(Time::zero(), ran_until() - computed() - software);
}

std::optional<int32_t> RankEngine::waits_for_rank() const {
  if (idle()) return std::nullopt;
  int32_t peer = trace::format::kAnySource;
  if (main_.probes(now_)) peer = main_.steps[main_.step].peer;
  if (const protocol::MpiRequest* request = blocking_request()) {
    if (request->kind != protocol::MpiRequest::Kind::kCollective &&
        request->kind != protocol::MpiRequest::Kind::kReduction)
      peer = request->key.source;
  }
  return peer == trace::format::kAnySource ? std::nullopt : std::optional(peer);
}

std::string RankEngine::call() const {
  return fmt::format("event {} ({})", totals_.events.get() - 1, trace::format::action_name(event_.action));
}

std::string RankEngine::waits_for() const {
  if (idle()) return {};
  const std::string where = fmt::format("rank {} waits in {} for", options_.costs.rank, call());
  if (main_.probes(now_)) {
    const protocol::ReplayStep& step = main_.steps[main_.step];
    const protocol::MatchKey key{.source = step.peer, .tag = step.tag, .communicator = step.communicator};
    return fmt::format("{} a message from {}", where, protocol::key_text(key));
  }
  const protocol::MpiRequest* const request = blocking_request();
  if (request == nullptr) return {};
  return fmt::format("{} {}, started in event {} ({})", where, protocol::wait_text(*request), request->event,
                     trace::format::action_name(request->action));
}

}  // namespace fabrictwin::mpi
