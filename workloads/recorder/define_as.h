// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines MPI functions from templates.
#pragma once

#include <cstddef>

namespace fabrictwin::recorder {

/// The name of a call as a template argument.
template <size_t kSize>
struct Name {
  constexpr Name(const char (&name)[kSize]) {  // NOLINT(google-explicit-constructor): a literal is meant
    for (size_t i = 0; i < kSize; ++i) text[i] = name[i];
  }
  char text[kSize] = {};
};

}  // namespace fabrictwin::recorder

/// Defines the function `symbol` of MPI, which mpi.h declares, as another function of the same type, given by the
/// remaining arguments (it may contain commas). C++ cannot name the parameters of a function from its type, so the
/// dynamic linker resolves the symbol at run time. The resolver is not a static function, since Clang would drop one
/// that is not called.
#define FABRICTWIN_DEFINE_AS(symbol, ...)                                                                 \
  extern "C" {                                                                                            \
  __attribute__((visibility("hidden"))) decltype(&symbol) function_of_##symbol() { return &__VA_ARGS__; } \
  decltype(symbol) symbol __attribute__((ifunc("function_of_" #symbol)));                                 \
  }
