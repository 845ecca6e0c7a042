// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of metrics that the whole program has, by its own word.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/cli_process.h"

namespace fabrictwin {

/// What `fabrictwin describe --list metrics --json` lists.
inline nlohmann::json program_catalogue() {
  const CliResult result = run_cli({"describe", "--list", "metrics", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << result.out;
  return json.is_object() ? json.at("metrics") : nlohmann::json::array();
}

}  // namespace fabrictwin
