// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/host_ranges.h"

namespace fabrictwin::placement {
namespace {

constexpr int kMaxTorusDimensions = 3;

experiment::HostRanges check_hosts(const std::string& path, const std::string& text, experiment::FieldChecker& fields) {
  if (text.empty()) return {};
  absl::StatusOr<experiment::HostRanges> ranges = experiment::parse_host_ranges(text);
  if (ranges.ok()) return *std::move(ranges);
  const bool twice = absl::IsAlreadyExists(ranges.status());
  fields.complain(path, fmt::format("hosts \"{}\": {}{}", text, message_of(ranges.status()),
                                    twice ? " and say with ranks_per_host how many ranks it takes" : ""));
  return {};
}

/// The source location for mistakes of a placement that are found only when the system has been built: the field that
/// selects the hosts, else the number of ranks, else the placement.
experiment::SourceLocation location_of(const std::string& path, const std::string& ranks_path, v1::Placement::Kind kind,
                                       const experiment::LocationMap& locations) {
  if (kind == v1::Placement::FROM_FILE) return locations.find(path + ".file");
  if (kind == v1::Placement::VIRTUAL_TORUS) return locations.find(path + ".virtual_torus[0]");
  if (locations.has(path + ".hosts")) return locations.find(path + ".hosts");
  const std::string on_each = path + ".ranks_per_host";
  if (locations.overridden(on_each)) return locations.find(on_each);
  return locations.find(locations.has(ranks_path) ? ranks_path : path);
}

}  // namespace

PlacementSpec check_placement(const std::string& path, const std::string& ranks_path, v1::Placement& placement,
                              const experiment::FileChecker& files, experiment::FieldChecker& fields) {
  PlacementSpec spec;
  const experiment::MessageReader reader(placement, path, fields);
  spec.kind = reader.choice<v1::Placement::Kind>("kind");
  const auto field = [&](std::string_view name) { return fmt::format("{}.{}", path, name); };
  if (!v1::Placement::Kind_IsValid(spec.kind)) {
    fields.complain(field("kind"), "unknown kind; write BLOCK, ROUND_ROBIN, RANDOM, FROM_FILE, CURVE or VIRTUAL_TORUS");
    spec.kind = reader.default_choice<v1::Placement::Kind>("kind");
  }
  spec.location = location_of(path, ranks_path, spec.kind, fields.locations());
  spec.kind_location = fields.locations().find(field("kind"));
  spec.ranks_per_host_location = fields.locations().find(field("ranks_per_host"));
  spec.ranks_per_host = reader.number("ranks_per_host", 1, kMaxRanksPerHost);
  spec.hosts = check_hosts(field("hosts"), placement.hosts(), fields);

  // A user who sets the placement by an argument need not remove the fields of another kind from the file.
  const auto left_over = [&](std::string_view name) {
    return fields.locations().overridden(field("kind")) && !fields.locations().overridden(field(name));
  };
  const bool from_file = spec.kind == v1::Placement::FROM_FILE;
  if (!from_file && left_over("file")) placement.clear_file();
  if (from_file && placement.file().empty()) {
    fields.complain(path, "kind FROM_FILE needs file: \"FILE\", a text file with the number of the host of each rank");
  } else if (from_file) {
    spec.file = files.find(field("file"), placement.file(), "a text file with the number of the host of each rank",
                           "write it, or name another");
    placement.set_file(spec.file);
  } else if (!placement.file().empty()) {
    fields.complain(field("file"), fmt::format("file is for kind: FROM_FILE, and this is {}; write that, or leave it "
                                               "out",
                                               v1::Placement::Kind_Name(spec.kind)));
  }

  const bool torus = spec.kind == v1::Placement::VIRTUAL_TORUS;
  if (!torus && left_over("virtual_torus")) placement.clear_virtual_torus();
  spec.virtual_torus.assign(placement.virtual_torus().begin(), placement.virtual_torus().end());
  if (!torus && !spec.virtual_torus.empty()) {
    fields.complain(field("virtual_torus[0]"),
                    fmt::format("virtual_torus is for kind: VIRTUAL_TORUS, and this is {}; write that, or leave it out",
                                v1::Placement::Kind_Name(spec.kind)));
  } else if (spec.virtual_torus.size() > kMaxTorusDimensions) {
    fields.complain(field(fmt::format("virtual_torus[{}]", kMaxTorusDimensions)),
                    fmt::format("a virtual torus has one to {} dimensions; write so many sizes", kMaxTorusDimensions));
    spec.virtual_torus.clear();
  }
  for (size_t i = 0; i < spec.virtual_torus.size(); ++i) {
    if (spec.virtual_torus[i] > 0) continue;
    fields.complain(field(fmt::format("virtual_torus[{}]", i)),
                    fmt::format("size {} of a virtual torus: write 1 or more", spec.virtual_torus[i]));
  }
  if ((from_file || torus) && !placement.hosts().empty()) {
    fields.complain(field("hosts"), fmt::format("hosts are given by the kind {} itself; leave them out",
                                                v1::Placement::Kind_Name(spec.kind)));
  }
  return spec;
}

}  // namespace fabrictwin::placement
