// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/karma/karma_top.h"

#include "VKarmaLink__inputs.h"
#include "VKarmaNode__inputs.h"
#include "VKarmaRouter__inputs.h"
#include "rtl/transactor/single_thread_context.h"
#include "rtl/transactor/verilated_clock.h"

namespace fabrictwin::rtl::karma {
namespace {

template <class Wide>
Counts counts_of(const Wide& wide) {
  const auto word = [&](int index) { return uint32_t{wide[index]}; };
  const auto two = [&](int index) { return uint64_t{word(index + 1)} << 32 | word(index); };
  return {word(0), word(1), word(2), two(3), word(5), word(6), word(7), two(8)};
}

template <class Model>
class VerilatedKarmaTop final : public Top {
 public:
  VerilatedKarmaTop() { zero_inputs(model_); }
  void edge(const Pins& pins) override {
    model_.rst_ni = pins.reset ? 0 : 1;
    model_.clear_i = pins.clear ? 1 : 0;
    model_.start_i = pins.start ? 1 : 0;
    model_.senders_i = pins.senders;
    model_.packets_i = pins.packets;
    model_.ping_i = pins.ping ? 1 : 0;
    model_.pattern_i = pins.pattern;
    model_.payload_bytes_i = pins.payload_bytes;
    model_.hops_i = pins.hops;
    model_.error_rate_i = pins.error_rate;
    rising_edge_in_two(model_);
  }
  Counts sink() const override { return counts_of(model_.sink_o); }
  Counts echo() const override { return counts_of(model_.echo_o); }
  bool busy() const override { return model_.busy_o != 0; }

 private:
  SingleThreadContext context_;
  Model model_{&context_};
};

}  // namespace

std::unique_ptr<Top> Top::create(TopKind kind) {
  switch (kind) {
    case TopKind::kRouter:
      return std::make_unique<VerilatedKarmaTop<VKarmaRouter>>();
    case TopKind::kLink:
      return std::make_unique<VerilatedKarmaTop<VKarmaLink>>();
    case TopKind::kNode:
      return std::make_unique<VerilatedKarmaTop<VKarmaNode>>();
  }
  return nullptr;
}

}  // namespace fabrictwin::rtl::karma
