// Pictures of a run, drawn by uPlot: over time with stick and slip shaded, and the friction loop.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const modeColours = ["flight", "stick", "slip"];
const pictureHeight = 250;
const mostLoopPoints = 40_000;

// Title, caption and curves: [variable, colour, axis]; the second axis is on the right. An axis of
// more than one curve has a name of its own.
const timePictures = [
  {
    id: "displacement",
    title: "Motion of the mass on the support",
    caption: "Tangential displacement, mass minus support.",
    curves: [["relative_displacement", "mass", 0]],
  },
  {
    id: "acceleration",
    title: "Acceleration of support and mass",
    caption: "Both are one where the mass sticks; in slip the mass feels friction alone.",
    axis: "acceleration",
    curves: [
      ["base_acceleration", "support", 0],
      ["absolute_acceleration", "mass", 0],
    ],
  },
  {
    id: "wear",
    title: "Wear power and wear work",
    caption: "Wear power is normal force times sliding speed; wear work is its integral, impacts included.",
    curves: [
      ["wear_power", "wear", 0],
      ["wear_work", "exact", 1],
    ],
  },
  {
    id: "contact",
    title: "Contact force, gap and shocks",
    caption: "A line at the top marks each shock: a contact that closes after flight.",
    curves: [
      ["normal_force", "mass", 0],
      ["gap", "support", 1],
    ],
  },
];
const loopCaption = "Friction force on the mass over its displacement: the area of the loop is heat.";

// Ends of an axis for values between two; what does not change lies in its middle.
const axisEnds = (_, low, high) => {
  if (low === null || !Number.isFinite(low)) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : 0.5 * Math.abs(low) || 1;
  return [low - room, high + room];
};

class Pictures {
  constructor(place, facts) {
    this.place = place;
    this.units = Object.fromEntries(
      [...facts.inputs, ...facts.outputs].map(({ name, unit }) => [name, unit]),
    );
    this.words = Object.fromEntries(
      [...facts.inputs, ...facts.outputs].map(({ name, words }) => [name, words]),
    );
    this.figures = new Map();
    this.plots = new Map();
    for (const { id, title, caption } of timePictures) this.addFigure(place, id, title, caption);
    this.addFigure(place, "loop", "Friction loop", loopCaption);
    new ResizeObserver(() => this.resize()).observe(place);
  }

  addFigure(place, id, title, caption) {
    const figure = document.createElement("figure");
    const heading = document.createElement("h3");
    const plot = document.createElement("div");
    const text = document.createElement("figcaption");
    heading.textContent = title;
    text.textContent = caption;
    plot.className = "plot";
    plot.setAttribute("role", "img");
    figure.append(heading, plot, text);
    place.append(figure);
    this.figures.set(id, plot);
  }

  get width() {
    return Math.max(200, Math.floor(this.place.clientWidth));
  }

  resize() {
    if (this.width === this.drawnWidth) return;
    this.drawnWidth = this.width;
    for (const plot of this.plots.values()) plot.setSize({ width: this.width, height: pictureHeight });
  }

  // Draw a run; the pictures are made anew only where their curves change.
  show(result) {
    this.result = result;
    this.stretches = stretchesOf(result.outputs.contact_mode);
    this.shocks = this.shockTimes();
    this.drawnWidth = this.width;
    for (const picture of timePictures) this.showOverTime(picture);
    this.showLoop();
  }

  // Colours follow the scheme: all is made anew.
  redraw() {
    for (const plot of this.plots.values()) plot.destroy();
    this.plots.clear();
    if (this.result) this.show(this.result);
  }

  values(name) {
    return this.result.inputs[name] ?? this.result.outputs[name];
  }

  shockTimes() {
    const { shock_count: counts } = this.result.outputs;
    const found = [];
    for (let row = 1; row < counts.length; ++row) {
      if (counts[row] > counts[row - 1]) found.push(this.result.times[row]);
    }
    return found;
  }

  showOverTime({ id, curves, axis }) {
    const shown = curves.filter(
      ([name]) => name !== "gap" || largestOf(this.values("gap")) > 0,
    );
    const data = [this.result.times, ...shown.map(([name]) => this.values(name))];
    const units = [0, 1].map((axis) => {
      const own = shown.filter(([, , at]) => at === axis);
      return own.length
        ? suitableUnit(this.units[own[0][0]], Math.max(...own.map(([name]) => largestOf(this.values(name)))))
        : null;
    });
    const form = JSON.stringify([shown, units]);
    let plot = this.plots.get(id);
    if (plot?.form !== form) {
      plot?.destroy();
      plot = this.timePlot(id, shown, units, data, axis);
      plot.form = form;
      this.plots.set(id, plot);
    } else {
      const window = this.window;
      plot.setData(data, !window);
      if (window) plot.setScale("x", { min: window[0], max: window[1] });
    }
    this.figures.get(id).setAttribute("aria-label", this.described(shown));
  }

