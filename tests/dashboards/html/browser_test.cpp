// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages in a real browser: headless Chromium runs their scripts and prints the document that they have made. A script
// that the test adds to a page looks at pixels, and moves the pointer.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "dashboards/html/page.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using dashboards::html::Chart;
using dashboards::html::Page;
using ::testing::HasSubstr;
using ::testing::Not;

/// Says in attributes of the document what a reader would see. The time of the page is virtual: nobody waits for it.
constexpr const char* kProbe = R"(<script>
const root = document.documentElement.dataset;
console.error = (...what) => { root.console = what.join(" "); };
const coloured_pixels = (canvas) => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  // Curves and cells are coloured; axes and text are not.
  let coloured = 0;
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] > 0 && Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60) ++coloured;
  return coloured;
};
const point = (target, type, canvas, x, y) => {
  const box = canvas.getBoundingClientRect();
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "mouse", clientX: box.left + x, clientY: box.top + y }));
};
const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const text_of = (selector) => document.querySelector(selector).textContent;
// Matrix, timeline and map over time, as far as the page has them.
const look_at_activity = () => {
  const matrix = document.querySelector(".matrix canvas");
  if (matrix) {
    root.matrixPixels = coloured_pixels(matrix);
    // The cell in row 0 and column 1 of two.
    point(matrix, "pointermove", matrix, 46 + (matrix.offsetWidth - 48) * 0.75, 46 + (matrix.offsetWidth - 48) * 0.25);
    root.matrixTip = text_of(".tip");
    press(matrix, "ArrowDown");
    press(matrix, "ArrowDown");
    root.matrixKeys = text_of(".matrix p");
  }
  const timeline = document.querySelector(".timeline canvas");
  if (timeline) {
    root.timelinePixels = coloured_pixels(timeline);
    const at = (share) => 56 + (timeline.offsetWidth - 56) * share;
    point(timeline, "pointermove", timeline, at(0.6), 3);
    root.timelineTip = text_of(".tip");
    point(timeline, "pointerdown", timeline, at(0.5), 3);
    point(timeline, "pointermove", timeline, at(0.75), 3);
    point(window, "pointerup", timeline, at(0.75), 3);
    const figure = document.querySelector(".timeline").dataset;
    root.timelineView = `${Math.round(figure.from)} to ${Math.round(figure.to)}`;
    press(timeline, "ArrowLeft");
    root.timelineMoved = Math.round(figure.from);
    press(timeline, "Home");
    root.timelineAll = `${figure.from} to ${figure.to}`;
  }
  const levels = document.querySelectorAll(".timeline canvas")[1];
  if (levels) {
    root.levelsPixels = coloured_pixels(levels);
    const margin = Math.max(56, 7 * "router[3]".length + 8);
    const middle = margin + (levels.offsetWidth - margin) / 4;
    point(levels, "pointermove", levels, middle, 3);
    root.levelsTip = text_of(".tip");
    point(levels, "pointermove", levels, middle, 21);
    root.levelsFree = text_of(".tip");
  }
  const slider = document.querySelector(".map input[type=range]");
  if (slider) {
    const look = () => [document.querySelector(".map path").getAttribute("stroke"), text_of(".map path title"), text_of(".map output")].join("; ");
    root.mapWhole = look();
    slider.value = 2;
    slider.dispatchEvent(new Event("input"));
    root.mapFrame = look();
  }
};
addEventListener("load", () => {
  root.width = innerWidth;
  root.overflow = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  root.hiddenEdges = [...document.querySelectorAll(".u-series.edge")].filter((edge) => edge.offsetHeight === 0).length;
  root.charts = document.querySelectorAll(".chart").length;
  root.drawn = [...document.querySelectorAll(".chart canvas")].filter((canvas) => coloured_pixels(canvas) > 50).length;
  const chart = document.querySelector(".chart");
  const over = chart.querySelector(".u-over");
  const box = over.getBoundingClientRect();
  const move = (type, share) => (type === "mouseup" ? document : over).dispatchEvent(new MouseEvent(type, {
    bubbles: true, button: 0, movementX: 9, clientX: box.left + box.width * share, clientY: box.top + box.height / 2 }));
  move("mouseenter", 0.5);
  move("mousemove", 0.5);
  const value = () => chart.querySelector(".u-legend .u-series .u-value").textContent;
  setTimeout(() => {
    root.tooltip = value();
    move("mousedown", 0.25);
    move("mousemove", 0.3);
    move("mousemove", 0.75);
    move("mouseup", 0.75);
    setTimeout(() => {
      move("mousemove", 0.0);
      setTimeout(() => {
        root.zoomed = value();
        root.scaleFrom = chart.plot.scales.x.min;
        root.scaleTo = chart.plot.scales.x.max;
        look_at_activity();
        root.probed = "yes";
      }, 100);
    }, 100);
  }, 100);
});
</script>)";

