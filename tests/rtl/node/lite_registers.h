// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers behind the AXI4-Lite port of a module under test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/rtl/node/axi_masters.h"

namespace fabrictwin::test {

/// What a slave answers to one access.
struct RegisterAnswer {
  uint32_t data = 0;
  bool error = false;
};

/// Sets the inputs of the AXI4-Lite port of `model`.
template <class Model>
void drive_lite(Model& model, const MasterPins& pins, unsigned strobes) {
  model.awvalid_i = pins.aw;
  model.wvalid_i = pins.w;
  model.arvalid_i = pins.ar;
  model.awaddr_i = model.araddr_i = static_cast<uint16_t>(pins.address);
  model.wdata_i = pins.data[0];
  model.wstrb_i = static_cast<uint8_t>(strobes);
  model.bready_i = pins.b;
  model.rready_i = pins.r;
}

/// What the AXI4-Lite port of `model` answers to its inputs.
template <class Model>
SlavePins lite_answer(const Model& model) {
  return {.aw = model.awready_o != 0,
          .w = model.wready_o != 0,
          .ar = model.arready_o != 0,
          .b = model.bvalid_o != 0,
          .r = model.rvalid_o != 0,
          .resp = model.bvalid_o != 0 ? model.bresp_o : model.rresp_o,
          .data = {model.rdata_o}};
}

/// Makes one access and calls `step`, which simulates one clock cycle, until its answer is here.
template <class Step>
RegisterAnswer finish(RegisterMaster& master, RegisterAccess access, Step step) {
  RegisterAnswer answer;
  bool done = false;
  access.done = [&](const std::vector<Word128>& words, bool error) {
    answer = {words.empty() ? 0 : words[0][0], error};
    done = true;
  };
  master.push(std::move(access));
  for (int i = 0; i < 1000 && !done; ++i) step();
  EXPECT_TRUE(done) << "the access has no end";
  return answer;
}

}  // namespace fabrictwin::test
