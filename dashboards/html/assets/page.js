// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a page from the data that stands in it. Text of users becomes text nodes only, never markup.
"use strict";
(() => {
  const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a8a00", "#56b4e9", "#e69f00", "#7f7f7f"];
  const errors = [];
  const report = (what) => {
    errors.push(String(what));
    document.documentElement.dataset.errors = errors.join("; ");
  };
  window.addEventListener("error", (event) => report(event.message));

  const make = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const svg = (tag, attributes, title) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (title !== undefined) {
      const text = document.createElementNS("http://www.w3.org/2000/svg", "title");
      text.textContent = title;
      node.append(text);
    }
    return node;
  };
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (value) => (value === null || value === undefined ? "" : Number(value.toPrecision(5)).toString());

  // Sizes in bytes stand on axes of base 2.
  const size = (value) => {
    for (const [unit, bytes] of [["Gi", 2 ** 30], ["Mi", 2 ** 20], ["Ki", 1024]])
      if (value >= bytes) return number(value / bytes) + unit;
    return number(value);
  };
  const format_of = (axis) => (axis.log === 2 ? size : number);

  const table = (columns, rows) => {
    const numeric = columns.map((_, c) => rows.length > 0 && rows.every((row) => row[c] === "" || /^[-+]?[0-9.]/.test(row[c])));
    const body = make("tbody");
    const fill = (sorted) => {
      body.replaceChildren(
        ...sorted.map((row) => make("tr", {}, ...row.map((cell, c) => make("td", numeric[c] ? { class: "number" } : {}, cell)))));
    };
    fill(rows);
    const heads = columns.map((column, c) => {
      const button = make("button", { type: "button", title: "Sort" }, column);
      const head = make("th", { scope: "col", ...(numeric[c] ? { class: "number" } : {}) }, button);
      let down = !numeric[c];
      button.addEventListener("click", () => {
        down = !down;
        const key = (row) => (numeric[c] ? parseFloat(row[c]) || 0 : row[c]);
        fill([...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (down ? -1 : 1)));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
      });
      return head;
    });
    return make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body));
  };

  // A table of values is made whenever somebody opens it, since it may be long, and may be of what is shown just now.
  const values_of = (columns, rows_of, most = Infinity) => {
    const values = make("details", { class: "values" }, make("summary", {}, "Values"));
    values.addEventListener("toggle", () => {
      while (values.childElementCount > 1) values.lastElementChild.remove();
      if (!values.open) return;
      const rows = rows_of();
      values.append(table(columns, rows.slice(0, most)));
      if (rows.length > most) values.append(make("p", { class: "note" }, `The first ${most} of ${rows.length}.`));
    });
    return values;
  };

  const axis_title = (axis) => (axis.unit ? `${axis.title} [${axis.unit}]` : axis.title);

  // What stands at the pointer: one element for all that is drawn by hand.
  const tip = make("div", { class: "tip", role: "status" });
  const show_tip = (event, text) => {
    tip.textContent = text;
    tip.style.display = text ? "block" : "none";
    if (!text) return;
    const edge = document.documentElement.clientWidth - tip.offsetWidth - 4;
    tip.style.left = `${Math.max(0, Math.min(event.clientX + 12, edge))}px`;
    tip.style.top = `${event.clientY + 16}px`;
  };
  const choose = (what, measures) => make("select", { "aria-label": what }, ...measures.map((measure, i) => make("option", { value: i }, axis_title(measure))));
  // A canvas with the resolution of the screen.
  const canvas_of = (canvas, width, height) => {
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.font = "12px system-ui, sans-serif";
    return context;
  };

  // Things that are drawn anew when the width or the colours change: functions.
  const drawings = [];
  const charts = [];
  const chart = (section) => {
    const figure = make("figure", { "aria-label": section.title });
    const place = make("div", { class: "chart" });
    const columns = [axis_title(section.x_axis), ...section.curves.map((curve) => curve.label)];
    const values = values_of(columns, () => section.x.map((x, i) => [section.x_labels ? section.x_labels[i] : number(x), ...section.curves.map((curve) => number(curve.y[i]))]));
    figure.append(place, values);
    charts.push({ section, place, plot: null });
    return figure;
  };
  const draw_marks = (plot, marks) => {
    const { left, top, width, height } = plot.bbox, context = plot.ctx;
    context.save();
    context.strokeStyle = context.fillStyle = style("--bad");
    context.setLineDash([6, 4]);
    // Labels of lines that are near each other must not overlap.
    marks.forEach((mark, i) => {
      const x = Math.round(plot.valToPos(mark.x, "x", true));
      if (x < left || x > left + width) return;
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + height);
      context.stroke();
      context.textAlign = x > left + width / 2 ? "right" : "left";
      context.fillText(` ${mark.label} `, x, top + 14 * (window.devicePixelRatio || 1) * (1 + (i % 8)));
    });
    context.restore();
  };
  // What stands at the pointer, at the `at`-th x.
  const x_text = (section, value, at) => {
    if (value === null || value === undefined) return "";
    return section.x_labels ? section.x_labels[at] : format_of(section.x_axis)(value);
  };
  const draw = (item) => {
    const { section, place } = item;
    if (item.plot) item.plot.destroy();
    const text = style("--text");
    const grid = { stroke: style("--line"), width: 1 };
    const narrow = place.clientWidth < 480;
    const axis = (from) => ({ label: axis_title(from), stroke: text, grid, ticks: grid, values: (_, splits) => splits.map((split) => (split === null ? "" : format_of(from)(split))) });
    // The numbers of the vertical axis must not reach its title.
    const room = (plot, labels, index, cycle) => {
      const axis = plot.axes[index];
      // The sizes of axes depend on each other, and must come to rest.
      if (cycle > 1) return axis._size;
      plot.ctx.font = axis.font[0];
      const widest = Math.max(0, ...(labels || []).map((label) => plot.ctx.measureText(label).width)) / (window.devicePixelRatio || 1);
      return Math.max(narrow ? 54 : 70, Math.ceil(widest + axis.ticks.size + axis.gap));
    };
    const paths = section.bars ? uPlot.paths.bars({ size: [0.8, 40] }) : undefined;
    const log = (from) => (from.log ? { distr: 3, log: from.log === 2 ? 2 : 10 } : {});
    const from_zero = (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.05 : 1];
    // The edges of bands are curves without a line in the legend.
    const edges = [], bands = [];
    section.curves.forEach((curve, i) => {
      if (!curve.low) return;
      const colour = colours[i % colours.length], first = 1 + section.curves.length + edges.length;
      bands.push({ series: [first, first + 1], fill: colour + "33" });
      edges.push({ label: `${curve.label}, high`, y: curve.high, stroke: colour + "55" }, { label: `${curve.label}, low`, y: curve.low, stroke: colour + "55" });
    });
    item.plot = new uPlot(
      {
        width: Math.max(240, place.clientWidth),
        height: 300,
        padding: [null, 24, null, null],
        scales: { x: { time: false, ...log(section.x_axis), ...(section.bars ? { range: (_, least, most) => [least - 0.5, most + 0.5] } : {}) }, y: section.y_axis.log ? log(section.y_axis) : { range: from_zero } },
        axes: [axis(section.x_axis), { ...axis(section.y_axis), size: room }],
        bands: bands.map((band) => ({ series: band.series, fill: band.fill })),
        hooks: { draw: [(plot) => draw_marks(plot, section.marks || [])] },
        series: [
          { label: axis_title(section.x_axis), value: (_plot, value, _series, at) => x_text(section, value, at) },
          ...section.curves.map((curve, i) => ({
            label: curve.label,
            stroke: colours[i % colours.length],
            fill: section.bars ? colours[i % colours.length] + "aa" : undefined,
            width: curve.points ? 0 : 2,
            dash: i >= colours.length ? [6, 4] : undefined,
            paths: curve.points ? () => null : paths,
            points: { show: curve.points || (!section.bars && section.x.length <= 60), size: curve.points ? 9 : 6, fill: curve.points ? colours[i % colours.length] : undefined },
            spanGaps: true,
            value: (_, value) => number(value),
          })),
          ...edges.map((edge) => ({ label: edge.label, stroke: edge.stroke, width: 1, class: "edge", points: { show: false }, spanGaps: true })),
        ],
      },
      [section.x, ...section.curves.map((curve) => curve.y), ...edges.map((edge) => edge.y)],
      place);
    place.dataset.drawn = "yes";
    place.plot = item.plot;
  };

  const ramp = (share) => {
    const stops = [[59, 76, 192], [141, 176, 254], [221, 220, 220], [244, 154, 123], [180, 4, 38]];
    const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(at));
    return `rgb(${stops[i].map((from, c) => Math.round(from + (stops[i + 1][c] - from) * (at - i))).join(",")})`;
  };
  const map = (section) => {
    const figure = make("figure", { class: "map", "aria-label": section.title });
    const choice = choose("Colour of links", section.measures);
    const top = make("span", {}, "");
    figure.append(make("div", { class: "legend" }, choice, "0", make("span", { class: "ramp" }), top));
    // Frame 0 is the whole run.
    const frames = section.frames || [];
    const slider = make("input", { type: "range", min: 0, max: frames.length, value: 0, "aria-label": "Time" });
    const span = make("output", {}, "");
    if (frames.length > 0) figure.append(make("div", { class: "legend" }, make("label", { class: "wide" }, "Time ", slider), span));
    const most_of_frames = frames.reduce((most, frame) => frame.values.reduce((a, b) => Math.max(a, b), most), 0);
    const xs = section.nodes.map((node) => node.x), ys = section.nodes.map((node) => node.y);
    const left = Math.min(...xs), upper = Math.min(...ys);
    const width = Math.max(...xs) - left || 1, height = Math.max(...ys) - upper || 1;
    const scale = Math.min(1000 / width, 560 / height);
    const border = 60;
    const at = (node) => [border + (node.x - left) * scale, border + (node.y - upper) * scale];
    const view = svg("svg", { viewBox: `0 0 ${width * scale + 2 * border} ${height * scale + 2 * border}`, role: "img", "aria-label": section.title });
    const size = Math.max(2, Math.min(6, 400 / Math.sqrt(section.nodes.length) / 4));
    const edges = section.edges.map((edge) => {
      const [ax, ay] = at(section.nodes[edge.a]), [bx, by] = at(section.nodes[edge.b]);
      const long = Math.hypot(bx - ax, by - ay), bend = edge.bent ? 0.12 : 0.03;
      const mx = (ax + bx) / 2 - (by - ay) * bend, my = (ay + by) / 2 + (bx - ax) * bend;
      const node = svg("path", { d: `M${ax.toFixed(1)},${ay.toFixed(1)}Q${mx.toFixed(1)},${my.toFixed(1)} ${bx.toFixed(1)},${by.toFixed(1)}`, "stroke-width": Math.max(1, Math.min(3, long / 20)) }, "");
      view.append(node);
      return node;
    });
    for (const node of section.nodes) {
      const [x, y] = at(node);
      view.append(node.host ? svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size }, node.label)
                            : svg("circle", { cx: x, cy: y, r: size }, node.label));
    }
    const colour = () => {
      const frame = frames[Number(slider.value) - 1], which = Number(choice.value);
      const measure = frame ? section.frame_measure : section.measures[which];
      const factor = frame ? section.frame_scale : 1;
      const value_of = (edge, i) => (frame ? frame.values[i] * factor : edge.values[which]);
      const most = frame ? most_of_frames * factor : section.edges.reduce((most, edge) => Math.max(most, edge.values[which]), 0);
      choice.disabled = Boolean(frame);
      const begin = Number(slider.value) > 1 ? frames[Number(slider.value) - 2].end : 0;
      const when = frame ? `${number(begin)} to ${number(frame.end)} ${section.frame_time.unit}` : "the whole run";
      span.textContent = frame ? `${axis_title(measure)}, ${when}` : when;
      slider.setAttribute("aria-valuetext", when);
      top.textContent = number(most) + (measure.unit ? " " + measure.unit : "");
      section.edges.forEach((edge, i) => {
        const value = value_of(edge, i);
        edges[i].setAttribute("stroke", ramp(most > 0 ? value / most : 0));
        edges[i].setAttribute("stroke-opacity", value > 0 ? 1 : 0.35);
        edges[i].firstChild.textContent = `${edge.label}: ${number(value)} ${measure.unit}`;
      });
    };
    choice.addEventListener("change", colour);
    slider.addEventListener("input", colour);
    colour();
    figure.append(view);
    figure.dataset.drawn = "yes";
    return figure;
  };

  const drawn = window.fabrictwin_activity({ make, choose, canvas_of, show_tip, ramp, style, number, values_of, axis_title, drawings });
  const facts = (section) => make("dl", {}, ...section.facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  const links = (section) => make("ul", {}, ...section.pages.map(([name, file]) => make("li", {}, make("a", { href: encodeURI(file) }, name))));
  const text = (section) => make("details", section.open ? { open: "" } : {}, make("summary", {}, section.title), make("pre", { tabindex: "0" }, section.text));
  const picture = (section) => {
    // Pictures are made by the program, which escapes what they hold; as images they run no scripts.
    const url = URL.createObjectURL(new Blob([section.svg], { type: "image/svg+xml" }));
    return make("figure", { class: "picture" }, make("img", { src: url, alt: section.title, style: "max-width:100%;background:#fff" }));
  };
  const kinds = { facts, links, chart, map, matrix: drawn.matrix, timeline: drawn.timeline, text, picture, table: (section) => table(section.columns, section.rows) };

  try {
    const page = JSON.parse(document.getElementById("data").textContent);
    const main = document.querySelector("main");
    main.append(make("h1", {}, page.title));
    if (page.alert) main.append(make("p", { class: "bad", role: "alert" }, page.alert));
    const nav = make("nav", { "aria-label": "Sections" });
    main.append(nav, tip);
    page.sections.forEach((section, i) => {
      const heading = make("h2", { id: `s${i}` }, section.title);
      nav.append(make("a", { href: `#s${i}` }, section.title));
      main.append(heading, kinds[section.kind](section));
      if (section.note) main.append(make("p", { class: "note" }, section.note));
    });
    const draw_all = () => {
      charts.forEach(draw);
      for (const drawing of drawings) drawing();
    };
    draw_all();
    let width = window.innerWidth;
    window.addEventListener("resize", () => {
      if (window.innerWidth === width) return;
      width = window.innerWidth;
      draw_all();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_all);
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    report(error.stack || error);
  }
})();
