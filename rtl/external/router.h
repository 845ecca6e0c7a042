// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a shared library with a user's own router implements: docs/models/external-router.md. It needs no library of
// FabricTwin, only headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/link/record.h"

namespace fabrictwin::rtl::external {

/// Changes when a library must be compiled anew.
inline constexpr int32_t kInterfaceVersion = 1;

/// What a router is told when it is made.
struct Setup {
  struct Port {
    std::string name;        ///< "local", "x+".
    bool connected = false;  ///< Nothing ever comes through a port that is not, and nothing may be sent.
    bool to_host = false;    ///< A host is at the other end.
    int32_t credits = 0;     ///< Credits for each VC at the beginning; each is for `credit_words` words.
  };

  std::string name;                  ///< "router[5]", for messages.
  int32_t node = 0;                  ///< The number in the name.
  std::vector<int32_t> dims;         ///< Size of the lattice, X first; empty if the topology is none.
  std::vector<int32_t> coordinates;  ///< Of the router in it.
  std::vector<Port> ports;
  int32_t hosts = 0;
  int32_t vcs = 0;
  int32_t word_bits = 0;
  int32_t credit_words = 0;
  int32_t buffer_words = 0;  ///< Of each port and VC, in words.
};

/// What comes through a port at a rising edge.
struct Input {
  bool valid = false;  ///< A word comes. Its sender has had a credit for it.
  bool first = false;  ///< It is the first word of a header.
  bool last = false;   ///< It is a footer.
  uint8_t vc = 0;
  bool credit_valid = false;  ///< Credits come.
  uint8_t credit_vc = 0;
  uint8_t credit_count = 0;
  bool ready = false;  ///< The link takes the word that is offered, if one is.
  link::Word word;
};

/// What registers at a port hold after a rising edge.
struct Output {
  bool valid = false;  ///< A word is offered. It stays the same until an edge at which `ready` was set.
  bool first = false;
  bool last = false;
  uint8_t vc = 0;
  bool credit_valid = false;  ///< Credits are given back, once for each edge after which this is set.
  uint8_t credit_vc = 0;
  uint8_t credit_count = 0;
  bool stalled = false;  ///< A packet waits for credits of this port and for nothing else.
  link::Word word;
};

/// A clocked router. Edges at which it is idle, offers no word, gives no credits and is not stalled, and at which
/// nothing comes, are left out. Used by one thread at a time, which need not be the same; several routers are used by
/// several threads at once. Exceptions end the run with a message.
class Router {
 public:
  virtual ~Router() = default;

  /// One rising edge of its clock. Both have an element for each port; `out` comes as the last edge left it.
  virtual void edge(std::span<const Input> in, std::span<Output> out) = 0;
  /// No edge without an input changes anything, nor after reset before the first one.
  virtual bool idle() const = 0;
  /// What is broken, as a reason to end the run; empty if nothing is.
  virtual std::string failure() const { return {}; }
};

}  // namespace fabrictwin::rtl::external

/// What the library defines.
extern "C" {
/// Is fabrictwin::rtl::external::kInterfaceVersion.
// NOLINTNEXTLINE(readability-identifier-naming): it is a name of C, which says whose it is as functions do.
[[gnu::visibility("default")]] extern const int32_t fabrictwin_external_router_version;
/// Makes a router after reset; called once for each of them, from one thread. The caller deletes it. Exceptions end the
/// run with a message.
[[gnu::visibility("default")]] fabrictwin::rtl::external::Router* fabrictwin_make_external_router(
    const fabrictwin::rtl::external::Setup& setup);
}
