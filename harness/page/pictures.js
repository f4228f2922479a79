// Pictures of a run, drawn by uPlot from the table of pictures: over time with stick and slip
// shaded, and paths of one variable over another.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const modeColours = ["flight", "stick", "slip"];
const pictureHeight = 250;
const mostPathPoints = 40_000;
const dashes = { solid: undefined, dash: [6, 4], dot: [2, 3] };

// Limits of an axis for two values. A constant is in the middle.
const axisEnds = (_, low, high) => {
  if (low === null || !Number.isFinite(low)) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : 0.5 * Math.abs(low) || 1;
  return [low - room, high + room];
};

const axisOf = (title, [factor, unit], options) => ({
  label: unit ? `${title} [${unit}]` : title,
  stroke: colour("text"),
  labelSize: 22,
  size: 52,
  font: "12px system-ui, sans-serif",
  labelFont: "12px system-ui, sans-serif",
  ticks: { stroke: colour("grid"), width: 1 },
  grid: { stroke: colour("grid"), width: 1 },
  values: (_, splits) => splits.map((value) => written(Number((value / factor).toPrecision(12)), 6)),
  ...options,
});

const timeAxis = () => axisOf("time", [1, "s"], { size: 32 });
const timeSeries = () => ({
  label: "time",
  value: (_, value) => (value === null ? "–" : `${written(value, 6)} s`),
});

const curveOf = (label, unit, paint, style, options) => ({
  label,
  stroke: colour(paint),
  dash: dashes[style],
  width: 1.5,
  points: { show: false },
  value: (_, value) => (value === null ? "–" : withUnit(value, unit)),
  ...options,
});

class Pictures {
  constructor(place, facts) {
    this.place = place;
    this.facts = Object.fromEntries([...facts.inputs, ...facts.outputs, ...facts.parameters, ...facts.law].map((one) => [one.name, one]));
    this.plots = facts.pictures.flatMap((picture) => this.addFigure(picture));
    this.overTime = this.plots.filter(({ x }) => x === "time");
    this.paths = this.plots.filter(({ x }) => x !== "time");
    new ResizeObserver(() => this.resize()).observe(place);
  }

  // The plots of the picture. Each has the panels that share it, left and right.
  addFigure({ title, caption, marks, x, plots }) {
    const added = plots.map((panels) => {
      const place = newElement("div");
      place.className = "plot";
      place.setAttribute("role", "img");
      return { title, marks, x, panels, place, drawn: null };
    });
    const places = added.map(({ place }) => place);
    const text = newElement("figcaption", caption);
    this.place.append(newElement("figure", newElement("h3", title), ...places, text));
    return added;
  }

  get width() {
    return Math.max(200, Math.floor(this.place.clientWidth));
  }

  resize() {
    if (this.width === this.drawnWidth) return;
    this.drawnWidth = this.width;
    for (const { drawn } of this.plots) drawn?.setSize({ width: this.width, height: pictureHeight });
  }

  // Draw a run. Pictures are created again only if their curves change.
  show(result) {
    this.result = result;
    this.stretches = stretchesOf(result.outputs.contact_mode);
    this.drawnWidth = this.width;
    for (const plot of this.overTime) this.showOverTime(plot);
    for (const plot of this.paths) this.showPath(plot);
  }

  // Colours depend on the scheme, so all pictures are created again.
  redraw() {
    for (const plot of this.plots) {
      plot.drawn?.destroy();
      plot.drawn = null;
    }
    if (this.result) this.show(this.result);
  }

  values({ variable, factor }) {
    const { inputs, outputs, law, settings, times } = this.result;
    const found = inputs[variable] ?? outputs[variable] ?? law[variable] ?? times.map(() => settings.parameters[variable]);
    return factor === 1 ? found : found.map((value) => factor * value);
  }

  // Factor and name of a unit for all curves of a panel.
  unitOf({ series }) {
    const largest = Math.max(...series.map((one) => largestOf(this.values(one))));
    return suitableUnit(this.facts[series[0].variable].unit, largest);
  }

  rises(counter) {
    const counts = this.result.outputs[counter];
    return this.result.times.filter((_, row) => row > 0 && counts[row] > counts[row - 1]);
  }

  showOverTime(plot) {
    const isSeen = ({ hidden_at_zero: hidden, series }) =>
      !hidden || series.some((one) => largestOf(this.values(one)) > 0);
    // A stop at 1e30 m means that there is no stop.
    const isThere = (one) => largestOf(this.values(one)) < 1e30;
    const panels = plot.panels.map((panel) =>
      panel && isSeen(panel) ? { ...panel, series: panel.series.filter(isThere) } : null,
    );
    const curves = panels.flatMap((panel, side) => (panel ? panel.series.map((one) => ({ ...one, side })) : []));
    const units = panels.map((panel) => panel && this.unitOf(panel));
    const data = [this.result.times, ...curves.map((one) => this.values(one))];
    plot.marked = plot.marks ? this.rises(plot.marks) : [];
    const form = JSON.stringify([curves, units]);
    if (plot.drawn?.form !== form) {
      plot.drawn?.destroy();
      plot.drawn = this.timePlot(plot, panels, curves, units, data);
      plot.drawn.form = form;
    } else {
      const window = this.window;
      plot.drawn.setData(data, !window);
      if (window) plot.drawn.setScale("x", { min: window[0], max: window[1] });
    }
    plot.place.setAttribute("aria-label", this.described(curves));
  }

