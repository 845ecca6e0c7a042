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

namespace fabrictwin::placement {
namespace {

constexpr int32_t kMaxHosts = 1 << 24;
constexpr int kMaxTorusDimensions = 3;

/// Parses "3" or "0..63".
bool parse_range(std::string_view text, std::pair<int32_t, int32_t>& range) {
  text = strip(text);
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    if (!parse_number(text, range.first)) return false;
    range.second = range.first;
  } else if (!parse_number(strip(text.substr(0, dots)), range.first) ||
             !parse_number(strip(text.substr(dots + 2)), range.second)) {
    return false;
  }
  return range.first >= 0 && range.first <= range.second && range.second < kMaxHosts;
}

std::vector<std::pair<int32_t, int32_t>> check_hosts(const std::string& path, const std::string& text,
                                                     experiment::FieldChecker& fields) {
  std::vector<std::pair<int32_t, int32_t>> ranges;
  if (text.empty()) return ranges;
  for (const std::string_view part : split(text, ",")) {
    std::pair<int32_t, int32_t> range;
    if (!parse_range(part, range)) {
      fields.complain(path, fmt::format("hosts \"{}\": '{}' is neither the number of a host nor a range of them; write "
                                        "numbers from 0 and ranges from low to high, as in \"0..63,128\"",
                                        text, part));
      return {};
    }
    ranges.push_back(range);
  }
  std::vector<std::pair<int32_t, int32_t>> sorted = ranges;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first > sorted[i - 1].second) continue;
    fields.complain(path, fmt::format("hosts \"{}\": host {} is named twice; name each host once and say with "
                                      "ranks_per_host how many ranks it takes",
                                      text, sorted[i].first));
    return {};
  }
  return ranges;
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
