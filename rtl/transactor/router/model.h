// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated ExaNet router without Verilator types: its pins and its clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/link/packet_mark.h"
#include "cosim/link/record.h"
#include "cosim/system/route_table.h"

namespace fabrictwin::rtl::router {

inline constexpr int kRouterPorts = 7;       ///< Default of exanet_router's NumPorts.
inline constexpr int kWideRouterPorts = 16;  ///< NumPorts of routers with more than kRouterPorts and at most this many.
inline constexpr int kLargeRouterPorts = 64;  ///< The most that it can be built with.
inline constexpr int kRouterDims = 3;
inline constexpr int kRouterBufferWords = 64;         ///< exanet_router's BufferWords.
inline constexpr int kRouteTableDestinations = 1024;  ///< RouteTableEntries of a model with route tables.

/// The pins of rtl/exanet/exanet_router.sv with this many ports, which documents them. Bit (or slice) p of each belongs
/// to port p; pin_slices.h reads and writes them. They point into the model.
template <int kPorts>
struct BasicPins {
  using Bits = std::conditional_t<kPorts <= 8, uint8_t, std::conditional_t<kPorts <= 16, uint16_t, uint64_t>>;
  /// One number, or the 32-bit words of a longer one; credits have this form too.
  using Healths = std::conditional_t<3 * kPorts <= 32 || (3 * kPorts > 64), uint32_t, uint64_t>;
  using Credits = std::conditional_t<8 * kPorts <= 64, uint64_t, uint32_t>;

  uint8_t* rst_ni;
  uint32_t* coordinates_i;
  uint32_t* last_i;
  uint8_t* table_enable_i;
  uint8_t* table_we_i;
  uint8_t* table_input_i;
  uint16_t* table_address_i;
  uint8_t* table_data_i;
  Bits* port_enable_i;
  Credits* initial_credits_i;
  uint16_t* mark_threshold_i;
  uint16_t* mark_rate_i;
  uint8_t* mark_least_i;
  Bits* mark_hosts_i;
  uint8_t* health_i;

  Bits* rx_valid_i;
  Bits* rx_vc_i;
  Bits* rx_sop_i;
  Bits* rx_eop_i;
  uint32_t* rx_data_i;  ///< Four 32-bit words per port, the lowest first.
  const Bits* credit_valid_o;
  const Bits* credit_vc_o;
  const Credits* credit_count_o;
  const Healths* credit_health_o;

  const Bits* tx_valid_o;
  const Bits* tx_vc_o;
  const Bits* tx_sop_o;
  const Bits* tx_eop_o;
  const uint32_t* tx_data_o;
  Bits* tx_ready_i;
  Bits* credit_valid_i;
  Bits* credit_vc_i;
  Credits* credit_count_i;
  Healths* credit_health_i;

  const uint8_t* idle_o;
  const Bits* credit_stall_o;
  const Bits* error_o;
  const Healths* neighbour_health_o;
};
using Pins = BasicPins<kRouterPorts>;
using WidePins = BasicPins<kWideRouterPorts>;
using LargePins = BasicPins<kLargeRouterPorts>;

/// The identity that a router reads while reset is low. Ports that it does not have are ignored.
struct Identity {
  std::array<uint8_t, kRouterDims> coordinates{};
  std::array<uint16_t, kRouterDims> dims{1, 1, 1};  ///< Lattice sizes, 1 to 256.
  uint64_t port_enable = 0;                         ///< Bit p: port p is connected.
  std::array<uint8_t, kLargeRouterPorts> initial_credits{};
  link::PacketMarking marking;  ///< When outputs mark packets; `hosts` says whether `host_ports` counts.
  uint64_t host_ports = 0;      ///< Bit p: port p leads to a host.
  /// Routes by table, for networks other than a torus: for each input VC in order the entries of `route_destinations`,
  /// as in RouteTable; input VCs that are omitted get no packets. Empty: by coordinates.
  std::vector<system::RouteTable::Entry> routes{};
  int32_t route_destinations = 0;
};

/// One Verilated router with this many ports. Used by one thread at a time; different routers share nothing.
template <int kPorts>
class BasicModel {
 public:
  virtual ~BasicModel() = default;
  BasicModel(const BasicModel&) = delete;
  BasicModel& operator=(const BasicModel&) = delete;

  const BasicPins<kPorts>& pins() const { return pins_; }

  /// Resets the router and gives it its identity; only a model with tables may have routes. All input pins are low
  /// afterwards.
  void reset(const Identity& identity);

  /// Evaluates a rising clock edge, in one evaluation.
  virtual void edge() = 0;
  /// Evaluates a rising clock edge with clock low and clock high, for models in which the clock itself is observed.
  virtual void edge_in_two() = 0;
  /// Evaluates a rising clock edge and writes it to the waveform: the inputs change at `inputs`, the edge is at `at`.
  /// Equals edge_in_two() if there is no waveform.
  virtual void edge_traced(Time inputs, Time at) = 0;

  /// Ends the waveform, if there is one: nothing more is written to it. An error names the file if it is incomplete.
  virtual absl::Status finish_wave() { return absl::OkStatus(); }

  /// The whole state, pins included. For tests that compare two routers.
  virtual std::span<const std::byte> state() const = 0;

 protected:
  BasicModel() = default;
  BasicPins<kPorts> pins_{};

 private:
  void write_routes(const Identity& identity);
};
using Model = BasicModel<kRouterPorts>;
using WideModel = BasicModel<kWideRouterPorts>;
using LargeModel = BasicModel<kLargeRouterPorts>;

/// A router without support for waveforms and route tables, which makes it faster.
std::unique_ptr<Model> make_router_model();

/// A router with route tables of kRouteTableDestinations destinations.
std::unique_ptr<Model> make_table_router_model();

/// A router with kWideRouterPorts ports.
std::unique_ptr<WideModel> make_wide_router_model();

/// A router with kLargeRouterPorts ports and support for waveforms: it takes long to compile, so there is only one.
std::unique_ptr<LargeModel> make_large_router_model();

/// A router with route tables that writes waveforms to an FST file, with times in femtoseconds. PermissionDenied if the
/// file cannot be written. The file is complete once the router is destroyed.
absl::StatusOr<std::unique_ptr<Model>> make_traced_router_model(const std::string& file, const std::string& name);
absl::StatusOr<std::unique_ptr<WideModel>> make_traced_wide_router_model(const std::string& file,
                                                                         const std::string& name);
absl::StatusOr<std::unique_ptr<LargeModel>> make_traced_large_router_model(const std::string& file,
                                                                           const std::string& name);

}  // namespace fabrictwin::rtl::router
