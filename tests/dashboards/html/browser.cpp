// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/html/browser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/integration/cli_process.h"

namespace fabrictwin::test {
namespace {

/// Stands before all scripts of a page, and keeps what goes wrong in them and in what it loads, from the beginning on.
constexpr const char* kWatch = R"(<script>
{
  const root = document.documentElement.dataset;
  const keep = (what) => { root.console = root.console ? `${root.console}; ${what}` : what; };
  for (const kind of ["error", "warn"]) {
    const told = console[kind].bind(console);
    console[kind] = (...what) => {
      keep(what.join(" "));
      told(...what);
    };
  }
  // What an element cannot load is an event of that element, and is told to nobody else.
  addEventListener("error", (event) => keep(event.message || `a missing ${event.target.localName}`), true);
  addEventListener("unhandledrejection", (event) => keep(String(event.reason)));
}
</script>)";

/// Says in attributes of the document what a reader would see. The time of the page is virtual: nobody waits for it.
constexpr const char* kProbe = R"(<script>
const root = document.documentElement.dataset;
// The copy is for reading, of which the browser would otherwise complain.
const pixels_of = (canvas) => {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d", {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, copy.width, copy.height).data;
};
const coloured_pixels = (canvas) => {
  const pixels = pixels_of(canvas);
  // Curves and cells are coloured; axes and text are not.
  let coloured = 0;
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] > 0 && Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60) ++coloured;
  return coloured;
};
// The share of a canvas on which anything is.
const painted_share = (canvas) => {
  const pixels = pixels_of(canvas);
  let painted = 0;
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) ++painted;
  return 4 * painted / pixels.length;
};
// How many elements there are, and of how many of them a test holds.
const count = (name, selector, holds) => {
  const all = [...document.querySelectorAll(selector)];
  root[name] = all.length;
  root[`${name}Drawn`] = all.filter(holds).length;
};
// The least contrast of any text with what is behind it (WCAG 2.1).
const least_contrast = () => {
  const style = getComputedStyle(document.documentElement);
  const luminance = (name) => {
    let digits = style.getPropertyValue(name).trim().slice(1);
    if (digits.length === 3) digits = [...digits].map((digit) => digit + digit).join("");
    const [r, g, b] = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratios = ["--text", "--faint", "--accent", "--bad"].flatMap((text) => ["--back", "--even"].map((back) => {
    const [dark, light] = [luminance(text), luminance(back)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }));
  return Math.min(...ratios);
};
// What a reader without a pointer or without eyes needs: all can be focused in the order of the document, has a name,
// and links lead somewhere.
const look_at_access = () => {
  const shown = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex]")].filter((element) => element.getClientRects().length > 0 && !element.disabled && !element.closest('details:not([open]) > :not(summary)'));
  root.focusable = shown.length;
  root.unfocusable = shown.filter((element) => { element.focus({ preventScroll: true }); return document.activeElement !== element; }).length;
  root.outOfOrder = shown.filter((element) => element.tabIndex !== 0).length;
  root.unnamed = [...document.querySelectorAll('figure:not(.picture):not([aria-label]), canvas[tabindex]:not([aria-label]), [role=img]:not([aria-label]), select:not([aria-label]), input:not([aria-label]), img:not([alt]), nav:not([aria-label])')].length;
  root.deadLinks = [...document.querySelectorAll("nav a")].filter((link) => !document.getElementById(link.getAttribute("href").slice(1))).length;
  if (document.activeElement) document.activeElement.blur();
};
const point = (target, type, canvas, x, y) => {
  const box = canvas.getBoundingClientRect();
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "mouse", clientX: box.left + x, clientY: box.top + y }));
};
const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const text_of = (selector) => document.querySelector(selector).textContent;
const rows_of = (selector) => [...document.querySelector(selector).querySelectorAll("tbody tr")].slice(0, 2).map((row) => [...row.cells].map((cell) => cell.textContent).join(" ")).join("; ");
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
    root.matrixValues = rows_of(".matrix details");
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
    press(timeline, "ArrowDown");
    press(timeline, "ArrowDown");
    root.timelineKeys = text_of(".timeline p");
    root.timelineValues = rows_of(".timeline details");
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
  root.images = document.images.length;
  root.imagesDrawn = [...document.images].filter((image) => image.naturalWidth > 0).length;
  root.charts = document.querySelectorAll(".chart").length;
  root.drawn = [...document.querySelectorAll(".chart canvas")].filter((canvas) => coloured_pixels(canvas) > 50).length;
  count("matrices", ".matrix canvas", (canvas) => coloured_pixels(canvas) > 50);
  // Partitions that are half busy are grey.
  count("timelines", ".timeline canvas", (canvas) => painted_share(canvas) > 0.25);
  // A link that has carried something is opaque, and has a place in the picture.
  count("maps", ".map", (map) => [...map.querySelectorAll("path[stroke-opacity='1']")].some((path) => path.getBoundingClientRect().width + path.getBoundingClientRect().height > 1));
  root.rows = document.querySelectorAll("tbody tr").length;
  root.dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.back = getComputedStyle(document.body).backgroundColor;
  root.contrast = least_contrast();
  look_at_access();
  // Tables of values are made when the browser tells that they have been opened.
  for (const details of document.querySelectorAll(".matrix details, .timeline details")) details.open = true;
  // Between the numbers of a vertical axis and its title.
  root.room = Math.min(...[...document.querySelectorAll(".chart")].map(({ plot }) => {
    const axis = plot.axes[1];
    plot.ctx.font = axis.font[0];
    const widest = Math.max(...axis._values.map((label) => plot.ctx.measureText(label).width)) / devicePixelRatio;
    return axis._size - axis.ticks.size - axis.gap - widest;
  }));
  const chart = document.querySelector(".chart");
  if (!chart) {
    setTimeout(() => {
      look_at_activity();
      root.probed = "yes";
    }, 100);
    return;
  }
  const values = chart.parentElement.querySelector("details");
  values.open = true;
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
        // The table is made when the browser tells that it has been opened.
        root.values = [...values.querySelectorAll("tbody td:first-child")].slice(0, 3).map((cell) => cell.textContent).join("; ");
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

