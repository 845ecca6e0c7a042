// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The context of models in test benches: registers and memories begin with random values, as those of hardware may.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "cosim/base/random.h"
#include "rtl/transactor/single_thread_context.h"

namespace fabrictwin::test {

/// A seed for the next model of the test that runs: a function of the test's name, of how many models it had before,
/// and of the seed in RC_PARAMS, so that a test finds the same state when it runs alone.
inline uint32_t next_state_seed() {
  static std::string test;
  static uint64_t models = 0;
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = info == nullptr ? "" : std::string(info->test_suite_name()) + "." + info->name();
  models = name == test ? models + 1 : 0;
  test = name;
  const char* parameters = std::getenv("RC_PARAMS");  // NOLINT(concurrency-mt-unsafe): nothing sets it.
  uint64_t seed = mix64(models);
  for (const char c : name + (parameters == nullptr ? "" : parameters)) seed = mix64(seed ^ static_cast<uint8_t>(c));
  return static_cast<uint32_t>(seed >> 33) + 1;  // Zero would be another seed each time.
}

/// The models of a context are to be made with FABRICTWIN_MODEL_STATE unique, otherwise they begin with zeros.
struct RandomStateContext : rtl::SingleThreadContext {
  RandomStateContext() {
    randReset(2);
    randSeed(static_cast<int>(next_state_seed()));
  }
};

/// While it exists, devices of the product that are made with ANY_STATE begin with random values, too. One for a
/// program, before its tests begin.
class RandomDevices {
 public:
  RandomDevices() { rtl::state_seed() = next_state_seed; }
  ~RandomDevices() { rtl::state_seed() = nullptr; }
  RandomDevices(const RandomDevices&) = delete;
  RandomDevices& operator=(const RandomDevices&) = delete;
};

/// While it exists, models of a context assert nothing: resets that are registers have no effect in their first cycle,
/// in which everything is random.
class WithoutAssertions {
 public:
  explicit WithoutAssertions(VerilatedContext& context) : context_(context) { context_.assertOn(false); }
  ~WithoutAssertions() { context_.assertOn(true); }
  WithoutAssertions(const WithoutAssertions&) = delete;
  WithoutAssertions& operator=(const WithoutAssertions&) = delete;

 private:
  VerilatedContext& context_;
};

}  // namespace fabrictwin::test