  described(curves) {
    const texts = curves.map(([name]) => {
      const [low, high] = rangeOf(this.values(name));
      const unit = this.units[name];
      const end = this.values(name)[this.result.count];
      return `${this.words[name]} from ${withUnit(low, unit)} to ${withUnit(high, unit)}, at the end ${withUnit(end, unit)}`;
    });
    return `Over ${written(this.result.stopTime - this.result.startTime)} s: ${texts.join("; ")}.`;
  }

  timePlot(id, curves, units, data, name) {
    const side = (axis) => {
      const own = curves.filter(([, , at]) => at === axis);
      if (!own.length) return [];
      const [factor, unit] = units[axis];
      const words = own.length > 1 ? name : this.words[own[0][0]];
      return [
        {
          ...this.axis(`${words}${unit ? ` [${unit}]` : ""}`, factor),
          scale: `y${axis}`,
          side: axis ? 1 : 3,
          grid: { show: !axis, stroke: colour("grid"), width: 1 },
        },
      ];
    };
    const series = curves.map(([name, paint, axis]) => ({
      label: this.words[name],
      scale: `y${axis}`,
      stroke: colour(paint),
      width: 1.5,
      points: { show: false },
      value: (_, value) => (value === null ? "–" : withUnit(value, this.units[name])),
    }));
    return new uPlot(
      {
        width: this.width,
        height: pictureHeight,
        scales: { x: { time: false }, y0: { range: axisEnds }, y1: { range: axisEnds } },
        series: [{ label: "time", value: (_, value) => (value === null ? "–" : `${written(value, 6)} s`) }, ...series],
        axes: [this.timeAxis(), ...side(0), ...side(1)],
        cursor: { sync: { key: "time" }, drag: { x: true, y: false }, focus: { prox: 30 } },
        legend: { markers: { width: 3 } },
        hooks: {
          drawClear: [(plot) => this.shade(plot)],
          draw: id === "contact" ? [(plot) => this.markShocks(plot)] : [],
          setSelect: [(plot) => this.zoomTo(plot)],
        },
      },
      data,
      this.figures.get(id),
    );
  }

  timeAxis() {
    return { ...this.axis("time [s]", 1), size: 32, grid: { stroke: colour("grid"), width: 1 } };
  }

  axis(label, factor) {
    return {
      label,
      stroke: colour("text"),
      labelSize: 22,
      size: 52,
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      ticks: { stroke: colour("grid"), width: 1 },
      values: (_, splits) => splits.map((value) => written(Number((value / factor).toPrecision(12)), 6)),
    };
  }

  shade(plot) {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const fills = modeColours.map(colour);
    const { times } = this.result;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    for (const [mode, first, last] of this.stretches) {
      const from = Math.max(left, plot.valToPos(times[first], "x", true));
      const to = Math.min(left + width, plot.valToPos(times[last], "x", true));
      if (to <= from) continue;
      ctx.fillStyle = fills[mode];
      ctx.fillRect(from, top, to - from, height);
    }
    ctx.restore();
  }

  markShocks(plot) {
    const { ctx } = plot;
    const { left, top, width } = plot.bbox;
    ctx.save();
    ctx.strokeStyle = colour("text");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    for (const time of this.shocks) {
      const at = plot.valToPos(time, "x", true);
      if (at < left || at > left + width) continue;
      ctx.moveTo(at, top);
      ctx.lineTo(at, top + 8 * devicePixelRatio);
    }
    ctx.stroke();
    ctx.restore();
  }

  // A stretch of time that was drawn across in one picture: all show it.
  zoomTo(plot) {
    const { left, width } = plot.select;
    if (width < 2) return;
    const ends = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.setWindow(ends);
  }

  setWindow(window) {
    this.window = window;
    const { startTime, stopTime } = this.result;
    const [min, max] = window ?? [startTime, stopTime];
    for (const [id, plot] of this.plots) if (id !== "loop") plot.setScale("x", { min, max });
    this.showLoop();
    this.onWindow?.(min, max);
  }

