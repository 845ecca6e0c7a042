// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A page for a browser: one file that needs nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fabrictwin::dashboards::html {

/// What an axis of a chart, or the colour of links, shows.
struct Axis {
  std::string title;  ///< "simulated time".
  std::string unit;   ///< "us"; may be empty.
  /// The base of a logarithmic axis, 2 or 10; 0 for a linear one. Values of a logarithmic axis that are not above zero
  /// are left out.
  int log = 0;
};

/// A chart in which values are read off with the pointer, and into which one can zoom by dragging.
struct Chart {
  /// A vertical line.
  struct Mark {
    double x = 0;
    std::string label;
  };
  struct Curve {
    std::string label;
    std::vector<double> y;  ///< One for each x; NaN where there is none.
    bool points = false;    ///< Points that no line joins.
    /// A band around the curve, as of a confidence interval: one for each x, NaN where there is none. Both or none.
    std::vector<double> low{};
    std::vector<double> high{};
  };
  std::string title;
  Axis x_axis;
  Axis y_axis;
  std::vector<double> x;  ///< Ascending.
  std::vector<Curve> curves;
  bool bars = false;
  std::string note{};  ///< A line below the chart; may be empty.
  std::vector<Mark> marks{};
  /// What each x is called where values are read off, as the commit of a result; one for each x, or none where its
  /// number says all.
  std::vector<std::string> x_labels{};
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Each has as many cells as there are columns.
  std::string note{};
};

/// A network with links coloured by what happened on them.
struct Map {
  struct Node {
    double x = 0;
    double y = 0;  ///< Downwards.
    bool host = false;
    std::string label;
  };
  /// One direction of a link.
  struct Edge {
    int32_t from = 0;  ///< Index of a node.
    int32_t to = 0;
    bool bent = false;  ///< It would run through other nodes if it were straight.
    std::string label;
    std::vector<double> values;  ///< One for each measure.
  };
  /// A span of time, from the end of the one before.
  struct Frame {
    double end = 0;
    std::vector<int32_t> values;  ///< One for each edge.
  };
  std::string title;
  std::vector<Axis> measures;  ///< Of which a reader chooses one.
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::string note{};
  /// What a reader scrubs through; may be empty.
  std::vector<Frame> frames{};
  Axis frame_time{};       ///< What `end` is.
  Axis frame_measure{};    ///< What values are.
  double frame_scale = 1;  ///< A value times this is in the unit of the measure.
};

/// Values of cells, coloured on a logarithmic scale: what goes from rows to columns.
struct Matrix {
  std::string title;
  std::string row_title;            ///< "source".
  std::string column_title;         ///< "destination".
  std::vector<std::string> labels;  ///< Of rows and of columns.
  std::vector<Axis> measures;       ///< Of which a reader chooses one.
  /// For each measure, row by row.
  std::vector<std::vector<double>> values;
  std::string note{};
};

/// What each of several rows did over time, one state after the other: in colours of the states or, if there are
/// levels, of those.
struct Timeline {
  struct Row {
    std::string label;
    /// Indices of states, and how long each lasted in ticks.
    std::vector<uint32_t> states;
    std::vector<uint32_t> ticks;
    std::vector<uint32_t> levels{};  ///< From 0 to 100, one for each state; of all rows or of none.
  };
  std::string title;
  Axis time;
  double end = 0;      ///< In the unit of `time`; it begins at 0.
  uint32_t ticks = 0;  ///< All of it.
  std::vector<std::string> states;
  std::vector<Row> rows;
  std::string note{};
  std::string row_title = "rank";
  Axis level{};  ///< What levels are.
};

/// Sections in the order in which they were added. Text may be anything: it is shown as it is, never taken for markup,
/// and bytes that are not UTF-8 are replaced. Not thread-safe.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  /// Says at the top of the page what is wrong with what it shows: that a run ended early.
  void set_alert(std::string alert) { alert_ = std::move(alert); }
  /// Names and values.
  void add_facts(std::string title, std::vector<std::pair<std::string, std::string>> facts);
  void add_table(Table table);
  /// Other pages: what each is, and the name of its file beside this one.
  void add_links(std::string title, const std::vector<std::pair<std::string, std::string>>& pages);
  void add_chart(Chart chart);
  void add_map(Map map);
  void add_matrix(const Matrix& matrix);
  void add_timeline(const Timeline& timeline);
  /// Preformatted text, folded away.
  void add_text(std::string title, std::string text);
  /// A picture of dashboards::report.
  void add_picture(std::string title, std::string svg);

  /// The page: HTML with style, scripts and data in it.
  std::string html() const;

 private:
  std::string title_;
  std::string alert_;
  std::vector<std::string> sections_;  ///< Each as JSON.
};

}  // namespace fabrictwin::dashboards::html
