// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of MPI that are made from templates.
#pragma once

#include <cstddef>

namespace fabrictwin::recorder {

/// The name of a call as an argument of a template.
template <size_t kSize>
struct Name {
  constexpr Name(const char (&name)[kSize]) {  // NOLINT(google-explicit-constructor): a literal is meant
    for (size_t i = 0; i < kSize; ++i) text[i] = name[i];
  }
  char text[kSize] = {};
};

}  // namespace fabrictwin::recorder

/// Defines the function `symbol` of MPI, which mpi.h declares, as a function of the same type, which is all that
/// follows (it may have commas). C++ cannot name the parameters of a function from its type, so the dynamic linker is
/// told where the other one is.
#define FABRICTWIN_DEFINE_AS(symbol, ...)                                                   \
  extern "C" {                                                                              \
  [[maybe_unused]] static decltype(&symbol) function_of_##symbol() { return &__VA_ARGS__; } \
  decltype(symbol) symbol __attribute__((ifunc("function_of_" #symbol)));                   \
  }
