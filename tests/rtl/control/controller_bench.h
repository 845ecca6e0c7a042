// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An AXI4-Lite master with random stalls before a Target Controller, and a network IP that counts behind it; each edge
// is compared with the reference.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include "tests/rtl/control/controller_pins.h"
#include "tests/rtl/control/controller_reference.h"

namespace fabrictwin {

/// How often the named cases were met.
struct ControllerCoverage {
  int address_first = 0;  ///< A write's address was taken before its data.
  int data_first = 0;
  int together = 0;
  int write_stalled = 0;  ///< An answer waited for the master.
  int read_stalled = 0;
  int write_waited = 0;  ///< The next address waited for the answer of the write before.
  int read_waited = 0;
  int both_answered = 0;  ///< A write and a read were answered at one edge.
  int under_way = 0;      ///< An access was, after an edge.
  int at_rest = 0;        ///< None was, and none has been for a while.
};

class ControllerBench {
 public:
  ControllerBench(ControllerVariant variant, const rtl::control::RegisterMap& map, uint32_t seed);

  /// Chance in percent that a channel of the master rests for a cycle.
  void set_stalls(int percent) { stalls_ = percent; }
  /// Chance in percent that a counter or a level changes at an edge. Counters step by up to 3.
  void set_events(int percent) { events_ = percent; }

  /// Queue an access; addresses and data of writes go their own ways.
  void submit_write(uint32_t address, uint32_t data, uint32_t strobes = 15);
  void submit_read(uint32_t address);
  bool busy() const { return writes_ != 0 || reads_ != 0; }
  int queued() const { return writes_ + reads_; }

  /// One access, with nothing else queued.
  AxiAnswer write(uint32_t address, uint32_t data, uint32_t strobes = 15);
  AxiAnswer read(uint32_t address);

  /// One edge, compared with the reference.
  void step();
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }

  NetworkStatus& status() { return status_; }
  NetworkSettings settings() const { return pins_->settings(); }
  const ControllerReference& reference() const { return reference_; }
  const ControllerShape& shape() const { return shape_; }
  const ControllerCoverage& coverage() const { return coverage_; }
  std::mt19937& random() { return random_; }

 private:
  struct Data {
    uint32_t data;
    uint32_t strobes;
  };
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  void finish();
  void drive();
  void observe(const AxiSlavePins& before);
  void compare();
  void compare_idle(bool was_idle, const NetworkSettings& before);
  void run_network();

  std::unique_ptr<ControllerPins> pins_;
  ControllerShape shape_;
  ControllerReference reference_;
  std::mt19937 random_;
  int stalls_ = 0;
  int events_ = 0;
  NetworkStatus status_;
  AxiMasterPins master_;
  std::deque<uint32_t> write_addresses_;
  std::deque<Data> write_data_;
  std::deque<uint32_t> read_addresses_;
  int writes_ = 0;  // Not answered yet.
  int reads_ = 0;
  AxiAnswer last_write_;
  AxiAnswer last_read_;
  bool address_taken_ = false;  // Of the write that is not answered yet.
  bool data_taken_ = false;
  bool read_taken_ = false;
  int rest_ = 0;  // Edges without an access and without a change.
  ControllerCoverage coverage_;
};

}  // namespace fabrictwin
