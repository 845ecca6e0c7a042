// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Declarations of metrics. A metric is declared in the file that measures it; everything else follows from that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace fabrictwin::metric {

enum class Kind : uint8_t {
  kCounter,  ///< It only grows during a run; use it with rate() or increase().
  kGauge,    ///< It may go up and down, or carries only labels.
  kSummary,  ///< Quantiles of a distribution, with count and sum.
};

/// The kind as Prometheus writes it: "counter".
std::string_view to_string(Kind kind);

/// What is declared of a metric. All text is literal.
struct Declaration {
  static constexpr size_t kMaxLabels = 8;
  static constexpr int kLast = std::numeric_limits<int>::max();

  /// The name, which begins with "fabrictwin_". It holds the unit, and that of a counter ends in "_total", as
  /// `promtool check metrics` demands.
  std::string_view name;
  std::string_view unit = "1";                        ///< "bytes" or "seconds"; "1" for plain numbers.
  std::string_view help;                              ///< One sentence without a final stop.
  std::array<std::string_view, kMaxLabels> labels{};  ///< Names of labels; unused entries at the end are empty.
  int order = kLast;                                  ///< The catalogue is sorted by this, then by name.
  /// Whether Report.metrics holds the metric at the end of a run. Not where the report has a field for it, or where it
  /// has a meaning only while a run goes on.
  bool in_report = true;
  /// Whether the value is the largest one of several, so that of partitions the largest counts, and not the sum.
  bool largest = false;
};

/// A metric of the catalogue. Declare one as a constant at namespace scope: its constructor puts it into the catalogue
/// of each program that links the file, and it has to live as long as the program. Immutable, so thread-safe.
///
///   const metric::Gauge kSetAside{{.name = "fabrictwin_set_aside_queues", .help = "Queues that are set aside now"}};
///   void Part::measure(metric::Sink& sink) const { sink.add(kSetAside, static_cast<double>(set_aside_)); }
class Metric {
 public:
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  Kind kind() const { return kind_; }
  std::string_view name() const { return declaration_.name; }
  std::string_view unit() const { return declaration_.unit; }
  std::string_view help() const { return declaration_.help; }
  bool in_report() const { return declaration_.in_report; }
  bool largest() const { return declaration_.largest; }
  /// The names of its labels.
  std::span<const std::string_view> labels() const { return std::span(declaration_.labels).first(label_count_); }

 protected:
  Metric(Kind kind, const Declaration& declaration) noexcept;
  ~Metric() = default;

 private:
  friend std::span<const Metric* const> catalogue();

  Declaration declaration_;
  Kind kind_;
  size_t label_count_ = 0;
  const Metric* next_;  ///< The metric that was constructed before this one.
};

/// The kinds are types, so that the compiler refuses a value of another kind.
class Counter final : public Metric {
 public:
  explicit Counter(const Declaration& declaration) noexcept : Metric(Kind::kCounter, declaration) {}
};
class Gauge final : public Metric {
 public:
  explicit Gauge(const Declaration& declaration) noexcept : Metric(Kind::kGauge, declaration) {}
};
class Summary final : public Metric {
 public:
  explicit Summary(const Declaration& declaration) noexcept : Metric(Kind::kSummary, declaration) {}
};

/// All metrics of this program by their order, then by name; so the order of initialisation means nothing. Call it from
/// main() on, not while constants are still being initialised. Thread-safe.
std::span<const Metric* const> catalogue();

/// The metric of that name, or nullptr. Thread-safe.
const Metric* find(std::string_view name);

}  // namespace fabrictwin::metric
