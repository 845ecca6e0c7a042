// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Prometheus's own check of a page of metrics.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace fabrictwin {

/// What `promtool check metrics` complains of.
inline std::string promtool_complaints(const std::string& page) {
  const std::string file = ::testing::TempDir() + "fabrictwin_scrape_" + std::to_string(getpid()) + ".txt";
  std::ofstream(file) << page;
  FILE* promtool = popen(("promtool check metrics < '" + file + "' 2>&1").c_str(), "r");
  if (promtool == nullptr) return "promtool cannot be started";
  std::string complaints;
  char buffer[512];
  while (fgets(buffer, sizeof(buffer), promtool) != nullptr) complaints += buffer;
  const int status = pclose(promtool);
  std::remove(file.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "promtool (Debian: prometheus) ended with " << status;
  return complaints;
}

}  // namespace fabrictwin
