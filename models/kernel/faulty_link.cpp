// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/faulty_link.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::kernel {

FaultyLink::FaultyLink(const sc_core::sc_module_name& name, const std::array<Direction, 2>& directions)
    : sc_module(name), in("in", 2), out("out", 2) {
  for (int end = 0; end < 2; ++end) {
    states_[static_cast<size_t>(end)].direction = directions[static_cast<size_t>(end)];
    in[static_cast<size_t>(end)].register_b_transport(this, &FaultyLink::receive, end);
  }
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
}

void FaultyLink::receive(int end, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (extension->kind == link::RecordKind::kCredit) {
    receive_credit(end, {extension->sent, extension->vc, extension->count});
  } else {
    for_each_word(payload, *extension, [&](int64_t slot, uint8_t flags, const link::Word& word) {
      receive_word(end, {slot, word, extension->vc, flags});
    });
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  schedule();
}

void FaultyLink::receive_word(int end, const link::WordFaults::Sent& sent) {
  State& state = states_[static_cast<size_t>(end)];
  link::WordFaults* const faults = state.direction.faults;
  if (faults == nullptr) return send_word(end, sent);
  if (const auto passed = faults->pass(sent); passed.has_value()) {
    // The receiver takes words in the order of their arrival.
    const bool first = state.words.empty() || passed->slot < state.words.front().slot;
    if (passed->slot == sent.slot && first) {
      send_word(end, *passed);
    } else {
      state.words.push_back(*passed);
    }
  }
  const Time back = states_[static_cast<size_t>(1 - end)].direction.latency;
  for (link::WordFaults::Returned returned; faults->take_returned(returned);)
    add_late(1 - end, {returned.arrival - back, returned.vc, returned.count});
}

void FaultyLink::receive_credit(int end, const LateCredit& credit) {
  link::WordFaults* const faults = states_[static_cast<size_t>(end)].direction.faults;
  const Time sent = faults == nullptr ? credit.sent : faults->credit(credit.sent, credit.vc);
  if (sent == credit.sent) return send_credit(end, credit);
  if (!sent.is_never()) add_late(end, {sent, credit.vc, credit.count});
}

void FaultyLink::add_late(int end, const LateCredit& credit) {
  Fifo<LateCredit>& credits = states_[static_cast<size_t>(end)].credits;
  credits.push_back(credit);
  const auto later = [](const LateCredit& a, const LateCredit& b) {
    return a.sent > b.sent || (a.sent == b.sent && a.vc > b.vc);
  };
  for (size_t i = credits.size() - 1; i > 0 && later(credits[i - 1], credits[i]); --i)
    std::swap(credits[i - 1], credits[i]);
}

void FaultyLink::send_word(int end, const link::WordFaults::Sent& word) {
  sc_core::sc_time delay;
  out[static_cast<size_t>(1 - end)]->b_transport(transaction_.burst(&word.word, 1, word.slot, word.vc, word.flags),
                                                 delay);
}

void FaultyLink::send_credit(int end, const LateCredit& credit) {
  sc_core::sc_time delay;
  out[static_cast<size_t>(1 - end)]->b_transport(transaction_.credit(credit.sent, credit.vc, credit.count), delay);
}

void FaultyLink::work() {
  for (int end = 0; end < 2; ++end) {
    State& state = states_[static_cast<size_t>(end)];
    for (; !state.credits.empty() && state.credits.front().sent <= now(); state.credits.pop_front())
      send_credit(end, state.credits.front());
    const Clock& clock = state.direction.word_clock;
    for (; !state.words.empty() && clock.edge(state.words.front().slot) <= now(); state.words.pop_front())
      send_word(end, state.words.front());
  }
  schedule();
}

void FaultyLink::schedule() {
  Time next = Time::never();
  for (const State& state : states_) {
    if (!state.credits.empty()) next = std::min(next, state.credits.front().sent);
    if (!state.words.empty()) next = std::min(next, state.direction.word_clock.edge(state.words.front().slot));
  }
  // SystemC keeps the earlier of two pending notifications; a premature wake-up does nothing.
  if (!next.is_never()) work_event_.notify(to_sc_time(std::max(next, now()) - now()));
}

}  // namespace fabrictwin::kernel