/// Shows a page in a frame of some width, since windows have a least one, and becomes what the page has made of itself.
constexpr const char* kFrame = R"(<!DOCTYPE html><html><body style="margin:0"><script>
const frame = document.createElement("iframe");
frame.style.cssText = "border:0;height:900px;width:WIDTHpx";
frame.srcdoc = PAGE;
document.body.append(frame);
const look = () => {
  const made = frame.contentDocument && frame.contentDocument.documentElement;
  if (made && (made.dataset.probed || made.dataset.errors)) document.replaceChild(document.importNode(made, true), document.documentElement);
  else setTimeout(look, 50);
};
look();
</script></body></html>)";

/// The document that the browser makes of a page that is this wide.
std::string document(const TestFolder& folder, const std::string& html, int width) {
  const std::string probed = absl::StrReplaceAll(html, {{"</body>", std::string(kProbe) + "</body>"}});
  const std::string page = absl::StrReplaceAll(nlohmann::json(probed).dump(), {{"<", "\\u003c"}});
  const std::string file =
      folder.write(fmt::format("page{}.html", width),
                   absl::StrReplaceAll(kFrame, {{"WIDTH", fmt::format("{}", width)}, {"PAGE", page}}));
  // As root, as in containers, Chromium wants to be told to do without its sandbox.
  const CliResult result =
      run_process({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--user-data-dir=" + folder.file("profile"), "--window-size=1700,1000", "--virtual-time-budget=5000",
                   "--dump-dom", "file://" + file});
  EXPECT_EQ(result.exit_code, 0) << "chromium (scripts/setup long installs it): " << result.err;
  return result.out;
}

std::string attribute(const std::string& document, const std::string& name) {
  const std::string begin = "data-" + name + "=\"";
  const size_t at = document.find(begin);
  if (at == std::string::npos) return "absent";
  return document.substr(at + begin.size(), document.find('"', at + begin.size()) - at - begin.size());
}

Page page() {
  Page page("A page <b>&amp;</b>");
  page.add_facts("Summary", {{"<script>x()</script>", "</dd><img src=x onerror=x()>"}});
  Chart wave{"Wave", {"x", "s"}, {"y", ""}, {}, {{"sine", {}}, {"cosine", {}}}};
  for (int i = 0; i <= 400; ++i) {
    wave.x.push_back(i);
    wave.curves[0].y.push_back(std::sin(i / 40.0));
    wave.curves[1].y.push_back(std::cos(i / 40.0));
  }
  page.add_chart(wave);
  page.add_chart(
      {"Logs", {"x", "B", 2}, {"y", "us", 10}, {1, 2, 1024}, {{"c", {1, 10, 1000}}, {"p", {2, 3, 4}, true}}});
  page.add_chart({"Bars", {"x", ""}, {"y", ""}, {0, 1, 2}, {{"c", {3, 1, 2}}}, true});
  Chart bands{
      "Bands", {"load", ""}, {"accepted", ""}, {0.1, 0.2, 0.3}, {{"c", {1, 2, 3}, false, {0, 1, 2}, {2, 3, 4}}}};
  bands.marks = {{0.2, "saturated"}};
  page.add_chart(bands);
  page.add_map({"Network",
                {{"load", "%"}},
                {{0, 0, false, "a"}, {1, 0, true, "b"}},
                {{0, 1, false, "a->b", {50}}, {1, 0, true, "b->a", {0}}},
                "",
                {{1.5, {1000, 0}}, {3, {250, 100}}},
                {"simulated time", "us"},
                {"load", "%"},
                0.1});
  page.add_matrix(
      {"Matrix", "from", "to", {"0", "1"}, {{"bytes", "B"}, {"messages", ""}}, {{0, 64, 4096, 0}, {0, 1, 2, 0}}});
  page.add_timeline({"Timeline",
                     {"time", "us"},
                     10,
                     1000,
                     {"compute", "recv", "ended"},
                     {{"0", {0, 1}, {500, 500}}, {"1", {0, 1, 2}, {100, 300, 600}}}});
  page.add_timeline({"Levels",
                     {"wall time", "ms"},
                     10,
                     1000,
                     {"", "waits for router[3]"},
                     {{"models", {1, 0}, {500, 500}, {40, 100}}, {"router[3]", {0}, {1000}, {100}}},
                     "A note",
                     "partition",
                     {"busy", "%"}});
  page.add_table({"Table", {"name", "value"}, {{"<i>a</i>", "1"}, {"b", "2"}}});
  page.add_text("Text", "<pre>");
  page.add_picture("Picture", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"></svg>");
  return page;
}

