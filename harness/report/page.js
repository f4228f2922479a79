"use strict";
// Draws each picture when it comes near the screen and the rest when the browser is idle;
// redraws in the other colours when the scheme changes, and in light ones for print.
(() => {
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const darkByLight = JSON.parse(document.getElementById("dark-colours").textContent);
  const plots = [...document.querySelectorAll(".plot")];
  const sources = new Map(plots.map((plot) => [plot, plot.firstElementChild.textContent]));
  const drawn = new Map();
  const settings = { responsive: true, displaylogo: false };
  const paperWidth = 700; // px of an A4 page between its margins
  const screenScheme = () => (darkScheme.matches ? "dark" : "light");

  const coloured = (text, scheme) => {
    if (scheme !== "dark") return text;
    for (const [light, value] of Object.entries(darkByLight)) text = text.replaceAll(light, value);
    return text;
  };

  const draw = (plot, scheme) => {
    if (drawn.get(plot) === scheme) return;
    drawn.set(plot, scheme);
    const figure = JSON.parse(coloured(sources.get(plot), scheme));
    figure.layout.hoverlabel = { bgcolor: scheme === "dark" ? "#22272d" : "#ffffff" };
    if (scheme === "print") figure.layout.width = paperWidth;
    Plotly.react(plot, figure.data, figure.layout, settings);
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

  darkScheme.addEventListener("change", () => {
    for (const plot of drawn.keys()) draw(plot, screenScheme());
  });
  addEventListener("beforeprint", () => {
    for (const plot of plots) draw(plot, "print");
  });
  addEventListener("afterprint", () => {
    for (const plot of plots) draw(plot, screenScheme());
  });
})();
