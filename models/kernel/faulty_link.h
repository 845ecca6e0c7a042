// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A link inside a model partition that has faults.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "cosim/base/clock.h"
#include "cosim/base/fifo.h"
#include "cosim/base/time.h"
#include "cosim/link/word_faults.h"
#include "models/kernel/link_transaction.h"

namespace fabrictwin::kernel {

/// Stands between two ports of the fabric. Words and credits that no fault delays go on at once, as they would without
/// it. Not thread-safe.
class FaultyLink : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FaultyLink);

  /// What goes from one end to the other.
  struct Direction {
    link::WordFaults* faults = nullptr;  ///< Outlives the module. Null: it has none.
    Clock word_clock{Frequency{1}};
    Time latency;
  };

  /// `directions` by the end at which they begin.
  FaultyLink(const sc_core::sc_module_name& name, const std::array<Direction, 2>& directions);

  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<FaultyLink>> in;  ///< By end: from there.
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<FaultyLink>> out;     ///< By end: to there.

 private:
  struct LateCredit {
    Time sent;
    uint8_t vc = 0;
    uint8_t count = 0;
  };
  struct State {
    Direction direction;
    Fifo<link::WordFaults::Sent> words;  ///< Those that wait, in the order of their slots.
    Fifo<LateCredit> credits;            ///< Those that are late, by (time, vc).
  };

  void receive(int end, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void receive_word(int end, const link::WordFaults::Sent& sent);
  void receive_credit(int end, const LateCredit& credit);
  void add_late(int end, const LateCredit& credit);
  void send_word(int end, const link::WordFaults::Sent& word);
  void send_credit(int end, const LateCredit& credit);
  /// Sends what is due.
  void work();
  void schedule();
  static Time now() { return from_sc_time(sc_core::sc_time_stamp()); }

  std::array<State, 2> states_;
  sc_core::sc_event work_event_;
  LinkTransaction transaction_;
};

}  // namespace fabrictwin::kernel
