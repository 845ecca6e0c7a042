// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that `fabrictwin top` does with the page of another process.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cosim/base/text.h"
#include "dashboards/metrics/exposition.h"
#include "dashboards/top/run_view.h"
#include "dashboards/top/view_text.h"

namespace {

namespace top = fabrictwin::dashboards::top;

void require(bool truth) {
  if (!truth) std::abort();
}

void check(const top::RunView& view) {
  const std::string text = top::view_text(view, "http://127.0.0.1:9464/metrics");
  require(fabrictwin::is_utf8(text));
  require(std::none_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }));
  require(!top::view_json(view, "").empty());
  // At least the sequences that begin, end and clear the screen.
  require(!top::screen_text(text, 24, 80).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  const auto parsed = fabrictwin::dashboards::metrics::parse_exposition(page);
  if (!parsed.ok()) return 0;
  const top::Scrape now{*parsed, 2};
  check(top::make_view(now, nullptr));
  // The first half of the page as the scrape before.
  const auto before = fabrictwin::dashboards::metrics::parse_exposition(page.substr(0, page.rfind('\n', size / 2) + 1));
  if (!before.ok()) return 0;
  const top::Scrape earlier{*before, 1};
  check(top::make_view(now, &earlier));
  check(top::make_view(earlier, &now));
  return 0;
}
