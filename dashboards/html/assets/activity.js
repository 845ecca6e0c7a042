// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Canvases of what ranks and partitions did, with what page.js has for all sections: matrices and timelines. Each is
// read with the pointer and with the keyboard.
"use strict";
window.fabrictwin_activity = ({ make, choose, canvas_of, show_tip, ramp, style, number, values_of, axis_title, drawings }) => {
  // A table has no more rows.
  const most_values = 2000;
  const matrix = (section) => {
    const figure = make("figure", { class: "matrix", "aria-label": section.title });
    const choice = choose("Colour of cells", section.measures);
    const least_text = make("span"), most_text = make("span");
    const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": `${section.title}: arrow keys go from cell to cell` });
    const readout = make("p", { class: "note", "aria-live": "polite" }, "");
    const count = section.labels.length, margin = 46;
    let size = 0, at = null;
    const text_at = ([row, column]) => section.measures
      .map((measure, i) => `${number(section.values[i][row * count + column])} ${measure.unit || measure.title}`)
      .reduce((all, one) => `${all}, ${one}`, `${section.row_title} ${section.labels[row]}, ${section.column_title} ${section.labels[column]}`);
    const paint = () => {
      const width = Math.min(figure.clientWidth || 300, 640);
      size = Math.max(2, (width - margin - 2) / count);
      const side = size * count, values = section.values[Number(choice.value)], unit = section.measures[Number(choice.value)].unit;
      const context = canvas_of(canvas, margin + side + 2, margin + side + 2);
      const positive = values.filter((value) => value > 0);
      const least = positive.reduce((a, b) => Math.min(a, b), Infinity), most = positive.reduce((a, b) => Math.max(a, b), 0);
      least_text.textContent = positive.length ? `${number(least)} ${unit}` : "";
      most_text.textContent = positive.length ? `${number(most)} ${unit}` : "nothing";
      const range = Math.log(most / least) || 1;
      context.fillStyle = style("--even");
      context.fillRect(margin, margin, side, side);
      values.forEach((value, i) => {
        if (!(value > 0)) return;
        context.fillStyle = ramp(most > least ? Math.log(value / least) / range : 1);
        context.fillRect(margin + (i % count) * size, margin + Math.floor(i / count) * size, Math.ceil(size), Math.ceil(size));
      });
      context.fillStyle = style("--text");
      const step = Math.max(1, Math.ceil(count * (12 + 7 * section.labels[count - 1].length) / side));
      for (let i = 0; i < count; i += step) {
        const middle = margin + (i + 0.5) * size;
        context.textAlign = "right";
        context.fillText(section.labels[i], margin - 4, middle + 4, margin - 6);
        context.textAlign = "center";
        context.fillText(section.labels[i], middle, margin - 6, step * size - 2);
      }
      context.textAlign = "left";
      context.fillText(`${section.column_title} \u2192`, margin, 14);
      context.fillText(`${section.row_title} \u2193`, 0, 32);
      if (!at) return;
      context.strokeStyle = style("--text");
      context.lineWidth = 2;
      context.strokeRect(margin + at[1] * size, margin + at[0] * size, size, size);
    };
    const cell_of = (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - margin) / size), row = Math.floor((event.clientY - box.top - margin) / size);
      return row >= 0 && column >= 0 && row < count && column < count ? [row, column] : null;
    };
    const select = (cell) => {
      at = cell;
      readout.textContent = cell ? text_at(cell) : "";
      paint();
    };
    canvas.addEventListener("pointermove", (event) => {
      const cell = cell_of(event);
      show_tip(event, cell ? text_at(cell) : "");
    });
    canvas.addEventListener("pointerleave", (event) => show_tip(event, ""));
    canvas.addEventListener("click", (event) => select(cell_of(event)));
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      select(at ? at.map((place, i) => Math.max(0, Math.min(count - 1, place + step[i]))) : [0, 0]);
    });
    choice.addEventListener("change", paint);
    const pairs = () => section.values[0].flatMap((_, i) => (section.values.some((values) => values[i] > 0)
      ? [[section.labels[Math.floor(i / count)], section.labels[i % count], ...section.values.map((values) => number(values[i]))]] : []));
    const values = values_of([section.row_title, section.column_title, ...section.measures.map(axis_title)], pairs, most_values);
    figure.append(make("div", { class: "legend" }, choice, least_text, make("span", { class: "ramp" }), most_text), canvas, readout, values);
    drawings.push(paint);
    return figure;
  };

  const timeline = (section) => {
    const figure = make("figure", { class: "timeline", "aria-label": section.title });
    const hue = ["#0072b2", "#d55e00", "#cc79a7", "#8a8a00", "#56b4e9", "#e69f00", "#7b4fb5", "#a0522d", "#2f8f8f", "#c0392b", "#5d8a3a", "#b8860b"];
    const level = section.level;
    let others = 0;
    const colour_of = section.states.map((state) => (state === "ended" ? null : state === "compute" ? "#009e73" : hue[others++ % hue.length]));
    const begins = section.rows.map((row) => { let at = 0; return row.ticks.map((length) => (at += length) - length); });
    const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": `${section.title}: plus and minus zoom, left and right move, up and down go from ${section.row_title} to ${section.row_title}, Home shows all` });
    const readout = make("p", { class: "note", "aria-live": "polite" }, "");
    const height = Math.max(2, Math.min(18, Math.floor(480 / Math.max(1, section.rows.length))));
    const label_length = section.rows.reduce((most, row) => Math.max(most, row.label.length), 0);
    const margin = Math.max(56, Math.min(140, 7 * label_length + 8)), axis_height = 22;
    let from = 0, to = section.ticks, width = 0, drag = null, chosen = null;
    const time_of = (tick) => tick / section.ticks * section.end;
    const tick_at = (x) => from + Math.max(0, Math.min(1, (x - margin) / (width - margin))) * (to - from);
    const paint = () => {
      width = figure.clientWidth || 300;
      const bottom = section.rows.length * height;
      const context = canvas_of(canvas, width, bottom + axis_height);
      const scale = (width - margin) / (to - from);
      section.rows.forEach((row, r) => {
        row.states.forEach((state, i) => {
          const begin = begins[r][i], end = begin + row.ticks[i];
          if (end <= from || begin >= to || (!level && colour_of[state] === null)) return;
          const x = margin + Math.max(0, (begin - from) * scale);
          context.fillStyle = level ? ramp(row.levels[i] / 100) : colour_of[state];
          context.fillRect(x, r * height, Math.max(0.5, margin + Math.min(width - margin, (end - from) * scale) - x), height > 4 ? height - 1 : height);
        });
      });
      context.fillStyle = context.strokeStyle = style("--text");
      context.textAlign = "right";
      const step = Math.max(1, Math.ceil(14 / height));
      for (let r = 0; r < section.rows.length; r += step) context.fillText(section.rows[r].label, margin - 4, r * height + 11, margin - 4);
      const ticks = width < 480 ? 2 : 5;
      for (let i = 0; i <= ticks; ++i) {
        const x = margin + (width - margin) * i / ticks;
        context.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
        context.fillText(number(time_of(from + (to - from) * i / ticks)) + (i === ticks ? ` ${section.time.unit}` : ""), x, bottom + 16);
      }
      if (chosen !== null) context.strokeRect(margin, chosen * height + 0.5, width - margin - 1, Math.max(1, height - 2));
      if (!drag || drag.now === drag.begin) return;
      context.fillStyle = "#8888";
      context.fillRect(Math.min(drag.begin, drag.now), 0, Math.abs(drag.now - drag.begin), bottom);
    };
    const view = (first, last) => {
      const span = Math.max(section.ticks / 1e5, Math.min(section.ticks, last - first));
      from = Math.max(0, Math.min(section.ticks - span, first));
      to = from + span;
      figure.dataset.from = from;
      figure.dataset.to = to;
      read_out();
    };
    const zoom = (factor) => { const middle = (from + to) / 2, half = (to - from) / 2 * factor; view(middle - half, middle + half); };
    const pan = (share) => view(from + (to - from) * share, to + (to - from) * share);
    const state_text = (row, i) => [...(level ? [`${level.title} ${row.levels[i]} ${level.unit}`] : []), ...(section.states[row.states[i]] ? [section.states[row.states[i]]] : [])].join(", ");
    const text_of = (r, tick) => {
      const row = section.rows[r];
      let i = begins[r].length - 1;
      while (i > 0 && begins[r][i] > tick) --i;
      if (i < 0) return "";
      return `${section.row_title} ${row.label}: ${state_text(row, i)}, ${number(time_of(begins[r][i]))} to ${number(time_of(begins[r][i] + row.ticks[i]))} ${section.time.unit}`;
    };
    const text_at = (x, y) => {
      const r = Math.floor(y / height);
      return section.rows[r] && x >= margin ? text_of(r, tick_at(x)) : "";
    };
    // What the chosen row does in the middle of what is shown.
    const read_out = () => {
      readout.textContent = chosen === null ? "" : text_of(chosen, (from + to) / 2);
      paint();
    };
    const go = (step) => {
      chosen = chosen === null ? 0 : Math.max(0, Math.min(section.rows.length - 1, chosen + step));
      read_out();
    };
    const shown = () => section.rows.flatMap((row, r) => row.states.flatMap((state, i) => {
      const begin = begins[r][i], end = begin + row.ticks[i];
      return end <= from || begin >= to ? [] : [[row.label, state_text(row, i), number(time_of(begin)), number(time_of(end))]];
    }));
    const unit = section.time.unit;
    const values = values_of([section.row_title, "state", `from [${unit}]`, `to [${unit}]`], shown, most_values);
    const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    canvas.addEventListener("pointerdown", (event) => { if (event.pointerType !== "touch") drag = { begin: place(event)[0], now: place(event)[0] }; });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      show_tip(event, text_at(x, y));
      if (drag) { drag.now = x; paint(); }
    });
    canvas.addEventListener("pointerleave", (event) => show_tip(event, ""));
    window.addEventListener("pointerup", () => {
      const done = drag;
      drag = null;
      if (done && Math.abs(done.now - done.begin) > 4) view(tick_at(Math.min(done.begin, done.now)), tick_at(Math.max(done.begin, done.now)));
    });
    canvas.addEventListener("dblclick", () => view(0, section.ticks));
    const acts = { "+": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), ArrowUp: () => go(-1), ArrowDown: () => go(1), Home: () => view(0, section.ticks) };
    canvas.addEventListener("keydown", (event) => { if (acts[event.key]) { event.preventDefault(); acts[event.key](); } });
    const buttons = [["zoom in", "+"], ["zoom out", "-"], ["earlier", "ArrowLeft"], ["later", "ArrowRight"], ["all", "Home"]].map(([name, key]) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => acts[key]());
      return button;
    });
    const legend = level ? [make("span", {}, `${level.title} [${level.unit}]`), make("span", {}, "0"), make("span", { class: "ramp" }), make("span", {}, "100")]
                         : section.states.flatMap((state, i) => (colour_of[i] ? [make("span", { class: "key" }, make("span", { style: `background:${colour_of[i]}` }), state)] : []));
    figure.append(make("div", { class: "legend" }, ...buttons), make("div", { class: "legend" }, ...legend), make("div", { class: "tall", tabindex: 0, role: "region", "aria-label": section.title }, canvas), readout, values);
    drawings.push(paint);
    return figure;
  };

  return { matrix, timeline };
};
