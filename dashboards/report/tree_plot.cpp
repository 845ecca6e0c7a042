// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/tree_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace fabrictwin::dashboards::report {
namespace {

// The layout in units of SVG, which are pixels by default.
constexpr double kTreeTop = 44, kTreeLeft = 16, kRowHeight = 44, kBoxHeight = 34, kBetween = 56, kLetter = 6.8;

/// Where a node is: its column, and its row, which may be between two.
struct Position {
  bool known = false;
  size_t column = 0;
  double row = 0;
};

/// Gives positions to trees from their leaves on. Uses no recursion: trees may be as deep as there are nodes.
class Layout {
 public:
  explicit Layout(const std::vector<TreeNode>& nodes) : positions_(nodes.size()), waiting_(nodes.size()) {
    for (size_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].next.has_value()) waiting_[*nodes[node].next].push_back(node);
    }
    for (size_t node = 0; node < nodes.size(); ++node) {
      if (!nodes[node].next.has_value()) lay_out(node);
    }
    for (size_t node = 0; node < nodes.size(); ++node) {
      if (!positions_[node].known) lay_out(node);
    }
  }

  const std::vector<Position>& positions() const { return positions_; }
  double rows() const { return row_; }
  size_t columns() const { return columns_; }

 private:
  void lay_out(size_t root) {
    positions_[root] = {true, 0, 0};
    std::vector<std::pair<size_t, bool>> stack = {{root, false}};
    while (!stack.empty()) {
      const auto [node, done] = stack.back();
      stack.pop_back();
      const size_t column = positions_[node].column;
      columns_ = std::max(columns_, column + 1);
      if (done) {
        // In the middle of those that wait for it.
        double sum = 0;
        int count = 0;
        for (const size_t child : waiting_[node]) {
          if (positions_[child].column != column + 1) continue;
          sum += positions_[child].row;
          ++count;
        }
        positions_[node].row = count == 0 ? row_++ : sum / count;
        continue;
      }
      stack.emplace_back(node, true);
      for (auto child = waiting_[node].rbegin(); child != waiting_[node].rend(); ++child) {
        if (positions_[*child].known) continue;
        positions_[*child] = {true, column + 1, 0};
        stack.emplace_back(*child, false);
      }
    }
  }

  std::vector<Position> positions_;
  std::vector<std::vector<size_t>> waiting_;
  double row_ = 0;
  size_t columns_ = 0;
};

std::string fill_of(double weight) {
  // From white to the red of Okabe and Ito.
  const auto mix = [&](int to) {
    return static_cast<int>(std::lround(255 + (to - 255) * std::clamp(weight, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xd5), mix(0x5e), mix(0x00));
}

}  // namespace

absl::StatusOr<Picture> tree_picture(const std::string& title, const std::vector<TreeNode>& nodes) {
  absl::Status status = check_xml_text("title", title);
  size_t longest = 0;
  for (const TreeNode& node : nodes) {
    if (status.ok()) status = check_xml_text("label of a node", node.label);
    if (status.ok()) status = check_xml_text("value of a node", node.value);
    if (status.ok() && node.next.has_value() && *node.next >= nodes.size())
      status = absl::InvalidArgumentError(fmt::format("node \"{}\" waits for one that is not there", node.label));
    longest = std::max({longest, node.label.size(), node.value.size()});
  }
  if (!status.ok()) return status;
  const Layout layout(nodes);
  const double width = kLetter * static_cast<double>(longest) + 16;
  const auto left_of = [&](const Position& position) {
    return kTreeLeft + (width + kBetween) * static_cast<double>(position.column);
  };
  const auto top_of = [&](const Position& position) { return kTreeTop + kRowHeight * position.row; };
  Picture picture;
  picture.width = std::max(2 * kTreeLeft + (width + kBetween) * static_cast<double>(layout.columns()),
                           2 * kTreeLeft + 9 * static_cast<double>(title.size()));
  picture.height = kTreeTop + kRowHeight * std::max(layout.rows(), 1.0) + 16;
  std::string& out = picture.svg;
  out = svg_head(picture.width, picture.height, title);
  out += fmt::format("<text x=\"{}\" y=\"24\" font-size=\"15\">{}</text>\n", kTreeLeft, xml_text(title));
  for (size_t node = 0; node < nodes.size(); ++node) {
    if (!nodes[node].next.has_value()) continue;
    const Position& from = layout.positions()[node];
    const Position& to = layout.positions()[*nodes[node].next];
    out += fmt::format("<path class=\"waits\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"#666666\" fill=\"none\"/>\n",
                       left_of(from), top_of(from) + kBoxHeight / 2, left_of(to) + width, top_of(to) + kBoxHeight / 2);
  }
  for (size_t node = 0; node < nodes.size(); ++node) {
    const Position& position = layout.positions()[node];
    out += fmt::format(
        "<rect class=\"node\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"4\" fill=\"{}\" "
        "stroke=\"#333333\"/>\n",
        left_of(position), top_of(position), width, kBoxHeight, fill_of(nodes[node].weight));
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n",
                       left_of(position) + 8, top_of(position) + 14, xml_text(nodes[node].label), left_of(position) + 8,
                       top_of(position) + 28, xml_text(nodes[node].value));
  }
  if (nodes.empty()) out += fmt::format("<text x=\"{}\" y=\"{}\">none</text>\n", kTreeLeft, kTreeTop + 16);
  out += "</svg>\n";
  return picture;
}

}  // namespace fabrictwin::dashboards::report
