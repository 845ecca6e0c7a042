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

  const axis_title = (axis) => (axis.unit ? `${axis.title} [${axis.unit}]` : axis.title);

  const charts = [];
  const chart = (section) => {
    const figure = make("figure", { "aria-label": section.title });
    const place = make("div", { class: "chart" });
    const values = make("details", {}, make("summary", {}, "Values"));
    // A table of values is made when somebody wants it, since it may be long.
    values.addEventListener("toggle", () => {
      if (!values.open || values.childElementCount > 1) return;
      const columns = [axis_title(section.x_axis), ...section.curves.map((curve) => curve.label)];
      values.append(table(columns, section.x.map((x, i) => [number(x), ...section.curves.map((curve) => number(curve.y[i]))])));
    });
    figure.append(place, values);
    charts.push({ section, place, plot: null });
    return figure;
  };
  const draw = (item) => {
    const { section, place } = item;
    if (item.plot) item.plot.destroy();
    const text = style("--text");
    const grid = { stroke: style("--line"), width: 1 };
    const axis = (from) => ({ label: axis_title(from), stroke: text, grid, ticks: grid, values: (_, splits) => splits.map((split) => (split === null ? "" : number(split))) });
    const paths = section.bars ? uPlot.paths.bars({ size: [0.8, 40] }) : undefined;
    const log = (from) => (from.log ? { distr: 3, log: from.log === 2 ? 2 : 10 } : {});
    const from_zero = (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.05 : 1];
    item.plot = new uPlot(
      {
        width: Math.max(280, place.clientWidth),
        height: 300,
        scales: { x: { time: false, ...log(section.x_axis), ...(section.bars ? { range: (_, least, most) => [least - 0.5, most + 0.5] } : {}) }, y: section.y_axis.log ? log(section.y_axis) : { range: from_zero } },
        axes: [axis(section.x_axis), { ...axis(section.y_axis), size: 70 }],
        series: [
          { label: axis_title(section.x_axis), value: (_, value) => number(value) },
          ...section.curves.map((curve, i) => ({
            label: curve.label,
            stroke: colours[i % colours.length],
            fill: section.bars ? colours[i % colours.length] + "aa" : undefined,
            width: curve.points ? 0 : 2,
            dash: i >= colours.length ? [6, 4] : undefined,
            paths: curve.points ? () => null : paths,
            points: { show: curve.points || (!section.bars && section.x.length <= 60), size: 6 },
            spanGaps: true,
            value: (_, value) => number(value),
          })),
        ],
      },
      [section.x, ...section.curves.map((curve) => curve.y)],
      place);
    place.dataset.drawn = "yes";
  };

  const ramp = (share) => {
    const stops = [[59, 76, 192], [141, 176, 254], [221, 220, 220], [244, 154, 123], [180, 4, 38]];
    const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(at));
    return `rgb(${stops[i].map((from, c) => Math.round(from + (stops[i + 1][c] - from) * (at - i))).join(",")})`;
  };
  const map = (section) => {
    const figure = make("figure", { class: "map", "aria-label": section.title });
    const choice = make("select", { "aria-label": "Colour of links" }, ...section.measures.map((measure, i) => make("option", { value: i }, axis_title(measure))));
    const top = make("span", {}, "");
    figure.append(make("div", { class: "legend" }, choice, "0", make("span", { class: "ramp" }), top));
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
      const which = Number(choice.value);
      const most = Math.max(...section.edges.map((edge) => edge.values[which]), 0);
      top.textContent = number(most) + (section.measures[which].unit ? " " + section.measures[which].unit : "");
      section.edges.forEach((edge, i) => {
        const value = edge.values[which];
        edges[i].setAttribute("stroke", ramp(most > 0 ? value / most : 0));
        edges[i].setAttribute("stroke-opacity", value > 0 ? 1 : 0.35);
        edges[i].firstChild.textContent = `${edge.label}: ${number(value)} ${section.measures[which].unit}`;
      });
    };
    choice.addEventListener("change", colour);
    colour();
    figure.append(view);
    figure.dataset.drawn = "yes";
    return figure;
  };

  const facts = (section) => make("dl", {}, ...section.facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  const links = (section) => make("ul", {}, ...section.pages.map(([name, file]) => make("li", {}, make("a", { href: encodeURI(file) }, name))));
  const text = (section) => make("details", section.open ? { open: "" } : {}, make("summary", {}, section.title), make("pre", { tabindex: "0" }, section.text));
  const picture = (section) => {
    // Pictures are made by the program, which escapes what they hold; as images they run no scripts.
    const url = URL.createObjectURL(new Blob([section.svg], { type: "image/svg+xml" }));
    return make("figure", { class: "picture" }, make("img", { src: url, alt: section.title, style: "max-width:100%;background:#fff" }));
  };
  const kinds = { facts, links, chart, map, text, picture, table: (section) => table(section.columns, section.rows) };

  try {
    const page = JSON.parse(document.getElementById("data").textContent);
    const main = document.querySelector("main");
    main.append(make("h1", {}, page.title));
    if (page.alert) main.append(make("p", { class: "bad", role: "alert" }, page.alert));
    const nav = make("nav", { "aria-label": "Sections" });
    main.append(nav);
    page.sections.forEach((section, i) => {
      const heading = make("h2", { id: `s${i}` }, section.title);
      nav.append(make("a", { href: `#s${i}` }, section.title));
      main.append(heading, kinds[section.kind](section));
      if (section.note) main.append(make("p", { class: "note" }, section.note));
    });
    const draw_all = () => charts.forEach(draw);
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