  ranged(one) {
    const { words, unit } = this.facts[one.variable];
    const [low, high] = rangeOf(this.values(one));
    return `${words} from ${withUnit(low, unit)} to ${withUnit(high, unit)}`;
  }

  described(curves) {
    const texts = curves.map((one) => {
      const end = withUnit(this.values(one)[this.result.count], this.facts[one.variable].unit);
      return `${this.ranged(one)}, at the end ${end}`;
    });
    return `Over ${written(this.result.stopTime - this.result.startTime)} s: ${texts.join(". ")}.`;
  }

  timePlot(plot, panels, curves, units, data) {
    const axes = panels.map((panel, side) => {
      const grid = { show: !side, stroke: colour("grid"), width: 1 };
      return panel && axisOf(panel.title, units[side], { scale: `y${side}`, side: side ? 1 : 3, grid });
    });
    const series = curves.map(({ variable, colour: own, beside, style, side }) => {
      const { words, unit } = this.facts[variable];
      return curveOf(words, unit, beside || own, style, { scale: `y${side}` });
    });
    return new uPlot(
      {
        width: this.width,
        height: pictureHeight,
        scales: { x: { time: false }, y0: { range: axisEnds }, y1: { range: axisEnds } },
        series: [timeSeries(), ...series],
        axes: [timeAxis(), ...axes.filter(Boolean)],
        cursor: { sync: { key: "time" }, drag: { x: true, y: false }, focus: { prox: 30 } },
        legend: { markers: { width: 3 } },
        hooks: {
          drawClear: [(drawn) => this.shade(drawn)],
          draw: [(drawn) => this.mark(drawn, plot.marked)],
          setSelect: [(drawn) => this.zoomTo(drawn)],
        },
      },
      data,
      plot.place,
    );
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

  mark(plot, times) {
    const { ctx } = plot;
    const { left, top, width } = plot.bbox;
    ctx.save();
    ctx.strokeStyle = colour("text");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    for (const time of times) {
      const at = plot.valToPos(time, "x", true);
      if (at < left || at > left + width) continue;
      ctx.moveTo(at, top);
      ctx.lineTo(at, top + 8 * devicePixelRatio);
    }
    ctx.stroke();
    ctx.restore();
  }

  // An interval of time selected in one picture applies to all pictures.
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
    for (const { drawn } of this.overTime) drawn.setScale("x", { min, max });
    for (const plot of this.paths) this.showPath(plot);
    this.onWindow?.(min, max);
  }

  // The part of the histories in the window: each row, or every second, third and so on.
  inWindow(histories) {
    const { times, startTime, stopTime } = this.result;
    const [from, to] = this.window ?? [startTime, stopTime];
    let first = 0;
    let last = times.length - 1;
    while (first < last && times[first] < from) ++first;
    while (last > first && times[last] > to) --last;
    const stride = Math.max(1, Math.ceil((last - first + 1) / mostPathPoints));
    return histories.map((values) => {
      const part = values.subarray(first, last + 1);
      return stride === 1 ? part : part.filter((_, row) => row % stride === 0);
    });
  }

  showPath(plot) {
    const [panel] = plot.panels;
    const along = { variable: plot.x, factor: 1 };
    const histories = [along, ...panel.series].map((one) => this.values(one));
    const [x, ...paths] = plot.x in this.result.law ? histories : this.inWindow(histories);
    const data = [null, ...paths.map((path) => [x, path])];
    const units = [this.unitOf({ series: [along] }), this.unitOf(panel)];
    const form = JSON.stringify(units);
    if (plot.drawn?.form !== form) {
      plot.drawn?.destroy();
      plot.drawn = this.pathPlot(plot, units, data);
      plot.drawn.form = form;
    } else plot.drawn.setData(data);
    const ranges = [along, ...panel.series].map((one) => this.ranged(one));
    plot.place.setAttribute("aria-label", `${plot.title}: ${ranges.join(". ")}.`);
  }

  pathPlot({ x, panels: [panel], place }, [xUnit, yUnit], data) {
    const paths = panel.series.map(({ colour: paint }) => ({
      stroke: colour(paint),
      paths: (plot, index) => this.drawPath(plot, index, paint),
    }));
    return new uPlot(
      {
        mode: 2,
        width: this.width,
        height: pictureHeight,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: axisEnds }, y: { range: axisEnds } },
        axes: [axisOf(this.facts[x].words, xUnit, { size: 32 }), axisOf(panel.title, yUnit)],
        series: [null, ...paths],
      },
      data,
      place,
    );
  }

  drawPath(plot, index, paint) {
    uPlot.orient(plot, index, (_s, alongX, alongY, scaleX, scaleY, toX, toY, left, top, width, height) => {
      const { ctx } = plot;
      ctx.save();
      ctx.strokeStyle = colour(paint);
      ctx.lineWidth = 1.2 * devicePixelRatio;
      ctx.lineJoin = "round";
      ctx.beginPath();
      let lastX = NaN;
      let lastY = NaN;
      for (let row = 0; row < alongX.length; ++row) {
        const x = Math.round(2 * toX(alongX[row], scaleX, width, left)) / 2;
        const y = Math.round(2 * toY(alongY[row], scaleY, height, top)) / 2;
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
