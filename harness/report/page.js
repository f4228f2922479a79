// Draws each picture when it is near the screen, and other pictures when the browser is idle. Draws
// them again in other colours if the scheme changes, in another layout if the width changes, and in
// light colours and the wide layout for print. Pictures over time in a section have the same time
// axis: zooming one zooms all. Plotly is unpacked first, which a page contains in a third of its size.
(async () => {
  const plots = [...document.querySelectorAll(".plot")];
  if (!("DecompressionStream" in window)) {
    for (const plot of plots) plot.textContent = "This picture needs a browser of 2023 or newer.";
    return;
  }
  const script = document.createElement("script");
  const plotly = await unpacked(document.getElementById("plotly").textContent);
  script.textContent = new TextDecoder().decode(plotly);
  document.head.append(script);
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const narrowScreen = matchMedia("(max-width: 600px)");
  const darkByLight = JSON.parse(document.getElementById("dark-colours").textContent);
  const sources = new Map(plots.map((plot) => [plot, plot.firstElementChild.textContent]));
  const drawn = new Map();
  const spans = new Map(); // of time, by section, if zoomed
  const paperWidth = 700; // px, width of an A4 page between its margins
  const paperHeight = 0.75; // relative to the height of a picture, so that two fit on a page
  const screenScheme = () => (darkScheme.matches ? "dark" : "light");

  const coloured = (text, scheme) => {
    if (scheme !== "dark") return text;
    for (const [light, value] of Object.entries(darkByLight)) text = text.replaceAll(light, value);
    return text;
  };

  const merge = (into, changes) => {
    for (const [key, value] of Object.entries(changes)) {
      const deep = value !== null && typeof value === "object" && !Array.isArray(value);
      if (deep) merge((into[key] ??= {}), value);
      else into[key] = value;
    }
  };

  const fileName = (plot) => plot.ariaLabel.replace(/[^\p{L}\p{N}]+/gu, "_");

  const saveAsSvg = {
    name: "Save as SVG",
    icon: Plotly.Icons.disk,
    click: (plot) => Plotly.downloadImage(plot, { format: "svg", filename: fileName(plot) }),
  };

  const draw = (plot, scheme) => {
    const narrow = narrowScreen.matches && scheme !== "print";
    const form = scheme + (narrow ? " narrow" : "");
    if (drawn.get(plot) === form) return;
    const first = !drawn.has(plot);
    drawn.set(plot, form);
    const figure = JSON.parse(coloured(sources.get(plot), scheme));
    const layout = figure.layout;
    const meta = layout.meta ?? {};
    layout.hoverlabel = { bgcolor: scheme === "dark" ? "#22272d" : "#ffffff" };
    if (scheme === "print") {
      layout.width = paperWidth;
      layout.height *= paperHeight;
    }
    if (narrow) {
      merge(layout, meta.narrow ?? {});
      layout.dragmode = false; // a finger scrolls the page
    }
    const span = spans.get(plot.closest("section"));
    if (meta.over_time && span) layout.xaxis.range = span;
    plot.style.height = `${layout.height}px`;
    const settings = {
      responsive: true,
      displaylogo: false,
      showSendToCloud: false,
      toImageButtonOptions: { filename: fileName(plot), scale: 2 },
      displayModeBar: narrow ? false : "hover",
      modeBarButtonsToAdd: [saveAsSvg],
    };
    Plotly.react(plot, figure.data, layout, settings);
    if (first && meta.over_time) link(plot, JSON.parse(sources.get(plot)).layout.xaxis.range);
  };

  // The other pictures over time of a section follow the zoom of this picture.
  const whole = new Map();
  let following = false;
  const link = (plot, range) => {
    whole.set(plot, range);
    plot.on("plotly_relayout", (change) => {
      const zoomed = Object.keys(change).some((key) => /^xaxis\d*\.(range|autorange)/.test(key));
      if (following || !zoomed) return;
      const section = plot.closest("section");
      const chosen = [...plot.layout.xaxis.range];
      const reset = range !== undefined && chosen.every((end, i) => Math.abs(end - range[i]) < 1e-9);
      if (reset) spans.delete(section);
      else spans.set(section, chosen);
      following = true;
      const others = [...whole.keys()].filter(
        (other) => other !== plot && other.closest("section") === section,
      );
      Promise.all(
        others.map((other) =>
          Plotly.relayout(other, { "xaxis.range": [...(reset ? whole.get(other) : chosen)] }),
        ),
      ).finally(() => {
        following = false;
      });
    });
  };

  const nearby = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) draw(entry.target, screenScheme());
    },
    { rootMargin: "600px" },
  );
  for (const plot of plots) nearby.observe(plot);

  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
  const drawNext = () => {
    const plot = plots.find((one) => !drawn.has(one));
    if (plot === undefined) {
      document.documentElement.dataset.drawn = "all";
      return;
    }
    draw(plot, screenScheme());
    later(drawNext);
  };
  later(drawNext);

  const redraw = () => {
    for (const plot of drawn.keys()) draw(plot, screenScheme());
  };
  darkScheme.addEventListener("change", redraw);
  narrowScreen.addEventListener("change", redraw);

  // Open collapsed sections, because paper has no pointer.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const details of unfolded) details.open = true;
    for (const plot of plots) draw(plot, "print");
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
    setTimeout(() => plots.forEach((plot) => draw(plot, screenScheme()))); // after printing
  });
})();