TEST(BrowserTest, DrawsAndReactsAtAnyWidth) {
  const TestFolder folder;
  for (const int width : {360, 1600}) {
    SCOPED_TRACE(width);
    const std::string made = document(folder, page().html(), width);
    EXPECT_EQ(attribute(made, "errors"), "absent");
    EXPECT_EQ(attribute(made, "ready"), "yes");
    EXPECT_EQ(attribute(made, "console"), "absent");
    EXPECT_EQ(attribute(made, "width"), fmt::format("{}", width));
    EXPECT_EQ(attribute(made, "overflow"), "false");
    EXPECT_EQ(attribute(made, "charts"), "4");
    EXPECT_EQ(attribute(made, "drawn"), "4");
    EXPECT_EQ(attribute(made, "hidden-edges"), "2") << "edges of bands have no line in the legend";
    ASSERT_EQ(attribute(made, "probed"), "yes");
    // In the middle of 0 to 400; after zooming, the left end is a quarter of it.
    EXPECT_NEAR(std::atof(attribute(made, "tooltip").c_str()), 200, 4);
    EXPECT_NEAR(std::atof(attribute(made, "zoomed").c_str()), 100, 6);
    EXPECT_NEAR(std::atof(attribute(made, "scale-from").c_str()), 100, 6);
    EXPECT_NEAR(std::atof(attribute(made, "scale-to").c_str()), 300, 6);
  }
}

TEST(BrowserTest, ShowsWhatRanksPartitionsAndLinksDid) {
  const TestFolder folder;
  for (const int width : {360, 1600}) {
    SCOPED_TRACE(width);
    const std::string made = document(folder, page().html(), width);
    EXPECT_EQ(attribute(made, "errors"), "absent");
    EXPECT_GT(std::atoi(attribute(made, "matrix-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "matrix-tip"), "from 0, to 1, 64 B, 1 messages");
    EXPECT_EQ(attribute(made, "matrix-keys"), "from 1, to 0, 4096 B, 2 messages");
    EXPECT_GT(std::atoi(attribute(made, "timeline-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "timeline-tip"), "rank 0: recv, 5 to 10 us");
    EXPECT_EQ(attribute(made, "timeline-view"), "500 to 750");
    EXPECT_EQ(attribute(made, "timeline-moved"), "438");
    EXPECT_EQ(attribute(made, "timeline-all"), "0 to 1000");
    EXPECT_GT(std::atoi(attribute(made, "levels-pixels").c_str()), 1000);
    EXPECT_EQ(attribute(made, "levels-tip"), "partition models: busy 40 %, waits for router[3], 0 to 5 ms");
    EXPECT_EQ(attribute(made, "levels-free"), "partition router[3]: busy 100 %, 0 to 10 ms");
    EXPECT_EQ(attribute(made, "map-whole"), "rgb(180,4,38); a-&gt;b: 50 %; the whole run");
    EXPECT_EQ(attribute(made, "map-frame"), "rgb(141,176,254); a-&gt;b: 25 %; load [%], 1.5 to 3 us");
  }
}

TEST(BrowserTest, TextOfUsersMakesNoElements) {
  const TestFolder folder;
  const std::string made = document(folder, page().html(), 1600);
  EXPECT_THAT(made, HasSubstr("<h1>A page &lt;b&gt;&amp;amp;&lt;/b&gt;</h1>"));
  EXPECT_THAT(made, HasSubstr("<dt>&lt;script&gt;x()&lt;/script&gt;</dt>"));
  EXPECT_THAT(made, Not(HasSubstr("<img src=\"x\"")));
  EXPECT_THAT(made, HasSubstr("<td>&lt;i&gt;a&lt;/i&gt;</td>"));
}

TEST(BrowserTest, SaysWhatIsWrongWithAPage) {
  const TestFolder folder;
  const std::string broken = absl::StrReplaceAll(page().html(), {{"{\"title\":", "{\"titel\" "}});
  EXPECT_THAT(attribute(document(folder, broken, 1600), "errors"), HasSubstr("SyntaxError"));
}

}  // namespace
}  // namespace fabrictwin
