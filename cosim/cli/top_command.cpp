// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/run_choices.h"
#include "dashboards/metrics/endpoint.h"
#include "dashboards/metrics/exposition.h"
#include "dashboards/top/run_view.h"
#include "dashboards/top/view_text.h"

namespace fabrictwin::cli {
namespace {

namespace top = dashboards::top;

struct TopArguments {
  std::string address;
  std::string interval = "1s";
  bool once = false;
  bool json = false;
};

/// The size of the terminal at standard output.
winsize terminal_size() {
  constexpr winsize kUsual{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 ? size : kUsual;
}

/// Where views go. On a terminal each replaces the one before, and the cursor is hidden while this exists.
class Display {
 public:
  explicit Display(bool in_place) : in_place_(in_place) {
    // The final view stays below what was on the terminal, as there is no second screen.
    if (in_place_) tell("\033[?25l\033[2J");
  }
  ~Display() {
    if (in_place_) tell("\033[?25h");
  }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  absl::Status show(const std::string& text) {
    if (in_place_) {
      const winsize size = terminal_size();
      return support::print_data(top::screen_text(text, size.ws_row, size.ws_col));
    }
    const std::string between = first_ ? "" : "\n";
    first_ = false;
    return support::print_data(between + text);
  }

 private:
  // A terminal that has gone needs nothing.
  static void tell(const char* sequence) { (void)support::print_data(sequence); }

  bool in_place_;
  bool first_ = true;
};

/// Scrapes an endpoint, keeping the scrape before the last one.
class Scraper {
 public:
  explicit Scraper(std::string url) : url_(std::move(url)) {}

  /// The view of a new scrape. Errors name the URL.
  absl::StatusOr<top::RunView> scrape(const std::stop_token& stop) {
    const absl::StatusOr<std::string> page = dashboards::metrics::fetch_page(url_, stop);
    if (!page.ok()) return page.status();
    absl::StatusOr<dashboards::metrics::Exposition> parsed = dashboards::metrics::parse_exposition(*page);
    if (!parsed.ok()) return absl::DataLossError(fmt::format("{}: {}", url_, message_of(parsed.status())));
    if (!parsed->has_prefix("fabrictwin_"))
      return absl::DataLossError(
          fmt::format("{} has no metrics of FabricTwin; name the address that a command serves with --metrics", url_));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
    before_ = std::exchange(now_, top::Scrape{*std::move(parsed), time.count()});
    return top::make_view(*now_, before_.has_value() ? &*before_ : nullptr);
  }
  /// True if somebody has answered.
  bool answered() const { return now_.has_value(); }
  const std::string& url() const { return url_; }

 private:
  std::string url_;
  std::optional<top::Scrape> now_;
  std::optional<top::Scrape> before_;
};

/// Waits for the time of the next scrape; false once a stop is requested.
bool wait_until(std::chrono::steady_clock::time_point time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

support::ExitCode end_of(const top::RunView& view) {
  if (view.whole_state() != top::State::kEndedEarly) return support::ExitCode::kOk;
  return fail(support::ExitCode::kRunFailed, "the run has ended early; its own output says why");
}

support::ExitCode print_once(Scraper& scraper, bool json, const std::stop_token& stop) {
  const absl::StatusOr<top::RunView> view = scraper.scrape(stop);
  if (!view.ok()) return fail(support::exit_code_of_input(view.status()), message_of(view.status()));
  const absl::Status printed =
      support::print_data(json ? top::view_json(*view, scraper.url()) : top::view_text(*view, scraper.url()));
  if (!printed.ok()) return fail(support::ExitCode::kRunFailed, message_of(printed));
  return end_of(*view);
}

/// Shows view after view until the run has ended. The exit code, or why no more can be shown.
absl::StatusOr<support::ExitCode> follow(Scraper& scraper, std::chrono::milliseconds interval,
                                         const std::stop_token& stop) {
  // An error of the first scrape leaves the terminal as it is.
  absl::StatusOr<top::RunView> view = scraper.scrape(stop);
  if (!view.ok()) return view.status();
  Display display(isatty(STDOUT_FILENO) == 1);
  auto next = std::chrono::steady_clock::now();
  while (true) {
    if (absl::Status printed = display.show(top::view_text(*view, scraper.url())); !printed.ok())
      return fail(support::ExitCode::kRunFailed, message_of(printed));
    // Before its exit code is known, a run that has ended writes its results, and waits for whoever sees that code.
    const bool ended = view->whole_state() != top::State::kRunning;
    if (ended && view->exit_status.has_value()) return end_of(*view);
    next = std::max(next + interval, std::chrono::steady_clock::now());
    if (!wait_until(next, stop)) return absl::CancelledError("interrupted");
    absl::StatusOr<top::RunView> later = scraper.scrape(stop);
    if (absl::IsCancelled(later.status())) return later.status();
    if (!later.ok()) return ended ? absl::StatusOr<support::ExitCode>(end_of(*view)) : later.status();
    view = *std::move(later);
  }
}

support::ExitCode show_top(const TopArguments& arguments) {
  if (arguments.json && !arguments.once)
    return fail(support::ExitCode::kUsage, "--json prints one scrape; write --once with it");
  const absl::StatusOr<std::string> url = dashboards::metrics::endpoint_url(arguments.address);
  if (!url.ok()) return fail(support::ExitCode::kUsage, message_of(url.status()));
  const absl::StatusOr<std::chrono::milliseconds> interval = support::parse_wall_time("--interval", arguments.interval);
  if (!interval.ok()) return fail(support::ExitCode::kUsage, message_of(interval.status()));
  if (*interval <= std::chrono::milliseconds(0))
    return fail(support::ExitCode::kUsage, "--interval: scrapes need some time between them, as in --interval 1s");
  Scraper scraper(*url);
  const support::Interrupt interrupt;
  if (arguments.once) return print_once(scraper, arguments.json, interrupt.token());
  const absl::StatusOr<support::ExitCode> code = follow(scraper, *interval, interrupt.token());
  if (code.ok()) return *code;
  // What can be seen until somebody no longer wants to has been seen.
  if (absl::IsCancelled(code.status())) return support::ExitCode::kInterrupted;
  // A process that ends while it answers leaves a part of a page, or none.
  if (scraper.answered()) {
    return fail(support::ExitCode::kRunFailed,
                fmt::format("{} no longer answers: the run has ended, how is not known; with --metrics-linger it waits "
                            "until its last values have been seen",
                            *url));
  }
  return fail(support::exit_code_of_input(code.status()), message_of(code.status()));
}

}  // namespace

void add_top_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("top", "Follow a run on the terminal by the metrics that it serves");
  auto arguments = std::make_shared<TopArguments>();
  command->add_option("ADDR", arguments->address, "ADDR:PORT of --metrics of the run, or the URL of its page")
      ->required()
      ->type_name("");
  command->add_option("--interval", arguments->interval, "Time from scrape to scrape")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--once", arguments->once, "Print what one scrape says, and end");
  command->add_flag("--json", arguments->json, "With --once: print one JSON object");
  command->callback([arguments, &exit_code] { exit_code = show_top(*arguments); });
}

}  // namespace fabrictwin::cli