/// What the browser says of its console in its log, as an attribute "logged"; empty if that is nothing.
std::string logged(const std::string& log) {
  std::string lines;
  std::istringstream text(log);
  for (std::string line; std::getline(text, line);)
    if (line.find("CONSOLE") != std::string::npos) lines += (lines.empty() ? "" : "; ") + line;
  return lines.empty() ? "" : fmt::format("<!-- data-logged=\"{}\" -->\n", absl::StrReplaceAll(lines, {{"\"", "'"}}));
}

}  // namespace

std::string document(const TestFolder& folder, const std::string& html, int width, bool dark) {
  const std::string probed = absl::StrReplaceAll(
      html, {{"<head>", "<head>" + std::string(kWatch)}, {"</body>", std::string(kProbe) + "</body>"}});
  const std::string page = absl::StrReplaceAll(nlohmann::json(probed).dump(), {{"<", "\\u003c"}});
  const std::string file =
      folder.write(fmt::format("page{}.html", width),
                   absl::StrReplaceAll(kFrame, {{"WIDTH", fmt::format("{}", width)}, {"PAGE", page}}));
  // As root, as in containers, Chromium wants to be told to do without its sandbox.
  std::vector<std::string> words{"chromium",
                                 "--headless",
                                 "--no-sandbox",
                                 "--disable-gpu",
                                 "--disable-dev-shm-usage",
                                 "--user-data-dir=" + folder.file("profile"),
                                 "--window-size=1700,1000",
                                 "--virtual-time-budget=5000",
                                 "--enable-logging=stderr",
                                 "--dump-dom",
                                 "file://" + file};
  if (dark) words.insert(words.end() - 1, "--force-dark-mode");
  const CliResult result = run_process(words);
  EXPECT_EQ(result.exit_code, 0) << "chromium (scripts/setup long installs it): " << result.err;
  return result.out + logged(result.err);
}

std::string attribute(const std::string& document, const std::string& name) {
  const std::string begin = "data-" + name + "=\"";
  const size_t at = document.find(begin);
  if (at == std::string::npos) return "absent";
  return document.substr(at + begin.size(), document.find('"', at + begin.size()) - at - begin.size());
}

}  // namespace fabrictwin::test