  showLoop() {
    const { times, outputs, startTime, stopTime } = this.result;
    const [from, to] = this.window ?? [startTime, stopTime];
    let first = 0;
    let last = times.length - 1;
    while (first < last && times[first] < from) ++first;
    while (last > first && times[last] > to) --last;
    const stride = Math.max(1, Math.ceil((last - first + 1) / mostLoopPoints));
    const taken = (values) => {
      const part = values.subarray(first, last + 1);
      return stride === 1 ? part : part.filter((_, row) => row % stride === 0);
    };
    const data = [null, [taken(outputs.relative_displacement), taken(outputs.friction_force)]];
    const units = ["relative_displacement", "friction_force"].map((name) =>
      suitableUnit(this.units[name], largestOf(outputs[name])),
    );
    const form = JSON.stringify(units);
    let plot = this.plots.get("loop");
    if (plot?.form !== form) {
      plot?.destroy();
      plot = this.loopPlot(units, data);
      plot.form = form;
      this.plots.set("loop", plot);
    } else plot.setData(data);
    const ranges = ["relative_displacement", "friction_force"].map((name) => {
      const unit = this.units[name];
      const [low, high] = rangeOf(outputs[name]);
      return `${this.words[name]} from ${withUnit(low, unit)} to ${withUnit(high, unit)}`;
    });
    this.figures.get("loop").setAttribute("aria-label", `Friction loop: ${ranges.join("; ")}.`);
  }

  loopPlot([[uFactor, uUnit], [fFactor, fUnit]], data) {
    const grid = { stroke: colour("grid"), width: 1 };
    return new uPlot(
      {
        mode: 2,
        width: this.width,
        height: pictureHeight,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: axisEnds }, y: { range: axisEnds } },
        axes: [
          { ...this.axis(`relative displacement [${uUnit}]`, uFactor), size: 32, grid },
          { ...this.axis(`friction force [${fUnit}]`, fFactor), grid },
        ],
        series: [null, { stroke: colour("mass"), paths: (plot, index) => this.loopPath(plot, index) }],
      },
      data,
      this.figures.get("loop"),
    );
  }

  loopPath(plot, index) {
    uPlot.orient(plot, index, (_s, u, force, scaleX, scaleY, toX, toY, left, top, width, height) => {
      const { ctx } = plot;
      ctx.save();
      ctx.strokeStyle = colour("mass");
      ctx.lineWidth = 1.2 * devicePixelRatio;
      ctx.lineJoin = "round";
      ctx.beginPath();
      let lastX = NaN;
      let lastY = NaN;
      for (let row = 0; row < u.length; ++row) {
        const x = Math.round(2 * toX(u[row], scaleX, width, left)) / 2;
        const y = Math.round(2 * toY(force[row], scaleY, height, top)) / 2;
        if (x === lastX && y === lastY) continue;
        ctx.lineTo(x, y);
        lastX = x;
        lastY = y;
      }
      ctx.stroke();
      ctx.restore();
    });
    return null;
  }
}

// Wear work of explicit Euler beside the exact one.
class EulerPicture {
  constructor(place) {
    this.place = place;
    place.setAttribute("role", "img");
  }

  show(exact, euler) {
    this.shown = [exact, euler];
    this.plot?.destroy();
    const onTimes = lineThrough(euler.history.times, euler.history.wear_work);
    const stride = Math.max(1, Math.ceil(exact.times.length / 4000));
    const rows = exact.times.filter((_, row) => row % stride === 0);
    const work = exact.outputs.wear_work.filter((_, row) => row % stride === 0);
    const approximate = Array.from(rows, onTimes).map((value) => (Number.isFinite(value) ? value : null));
    const size = largestOf(work);
    const [factor, unit] = suitableUnit("J", size);
    const { axis, timeAxis } = Pictures.prototype;
    const grid = { stroke: colour("grid"), width: 1 };
    const curve = (label, stroke, dash) => ({
      label,
      stroke,
      dash,
      width: 1.5,
      points: { show: false },
      value: (_, value) => (value === null ? "–" : withUnit(value, "J")),
    });
    this.plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth),
        height: pictureHeight,
        // Where explicit Euler blows up, the exact curve must stay to be seen.
        scales: { x: { time: false }, y: { range: (_, _low, high) => [0, Math.min(high, 3 * size) * 1.05 || 1] } },
        cursor: { drag: { x: false, y: false } },
        series: [
          { label: "time", value: (_, value) => (value === null ? "–" : `${written(value, 6)} s`) },
          curve("wear work, exact", colour("exact")),
          curve("explicit Euler", colour("mass"), [6, 4]),
        ],
        axes: [
          timeAxis.call({ axis }),
          { ...axis(`wear work [${unit}]`, factor), grid },
        ],
      },
      [rows, work, approximate],
      this.place,
    );
  }

  redraw() {
    if (this.plot) this.show(...this.shown);
  }

  clear() {
    this.plot?.destroy();
    this.plot = null;
  }
}
