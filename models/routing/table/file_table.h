// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by a table that the user has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::table {

/// A port and a class of VCs for each router and destination host. It is not free of deadlock by itself: that is proved
/// or disproved for each table. The file has one entry per line, "ROUTER DESTINATION PORT [CLASS]": names of a router,
/// of a host, or "*" for all hosts that the router has no entry for, and of a port; the class is a number from 0, and
/// without one all VCs may be taken. "#" begins a comment.
class FileTable final : public RoutingAlgorithm {
 public:
  /// Reads a file. InvalidArgument with diagnostics "FILE:LINE:COL: error: ..." if it has errors; NotFound if it cannot
  /// be read.
  static absl::StatusOr<FileTable> load(const RouterGraph& routers, const std::string& file, int32_t vcs);
  /// Parses text in memory; `file` is its name in diagnostics.
  static absl::StatusOr<FileTable> parse(const RouterGraph& routers, const std::string& text, const std::string& file,
                                         int32_t vcs);

  int32_t classes() const override { return shared_.classes(); }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;

 private:
  friend class FileTableReader;
  static constexpr int16_t kNoPort = -1;
  static constexpr int8_t kAnyClass = -1;
  struct Entry {
    int16_t port = kNoPort;
    int8_t vc_class = kAnyClass;
  };

  explicit FileTable(const RouterGraph& routers) : hosts_(static_cast<size_t>(routers.hosts())) {
    entries_.resize(static_cast<size_t>(routers.routers()) * hosts_);
  }
  Entry& at(int32_t router, int32_t host) {
    return entries_[static_cast<size_t>(host) * (entries_.size() / hosts_) + static_cast<size_t>(router)];
  }

  size_t hosts_;
  VcClasses shared_{1, 1};
  std::vector<Entry> entries_;  ///< By host, then router.
  std::vector<uint32_t> vcs_;   ///< By class; the last are the VCs without a class.
  size_t routers_ = 0;
};

}  // namespace fabrictwin::routing::table
