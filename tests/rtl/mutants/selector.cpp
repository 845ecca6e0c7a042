// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which mistake models make that scripts/mutate has prepared: the number in the environment, or none.
#include <cstdlib>

extern "C" int fabrictwin_mutant() {
  const char* number = std::getenv("FABRICTWIN_MUTANT");  // NOLINT(concurrency-mt-unsafe): nothing sets it.
  return number == nullptr ? 0 : std::atoi(number);       // NOLINT(cert-err34-c): no number is none.
}
