// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/bridges/self_process.h"

int main(int argc, char** argv) {
  if (const int code = fabrictwin::serve_if_asked(argc, argv); code >= 0) return code;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
