// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/external/transactor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::rtl::external {

absl::StatusOr<std::unique_ptr<Transactor>> Transactor::create(Setup setup, const Clock& clock,
                                                               std::vector<Channels> channels,
                                                               std::unique_ptr<Router> router) {
  for (size_t port = 0; port < setup.ports.size(); ++port) {
    if (!setup.ports[port].connected) continue;
    if (port < channels.size() && channels[port].sender != nullptr && channels[port].receiver != nullptr) continue;
    return absl::InvalidArgumentError(fmt::format("{}: port {} has no channel", setup.name, setup.ports[port].name));
  }
  const std::string name = setup.name;
  try {
    return std::unique_ptr<Transactor>(new Transactor(std::move(setup), clock, std::move(channels), std::move(router)));
  } catch (...) {
    return absl::InternalError(fmt::format("{}: the router does not say whether it is idle after reset", name));
  }
}

Transactor::Transactor(Setup setup, const Clock& clock, std::vector<Channels> channels, std::unique_ptr<Router> router)
    : setup_(std::move(setup)),
      clock_(clock),
      router_(std::move(router)),
      in_(setup_.ports.size()),
      out_(setup_.ports.size()),
      idle_(router_->idle()) {
  const link::LinkType type{.vcs = setup_.vcs, .word_bits = setup_.word_bits, .credit_words = setup_.credit_words};
  for (size_t port = 0; port < setup_.ports.size(); ++port) {
    if (!setup_.ports[port].connected) continue;
    connected_.push_back(port);
    ports_.emplace_back(channels[port], clock, type, setup_.ports[port].credits);
  }
}

absl::Status Transactor::advance(Time until) {
  for (Port& port : ports_) {
    if (absl::Status status = port.arrivals.take_records(setup_.name, *port.channels.receiver, until); !status.ok())
      return status;
  }
  const int64_t end = clock_.edge_at_or_after(until);
  while (cycle_ < end) {
    if (idle_) {
      cycle_ = std::clamp(next_arrival(), cycle_, end);
      if (cycle_ == end) break;
    }
    if (absl::Status status = step(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

Time Transactor::next_event() const {
  if (!idle_) return clock_.edge(cycle_);
  const int64_t arrival = next_arrival();
  return arrival == LinkArrivals::kNever ? Time::never() : clock_.edge(std::max(cycle_, arrival));
}

int64_t Transactor::next_arrival() const {
  int64_t next = LinkArrivals::kNever;
  for (const Port& port : ports_) next = std::min(next, port.arrivals.next_cycle());
  return next;
}

std::vector<std::string> Transactor::waits() const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < ports_.size(); ++i) {
    if (!out_[connected_[i]].stalled) continue;
    lines.push_back(fmt::format("{} waits for credits on {}", setup_.name, ports_[i].channels.sender->spec().name));
  }
  return lines;
}

// Words that were offered after the last edge leave before this one changes them.
absl::Status Transactor::step() {
  for (size_t i = 0; i < ports_.size(); ++i) {
    if (absl::Status status = sample(i); !status.ok()) return status;
    if (absl::Status status = take_word(i); !status.ok()) return status;
  }
  try {
    router_->edge(in_, out_);
    idle_ = router_->idle() &&
            std::ranges::none_of(out_, [](const Output& out) { return out.valid || out.credit_valid || out.stalled; });
    if (const std::string failure = router_->failure(); !failure.empty()) {
      return absl::DataLossError(fmt::format("{} at {}: {}", setup_.name, to_string(clock_.edge(cycle_)), failure));
    }
  } catch (const std::exception& error) {
    return absl::InternalError(
        fmt::format("{} at {}: the router failed: {}", setup_.name, to_string(clock_.edge(cycle_)), error.what()));
  } catch (...) {
    return absl::InternalError(
        fmt::format("{} at {}: the router failed and does not say why", setup_.name, to_string(clock_.edge(cycle_))));
  }
  edges_.add(1);
  for (size_t i = 0; i < ports_.size(); ++i) {
    if (absl::Status status = give_credits(i); !status.ok()) return status;
  }
  ++cycle_;
  return absl::OkStatus();
}

absl::Status Transactor::sample(size_t i) {
  Port& port = ports_[i];
  Input& in = in_[connected_[i]];
  in = Input{};
  LinkArrivals& arrivals = port.arrivals;
  if (arrivals.words.next_cycle() == cycle_) {
    const LinkArrivals::ArrivedWord& word = arrivals.words.front();
    in.valid = true;
    in.first = (word.flags & link::kStartOfPacket) != 0;
    in.last = (word.flags & link::kEndOfPacket) != 0;
    in.vc = word.vc;
    in.word = word.word;
    if (const std::string wrong = port.contract.word_comes(word.vc, in.first, in.last); !wrong.empty())
      return broken(i, wrong);
    arrivals.words.pop();
  }
  if (arrivals.credits.next_cycle() == cycle_) {
    const LinkArrivals::ArrivedCredit& credit = arrivals.credits.front();
    in.credit_valid = true;
    in.credit_vc = credit.vc;
    in.credit_count = credit.count;
    if (const std::string wrong = port.contract.credits_come(credit.vc, credit.count); !wrong.empty())
      return broken(i, wrong);
    arrivals.credits.pop();
  }
  return absl::OkStatus();
}

absl::Status Transactor::take_word(size_t i) {
  Port& port = ports_[i];
  const Output& out = out_[connected_[i]];
  if (out.stalled && port.channels.counters != nullptr) port.channels.counters->credit_stall_cycles.add(1);
  Input& in = in_[connected_[i]];
  in.ready = port.serializer.ready(cycle_);
  if (!out.valid || !in.ready) return absl::OkStatus();
  if (const std::string wrong = port.contract.word_leaves(out.vc, out.first, out.last); !wrong.empty())
    return broken(i, wrong);
  const uint8_t flags =
      static_cast<uint8_t>((out.first ? link::kStartOfPacket : 0) | (out.last ? link::kEndOfPacket : 0));
  port.channels.sender->send_word(port.serializer.accept(cycle_), out.vc, flags, out.word);
  if (port.channels.counters == nullptr) return absl::OkStatus();
  port.channels.counters->words.add(1);
  if (out.last) port.channels.counters->packets.add(1);
  return absl::OkStatus();
}

absl::Status Transactor::give_credits(size_t i) {
  const Output& out = out_[connected_[i]];
  if (!out.credit_valid || out.credit_count == 0) return absl::OkStatus();
  if (const std::string wrong = ports_[i].contract.credits_leave(out.credit_vc, out.credit_count); !wrong.empty())
    return broken(i, wrong);
  ports_[i].channels.sender->send_credit(clock_.edge(cycle_ + 1), out.credit_vc, out.credit_count);
  return absl::OkStatus();
}

absl::Status Transactor::broken(size_t i, const std::string& what) const {
  return absl::DataLossError(fmt::format("{} at {}: port {}: {}", setup_.name, to_string(clock_.edge(cycle_)),
                                         setup_.ports[connected_[i]].name, what));
}

}  // namespace fabrictwin::rtl::external
