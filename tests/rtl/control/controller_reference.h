// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a Target Controller should do, edge by edge, from the table of its registers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "rtl/control/register_map.h"
#include "tests/rtl/control/controller_pins.h"

namespace fabrictwin {

struct AxiAnswer {
  uint32_t resp = 0;
  uint32_t data = 0;
  bool operator==(const AxiAnswer&) const = default;
};

inline constexpr uint32_t kAxiOkay = 0;
inline constexpr uint32_t kAxiSlaveError = 2;

class ControllerReference {
 public:
  ControllerReference(const rtl::control::RegisterMap& map, const ControllerShape& shape);

  /// An edge that sees these pins of both sides. A handshake is an edge with both valid and ready high.
  void edge(const AxiMasterPins& master, const AxiSlavePins& slave, const NetworkStatus& status);

  /// After the last edge.
  NetworkSettings settings() const;
  const std::optional<AxiAnswer>& write_answer() const { return write_answer_; }  ///< What has to be on the B channel.
  const std::optional<AxiAnswer>& read_answer() const { return read_answer_; }    ///< What has to be on the R channel.
  /// A channel took what it must not take: a write or a read while another one is not answered.
  const std::string& fault() const { return fault_; }
  /// Bits that an event has set while they were cleared.
  int races() const { return races_; }

  struct Position {
    const rtl::control::RegisterEntry* entry = nullptr;
    int copy = 0;
  };
  std::optional<Position> find(uint32_t address) const;
  int copies_of(const rtl::control::RegisterEntry& entry) const;
  /// What a read would give now.
  uint32_t read(const Position& position, const NetworkStatus& status) const;

 private:
  using Key = std::pair<std::string, int>;  // Register and copy.
  struct WriteData {
    uint32_t data = 0;
    uint32_t bytes = 0;
  };
  uint32_t field(const std::string& name, const std::string& field, int copy = 0) const;
  uint32_t hardware(const rtl::control::RegisterEntry& entry, const std::string& field, int copy,
                    const NetworkStatus& status) const;
  uint32_t events(const rtl::control::RegisterEntry& entry, int copy, const NetworkStatus& status) const;
  bool any(const std::string& name) const;

  const rtl::control::RegisterMap& map_;
  ControllerShape shape_;
  std::map<Key, uint32_t> values_;  // What can be written.
  NetworkStatus before_;
  int free_edges_ = 0;  // Since soft_reset is 0.
  bool in_reset_ = true;
  std::optional<uint32_t> write_address_;
  std::optional<WriteData> write_data_;
  std::optional<uint32_t> read_address_;
  std::optional<AxiAnswer> write_answer_;
  std::optional<AxiAnswer> read_answer_;
  std::string fault_;
  int races_ = 0;
};

}  // namespace fabrictwin
